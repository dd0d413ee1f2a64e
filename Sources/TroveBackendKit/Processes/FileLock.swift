#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import TroveStorage

/// A file that one holder at a time has, in all processes; it is given back with the last reference, and taken away by the
/// system from a process that ends, whatever way.
///
///     lock = try FileLock(beside: file)       // in the opening of an engine that admits one process
public final class FileLock: Sendable {
    /// Why there is no lock.
    package enum Failure: Error {
        case heldByAnother
        /// What the system says.
        case system(code: Int32, reason: String)
    }

    private let descriptor: Int32

    /// How often is asked again, and after how many microseconds: of a holder that ended without giving the lock back, a program that it was starting has the
    /// files for a moment, and with them the lock.
    private static let attempts = 40
    private static let pause: UInt32 = 5_000

    /// Locks the file at a path, and makes it where there is none. Of one that another has it takes a fifth of a second to say so.
    ///
    /// - Parameter waits: whether it is asked for again; otherwise one that another has is told of at once.
    /// - Throws: ``Failure``, also when this process has it.
    package init(at path: String, waits: Bool = true) throws(Failure) { descriptor = try Self.lock(path, waits ? Self.attempts : 1) }

    /// Locks a store, for an engine that replaces its file with each commit or cannot lock it: the file that is locked is named like the store's, with `.lock`
    /// at its end. It is made where there is none, and stays: taking it away could take it from under one who waits for it.
    ///
    /// - Throws: ``StorageError/locked(_:)`` when another process has the store, or this one by another lock, after a fifth of a second; what
    ///   the file system says of the lock's file.
    public init(beside file: StoreFile) throws(StorageError) {
        let path = file.path + ".lock"
        do throws(Failure) {
            descriptor = try Self.lock(path)
        } catch {
            switch error {
            case .heldByAnother:
                throw .locked(.init(engine: file.engine, path: file.path, message: "another process has the store open; only one at a time can"))
            case .system(let code, _): throw StoreFile.error(code, engine: file.engine, path: path)
            }
        }
    }

    private static func lock(_ path: String, _ attempts: Int = attempts) throws(Failure) -> Int32 {
        for attempt in 1...attempts {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard opened >= 0 else { throw failure(errno) }
            let code = flock(opened, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
            // A holder may remove the file with its lock: who waited for it has a file that is nobody's, and asks for the one that is there now.
            if code == 0, isFile(opened, at: path) { return opened }
            close(opened)
            guard code == 0 || code == EWOULDBLOCK || code == EINTR else { throw failure(code) }
            if attempt < attempts { usleep(pause) }
        }
        throw .heldByAnother
    }

    private static func failure(_ code: Int32) -> Failure { .system(code: code, reason: String(cString: strerror(code))) }

    /// Whether the file at a path is the one that is locked: somebody may have removed that one, and others then lock another.
    package func isHeld(at path: String) -> Bool { Self.isFile(descriptor, at: path) }

    /// Whether the file at a path is this open one.
    package static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (held, there) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &there) == 0 && held.st_dev == there.st_dev && held.st_ino == there.st_ino
    }

    deinit { Self.release(descriptor) }

    /// Closes a file and gives back its lock, which closing alone leaves to a program that is being started: it has a copy of the descriptor until it begins.
    package static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
