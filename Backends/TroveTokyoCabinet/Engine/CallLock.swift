#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The lock around every call into the library while readers run.
///
/// Reading changes the page cache, so the library needs a lock for readers too. With this one `tcbdbsetmutex` is not
/// needed. A plain mutex is what thread checkers understand.
final class CallLock: @unchecked Sendable {
    // The pointer never changes, and what it leads to is made for use by many threads.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while no other thread is inside. Not re-entrant, so `body` calls the library and nothing else.
    @inline(__always)
    func callAsFunction<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
