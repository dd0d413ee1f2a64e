#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Where threads sleep that wait for a ``RecursiveLock``.
///
/// It is `@unchecked Sendable` because the system's mutex and condition may be used from any thread; their memory lives as long as the lot.
final class ParkingLot: @unchecked Sendable {
    enum Decision {
        case leave, sleep, lookAgain
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Asks `decide` until it says to leave, and sleeps when it says so. A wake-up between the decision and the sleep is not lost.
    func park(until decide: () -> Decision) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            switch decide() {
            case .leave: return
            case .lookAgain: continue
            case .sleep: pthread_cond_wait(condition, mutex)
            }
        }
    }

    func wakeOne() {
        pthread_mutex_lock(mutex)
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }
}
