import Dispatch
import Foundation

#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells of changes of the files in a directory and its folders, as far as the system tells them (inotify).
///
/// Unchecked: the descriptor is a number that nobody changes, closed with the source that reads from it.
final class DirectoryWatch: @unchecked Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let directory: URL

    /// nil where the system watches nothing more.
    init?(_ directory: URL, _ changed: @escaping @Sendable () -> Void) {
        self.directory = directory
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "trove.mirror.directory"))
        source.setEventHandler { [descriptor] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            changed()
        }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.resume()
        _ = update()
    }

    deinit { source.cancel() }

    /// Watches folders that are new. Returns false when the system does not watch them all, as when a user may have no more watches.
    func update() -> Bool {
        let folders = [directory.path] + ((try? DirectoryFiles.names(in: directory.path)) ?? []).filter { !$0.hasPrefix(".") }.map { directory.path + "/" + $0 }
        let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR)
        // Adding a folder that is watched already changes nothing.
        return folders.count { inotify_add_watch(descriptor, $0, mask) < 0 && errno != ENOTDIR } == 0
    }
}
#else
/// Elsewhere the directory is looked at now and then.
final class DirectoryWatch: Sendable {
    init?(_ directory: URL, _ changed: @escaping @Sendable () -> Void) { return nil }
    func update() -> Bool { false }
}
#endif
