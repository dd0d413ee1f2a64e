#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that one holder at a time has, in all processes; the system takes it away from a process that ends, whatever way.
///
/// Unchecked: the descriptor is a number that nobody changes, and it is closed with the last reference.
package final class FileLock: @unchecked Sendable {
    /// Why there is no lock.
    package enum Failure: Error {
        case heldByAnother
        /// What the system says.
        case system(String)
    }

    private let descriptor: Int32

    /// How often is asked again, and after how many microseconds: a program that is being started has the files of the one that starts it for a moment, and with them their locks.
    private static let attempts = 40
    private static let pause: UInt32 = 5_000

    /// Locks the file at a path, and makes it where there is none. Of one that another has it takes a fifth of a second to say so.
    ///
    /// - Throws: ``Failure``, also when this process has it.
    package init(at path: String) throws(Failure) { descriptor = try Self.lock(path) }

    private static func lock(_ path: String) throws(Failure) -> Int32 {
        for attempt in 1...attempts {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard opened >= 0 else { throw .system(String(cString: strerror(errno))) }
            let code = flock(opened, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
            // A holder may remove the file with its lock: who waited for it has a file that is nobody's, and asks for the one that is there now.
            if code == 0, isFile(opened, at: path) { return opened }
            close(opened)
            guard code == 0 || code == EWOULDBLOCK || code == EINTR else { throw .system(String(cString: strerror(code))) }
            if attempt < attempts { usleep(pause) }
        }
        throw .heldByAnother
    }

    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (held, there) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &there) == 0 && held.st_dev == there.st_dev && held.st_ino == there.st_ino
    }

    deinit { close(descriptor) }
}
