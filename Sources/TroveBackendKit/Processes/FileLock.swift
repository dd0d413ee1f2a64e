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

    /// Locks the file at a path, and makes it where there is none.
    ///
    /// - Throws: ``Failure``, also when this process has it.
    package init(at path: String) throws(Failure) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .system(String(cString: strerror(errno))) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(opened)
            throw code == EWOULDBLOCK ? .heldByAnother : .system(String(cString: strerror(code)))
        }
        // Last: an initializer that throws once all is set runs `deinit` too, which would close the number a second time, when it may be another thread's.
        descriptor = opened
    }

    deinit { close(descriptor) }
}
