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
    package init(at path: String) throws(Failure) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .system(String(cString: strerror(errno))) }
        var code: Int32 = 0
        for attempt in 1...Self.attempts {
            code = flock(opened, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
            guard code == EWOULDBLOCK || code == EINTR, attempt < Self.attempts else { break }
            usleep(Self.pause)
        }
        guard code == 0 else {
            close(opened)
            throw code == EWOULDBLOCK ? .heldByAnother : .system(String(cString: strerror(code)))
        }
        // Last: an initializer that throws once all is set runs `deinit` too, which would close the number a second time, when it may be another thread's.
        descriptor = opened
    }

    deinit { close(descriptor) }
}
