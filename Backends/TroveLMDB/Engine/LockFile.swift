import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file beside the store in which LMDB keeps its locks and the table of readers.
enum LockFile {
    private static let readerSize = 64
    /// What comes before the second reader.
    private static let headSize = 192

    /// Gives the file its room on the disk before LMDB maps it.
    ///
    /// LMDB extends the file, which takes no room, and then writes to it through the map. On a full disk such a write
    /// ends the process with a signal; so does that of the first reader in a page of the table nobody has used yet.
    ///
    /// Only for a process that does not have the store open: closing any descriptor of the file drops LMDB's locks on it.
    static func reserve(forStoreAt path: String, maxReaders: Int, errors: LMDBErrors) throws {
        let path = path + "-lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        // LMDB counts from the size how many readers fit, so that of an existing table is kept. A new one gets the size LMDB gives it.
        let isNew = information.st_size == 0
        let size = isNew ? off_t((max(1, maxReaders) - 1) * readerSize + headSize) : information.st_size
        let code = allocate(size, of: descriptor, isNew: isNew)
        // Some file systems, on networks mostly, cannot reserve room.
        if code == ENOSPC || code == EDQUOT { throw errors.error(code, doing: "make the lock file '\(path)'") }
    }

    /// Reserves room without changing what is in the file. Returns the system's error number.
    private static func allocate(_ size: off_t, of descriptor: Int32, isNew: Bool) -> Int32 {
        #if canImport(Darwin)
        // Room is counted from the end of the file, so it is reserved once.
        guard isNew else { return 0 }
        var room = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: size, fst_bytesalloc: 0)
        return fcntl(descriptor, F_PREALLOCATE, &room) == 0 ? 0 : errno
        #else
        var code = posix_fallocate(descriptor, 0, size)
        while code == EINTR { code = posix_fallocate(descriptor, 0, size) }
        return code
        #endif
    }
}
