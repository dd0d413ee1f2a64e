import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A shared lock on the data file, held as long as a process has the store open.
///
/// LMDB's own locks say nothing about who has a file open. Compaction replaces the file, so it asks for this lock
/// alone; and a process that opens the store waits for it, then looks whether the path still leads to the file it locked.
/// The lock is `flock`'s: unlike a record lock it belongs to this descriptor, so closing another one does not lose it.
final class StoreGuard: Sendable {
    let descriptor: Int32
    /// Whether the file was empty, so that nobody else may open it before it is made.
    let isNew: Bool

    private init(descriptor: Int32, isNew: Bool) {
        self.descriptor = descriptor
        self.isNew = isNew
    }

    deinit { FileLock.release(descriptor) }

    /// Opens and locks the file at `path`, or creates an empty one.
    ///
    /// - Throws: ``StorageError/locked(_:)`` when another process has it alone until the deadline, to make it or to compact it.
    static func open(_ path: String, until deadline: Deadline, errors: LMDBErrors) throws -> StoreGuard {
        while true {
            let descriptor = Self.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
            if flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
                close(descriptor)
                try wait(until: deadline, forAnotherProcessTo: "make or compact the store", errors)
                continue
            }
            var information = stat()
            guard fstat(descriptor, &information) == 0 else {
                let code = errno
                close(descriptor)
                throw StoreFile.error(code, engine: LMDBErrors.engine, path: path)
            }
            if information.st_size == 0 {
                // Of several processes that create the store one gets the lock alone; the others come round again.
                guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                    close(descriptor)
                    try wait(until: deadline, forAnotherProcessTo: "make the store", errors)
                    continue
                }
                guard fstat(descriptor, &information) == 0, information.st_size == 0 else {
                    close(descriptor)
                    continue
                }
            }
            if leads(path, to: information) {
                return StoreGuard(descriptor: descriptor, isNew: information.st_size == 0)
            }
            close(descriptor)
        }
    }

    /// Opens and locks the file at `path`, which is not to be changed.
    ///
    /// - Throws: ``StorageError/noSuchStore(_:)`` when it is gone or empty; ``StorageError/locked(_:)`` as ``open(_:until:errors:)`` does.
    static func openForReading(_ path: String, until deadline: Deadline, errors: LMDBErrors) throws -> StoreGuard {
        while true {
            // The locks that order what processes do want a file that may be written.
            var descriptor = Self.open(path, O_RDWR | O_CLOEXEC, 0)
            if descriptor < 0 { descriptor = Self.open(path, O_RDONLY | O_CLOEXEC, 0) }
            guard descriptor >= 0 else {
                let code = errno
                throw code == ENOENT ? goneError(errors) : StoreFile.error(code, engine: LMDBErrors.engine, path: path)
            }
            if flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
                close(descriptor)
                try wait(until: deadline, forAnotherProcessTo: "make or compact the store", errors)
                continue
            }
            var information = stat()
            if fstat(descriptor, &information) == 0, leads(path, to: information) {
                if information.st_size > 0 { return StoreGuard(descriptor: descriptor, isNew: false) }
                close(descriptor)
                throw goneError(errors)
            }
            close(descriptor)
        }
    }

    private static func goneError(_ errors: LMDBErrors) -> StorageError {
        .noSuchStore(errors.details("there is no store at the path, or none any more; look for it elsewhere, or let opening create one"))
    }

    /// Returns after a millisecond.
    ///
    /// - Throws: ``StorageError/locked(_:)`` after the deadline.
    static func wait(until deadline: Deadline, forAnotherProcessTo what: String, _ errors: LMDBErrors) throws {
        guard !deadline.hasPassed else { throw locked(after: deadline, forAnotherProcessTo: what, errors) }
        usleep(1_000)
    }

    private static func locked(after deadline: Deadline, forAnotherProcessTo what: String, _ errors: LMDBErrors) -> StorageError {
        .locked(
            errors.details("waited \(deadline.timeout) for another process to \(what); end that process, or open the store with a longer `writerTimeout`"))
    }

    // MARK: Opening the environment

    /// The bytes that order what processes do. LMDB has no locks on this file.
    ///
    /// On Apple systems the lock that a process has on the whole file would be in the way of these, so there nothing is ordered.
    var locks: ByteLock? {
        #if canImport(Darwin)
        nil
        #else
        ByteLock(descriptor: descriptor)
        #endif
    }

    private static let openingByte = ByteLock.first
    private static let tableByte = ByteLock.first + 1

    /// Runs `body`, which opens LMDB's environment, while no other process does.
    ///
    /// The first process clears LMDB's lock file and the others wait until it is ready. If that process ends in between, LMDB lets them go on with a
    /// lock file that is not: they would see the state 0, write over the last commits, or wait for locks that nobody has. So
    /// they wait here, and then one of them is the first.
    func openingAlone<Result>(until deadline: Deadline, errors: LMDBErrors, _ body: () throws -> Result) throws -> Result {
        try holding(Self.openingByte, until: deadline, forAnotherProcessTo: "open the store", errors, body)
    }

    /// Runs `body`, in which LMDB locks its table of readers, while no other process does that.
    ///
    /// LMDB's lock may leave a process asleep for ever when another one is killed that waits for it too: the sleeper was to be woken by that one. So nobody
    /// waits for LMDB's lock. For one thread at a time.
    func usingReaderTable<Result>(until deadline: Deadline, errors: LMDBErrors, _ body: () throws -> Result) throws -> Result {
        try holding(Self.tableByte, until: deadline, forAnotherProcessTo: "begin a read", errors, body)
    }

    private func holding<Result>(
        _ byte: Int, until deadline: Deadline, forAnotherProcessTo what: String, _ errors: LMDBErrors, _ body: () throws -> Result
    ) throws -> Result {
        guard let locks else { return try body() }
        while locks.lock(byte) == .heldByAnother {
            guard !deadline.hasPassed else { throw Self.locked(after: deadline, forAnotherProcessTo: what, errors) }
            usleep(50)
        }
        defer { locks.unlock(byte) }
        return try body()
    }

    // MARK: Replacing the file

    /// Makes an empty file at `path` that is to replace a store, locked alone, so that nobody uses it when it gets
    /// to its place before the caller does; nil when another process is at that.
    ///
    /// What a crash has left at the path is taken over; a link there is not followed, because it could lead to anybody's file.
    ///
    /// - Parameter needsLock: whether a file system without locks is as good as another process; otherwise it is used without them.
    static func forReplacement(at path: String, needsLock: Bool) throws -> StoreGuard? {
        let descriptor = Self.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        let fileGuard = StoreGuard(descriptor: descriptor, isNew: false)
        var information = stat()
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, needsLock || errno == EWOULDBLOCK { return nil }
        guard fstat(descriptor, &information) == 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        guard leads(path, to: information) else { return nil }
        guard ftruncate(descriptor, 0) == 0 else { throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path) }
        return fileGuard
    }

    /// Gives another file, at `path`, the mode of this one.
    func giveMode(to other: StoreGuard, at path: String) throws {
        var information = stat()
        guard fstat(descriptor, &information) == 0, fchmod(other.descriptor, information.st_mode & 0o777) == 0 else {
            throw StoreFile.error(errno, engine: LMDBErrors.engine, path: path)
        }
    }

    /// Whether the path leads to the file.
    func isOf(_ path: String) -> Bool {
        var information = stat()
        return fstat(descriptor, &information) == 0 && Self.leads(path, to: information)
    }

    /// Returns when the file, which is at `path`, is on the disk.
    func synchronize(at path: String) throws {
        try StoreFile.synchronize(descriptor, engine: LMDBErrors.engine, path: path)
    }

    /// Lets other processes open the store.
    func share() { Self.lock(descriptor, LOCK_SH) }

    /// Takes the lock alone; false, with the lock shared again, when another process has the store open.
    ///
    /// In between the lock is lost for a moment, so only one process at a time may try, the one that has the lock on the replacement.
    func takeAlone() -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        share()
        return false
    }

    /// A file system without such locks (some network mounts) is used without them: only compaction needs them, and it fails there.
    private static func lock(_ descriptor: Int32, _ operation: Int32) {
        while flock(descriptor, operation) != 0 && errno == EINTR {}
    }

    private static func leads(_ path: String, to opened: stat) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_dev == opened.st_dev && found.st_ino == opened.st_ino
    }

    private static func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(path, flags, mode)
        #elseif canImport(Musl)
        Musl.open(path, flags, mode)
        #else
        Darwin.open(path, flags, mode)
        #endif
    }
}
