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
    /// The unit in which the system tells how much room a file takes.
    private static let blockSize = 512
    /// Numbers of Trove's own lie behind the readers. LMDB counts whole places for readers, so it neither uses nor sees these bytes.
    private static let tailSize = SharedWords.size

    /// Gives the file its room on the disk before LMDB maps it.
    ///
    /// LMDB extends the file, which takes no room, and then writes to it through the map. On a full disk such a write
    /// ends the process with a signal; so does that of the first reader in a page of the table nobody has used yet.
    ///
    /// Only for a process that does not have the store open: closing any descriptor of the file drops LMDB's locks on it.
    ///
    /// - Returns: the numbers that Trove's processes share; nil when the system does not map them.
    static func reserve(forStoreAt path: String, maxReaders: Int, errors: LMDBErrors) throws -> SharedWords? {
        let path = path + "-lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        // LMDB counts from the size how many readers fit, so that of a table in use is kept. A new one, or one nobody uses, gets the size LMDB gives it.
        let isNew = information.st_size == 0
        let existing = Int(information.st_size) / readerSize * readerSize
        let places = isInUse(descriptor) ? existing : max(existing, (maxReaders - 1) * readerSize + headSize)
        guard places >= headSize else { return nil }
        let size = off_t(places + tailSize)
        // Where the file system cannot reserve room, the system's library reads a byte of each block and writes it back, over what another process has written.
        let hasRoom = information.st_size >= size && Int(information.st_blocks) * blockSize >= Int(size)
        let code = hasRoom ? 0 : allocate(size, of: descriptor, isNew: isNew)
        // Some file systems, on networks mostly, cannot reserve room.
        if code == ENOSPC || code == EDQUOT { throw errors.error(code, doing: "make the lock file '\(path)'") }
        guard code == 0 || ftruncate(descriptor, max(size, information.st_size)) == 0 else { return nil }
        return SharedWords(descriptor: descriptor, offset: places)
    }

    /// Whether another process has the store open, as far as its file of locks tells whoever may read it. Only for a process that does not have it open.
    static func isInUse(forStoreAt path: String) -> Bool {
        let descriptor = open(path + "-lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return isInUse(descriptor)
    }

    /// Whether a process has the store open: LMDB has the first byte locked then.
    private static func isInUse(_ descriptor: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        return fcntl(descriptor, F_GETLK, &lock) == 0 && Int32(lock.l_type) != Int32(F_UNLCK)
    }

    /// Reserves room without changing what is in the file. Returns the system's error number.
    private static func allocate(_ size: off_t, of descriptor: Int32, isNew: Bool) -> Int32 {
        #if canImport(Darwin)
        // Room is counted from the end of the file, so it is reserved once.
        guard isNew else { return ftruncate(descriptor, size) == 0 ? 0 : errno }
        var room = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: size, fst_bytesalloc: 0)
        guard fcntl(descriptor, F_PREALLOCATE, &room) == 0 else { return errno }
        return ftruncate(descriptor, size) == 0 ? 0 : errno
        #else
        var code = posix_fallocate(descriptor, 0, size)
        while code == EINTR { code = posix_fallocate(descriptor, 0, size) }
        return code
        #endif
    }
}
