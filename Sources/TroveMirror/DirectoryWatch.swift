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
            if Self.hasNews(descriptor) { changed() }
        }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.resume()
        _ = update()
    }

    deinit { source.cancel() }

    /// Watches folders that are new. Returns false when the system does not watch them all, as when a user may have no more watches.
    func update() -> Bool {
        let folders = [directory.path] + ((try? DirectoryFiles.names(in: directory.path)) ?? []).filter { !$0.hasPrefix(".") }.map { directory.path + "/" + $0 }
        return folders.count { !Self.watch($0, descriptor) && errno != ENOTDIR } == 0
    }

    /// Watches a folder; one that is watched already stays so. New permissions may let a file be written that waits.
    static func watch(_ folder: String, _ descriptor: Int32) -> Bool {
        inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ATTRIB | IN_ONLYDIR)) >= 0
    }

    /// Takes what the system tells; returns whether it is of more than the files that a mirror begins to write. One that cannot take its place is made and
    /// removed in each run, which would wake the next one.
    static func hasNews(_ descriptor: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var hasNews = false
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return hasNews }
            buffer.withUnsafeBytes { bytes in
                // An event is three numbers, the length of the name, and that, filled up with zeros.
                var place = 0
                while place + 16 <= count {
                    let end = place + 16 + Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                    if !bytes[place + 16..<min(end, count)].starts(with: DirectoryFiles.writingName.utf8) { hasNews = true }
                    place = end
                }
            }
        }
    }
}
#else
/// Elsewhere the directory is looked at now and then.
final class DirectoryWatch: Sendable {
    init?(_ directory: URL, _ changed: @escaping @Sendable () -> Void) { return nil }
    func update() -> Bool { false }
}
#endif
