import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The directory that a store's file is in.
enum StoreDirectory {
    /// Makes a new or moved file's name durable: syncing the file says nothing about that.
    static func synchronize(of path: String) throws {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: directory) }
        defer { close(descriptor) }
        // Some file systems refuse to sync directories; there is nothing else to do there.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: directory) }
    }
}
