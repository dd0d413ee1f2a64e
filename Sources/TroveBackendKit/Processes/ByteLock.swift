import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Locks between processes on bytes of a file, far behind its content.
///
/// Record locks, because the system drops them with the process, however it ends, and a child of `fork` does not get them. It drops them too when
/// the process closes any descriptor of the file; so they may order what processes do, and nothing may be wrong without them.
public struct ByteLock: Sendable {
    /// The first byte that is locked.
    public static let first = Int(1) << 40

    let descriptor: Int32

    /// Locks on the bytes of the file behind a descriptor, which has to stay open.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// The outcome of an attempt.
    public enum Attempt: Sendable {
        /// This process has the lock.
        case locked
        /// Another process has it.
        case heldByAnother
        /// The file system has no such locks.
        case impossible
    }

    /// Locks a byte without waiting.
    public func lock(_ byte: Int, shared: Bool = false) -> Attempt {
        while true {
            if set(byte, shared ? F_RDLCK : F_WRLCK) { return .locked }
            switch errno {
            case EINTR: continue
            case EACCES, EAGAIN: return .heldByAnother
            default: return .impossible
            }
        }
    }

    /// Gives a byte back.
    public func unlock(_ byte: Int) { _ = set(byte, F_UNLCK) }

    /// Whether another process has locked one of the bytes.
    func isHeldByAnother(_ bytes: Range<Int>) -> Bool {
        var lock = Self.request(F_WRLCK, bytes)
        return fcntl(descriptor, F_GETLK, &lock) == 0 && Int32(lock.l_type) != Int32(F_UNLCK)
    }

    private func set(_ byte: Int, _ type: Int32) -> Bool {
        var lock = Self.request(type, byte..<byte + 1)
        return fcntl(descriptor, F_SETLK, &lock) == 0
    }

    private static func request(_ type: Int32, _ bytes: Range<Int>) -> flock {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(bytes.lowerBound)
        lock.l_len = off_t(bytes.count)
        return lock
    }
}
