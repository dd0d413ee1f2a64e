#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The calling thread, as a value to compare.
///
/// Bodies of transactions are synchronous, so inside one the thread stands for the task.
public struct ThreadIdentity: Sendable, Hashable {
    let raw: UInt

    /// The calling thread.
    @inline(__always)
    public static var current: ThreadIdentity {
        #if canImport(Darwin)
        ThreadIdentity(raw: UInt(bitPattern: pthread_self()))
        #else
        ThreadIdentity(raw: UInt(pthread_self()))
        #endif
    }
}
