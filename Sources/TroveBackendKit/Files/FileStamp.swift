#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system tells of a file, by which a change of it is noticed.
package struct FileStamp: Hashable, Codable, Sendable {
    package let device, inode: UInt64
    package let size: Int64
    /// When its contents were changed last.
    package let seconds, nanoseconds: Int64

    package init(device: UInt64, inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64) {
        (self.device, self.inode, self.size, self.seconds, self.nanoseconds) = (device, inode, size, seconds, nanoseconds)
    }

    /// The stamp of the regular file at a path; nil when there is none.
    ///
    /// - Parameter followsLinks: whether a link counts as the file that it leads to, or as none.
    package init?(_ path: String, followsLinks: Bool = true) {
        var information = stat()
        guard (followsLinks ? stat(path, &information) : lstat(path, &information)) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let time = information.st_mtimespec
        #else
        let time = information.st_mtim
        #endif
        self.init(
            device: UInt64(truncatingIfNeeded: information.st_dev), inode: UInt64(information.st_ino), size: Int64(information.st_size),
            seconds: Int64(time.tv_sec),
            nanoseconds: Int64(time.tv_nsec))
    }

    /// Whether two stamps are of one file, whatever has changed in it.
    package func isSameFile(as other: FileStamp) -> Bool { (device, inode) == (other.device, other.inode) }

    /// Whether the last change is so long ago that another one now has another time: systems tell times in steps of some milliseconds, and some file
    /// systems in whole seconds or two.
    package var isSettled: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Double(Int64(now.tv_sec) - seconds) + Double(Int64(now.tv_nsec) - nanoseconds) * 1e-9 > (nanoseconds == 0 ? 2 : 0.1)
    }
}

/// The stamps of a store's files: where none differs, nobody committed.
package struct StoreStamp: Equatable, Sendable {
    /// The file itself, and where SQLite writes first.
    private static let endings = ["", "-wal"]

    private let files: [FileStamp?]

    package init(ofStoreAt path: String) { files = Self.endings.map { FileStamp(path + $0) } }

    /// Whether there is a file to tell anything.
    package var hasFile: Bool { files[0] != nil }

    /// Whether the last change is so long ago that the next one will have another time.
    package var isSettled: Bool { files.allSatisfy { $0?.isSettled ?? true } }
}
