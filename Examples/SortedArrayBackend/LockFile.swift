#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Synchronization
import TroveBackendKit
import TroveStorage

/// The lock that keeps other processes out: of a file beside the store, because the store's own file is replaced with each commit.
///
/// The lock ends with the process, however that ends. The file stays: taking it away could take it from under one who waits for it.
final class LockFile: Sendable {
    private static let attempts = 100
    private static let pause: UInt32 = 4_000

    /// nil once the lock was given back.
    private let held: Mutex<Int32?>

    init(of file: StoreFile) throws {
        let path = file.path + ".lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw StoreFile.error(errno, engine: file.engine, path: path) }
        var attempt = 0
        // A child that this process has just forked holds its descriptors until it begins its own program: some milliseconds, or more on a
        // busy machine.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            attempt += 1
            guard code == EWOULDBLOCK, attempt <= Self.attempts else {
                close(descriptor)
                if code != EWOULDBLOCK { throw StoreFile.error(code, engine: file.engine, path: path) }
                throw StorageError.locked(
                    .init(engine: file.engine, path: file.path, message: "another process has the store open; only one at a time can"))
            }
            usleep(Self.pause)
        }
        held = Mutex(descriptor)
    }

    deinit { release() }

    /// Gives the lock back, for a store that is closed though somebody still has it.
    func release() {
        held.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}
