#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension StoreFile {
    /// Returns when what was written to an open file is on the disk.
    ///
    /// On Apple's systems `fsync` alone leaves the data in the drive's cache, which a power loss empties: there the drive is asked too.
    ///
    /// - Parameter path: the path of the file, for errors.
    /// - Throws: what the system says, as ``error(_:engine:path:)`` makes it.
    public static func synchronize(_ descriptor: Int32, engine: String, path: String) throws {
        guard isSynchronized(descriptor) else { throw error(errno, engine: engine, path: path) }
    }

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
        guard isSynchronized(descriptor) || errno == EINVAL else { throw error(errno, engine: engine, path: directory) }
    }

    /// Syncs; false with `errno` when that fails.
    private static func isSynchronized(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        // Some file systems only know fsync.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }
}
