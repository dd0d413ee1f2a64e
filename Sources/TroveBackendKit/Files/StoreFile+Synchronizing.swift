#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension StoreFile {
    /// Returns when the names in the directory of `path` are on the disk: syncing a file says nothing about its name.
    ///
    /// Where a file system cannot sync directories, nothing is done.
    ///
    /// - Throws: what the system says, as ``error(_:engine:path:)`` makes it, with the directory's path.
    public static func synchronizeDirectory(of path: String, engine: String) throws {
        let directory = directory(of: path)
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(errno, engine: engine, path: directory) }
        defer { close(descriptor) }
        #if canImport(Darwin)
        // fsync leaves the data in the drive's cache. Some file systems only know fsync.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw error(errno, engine: engine, path: directory) }
    }
}
