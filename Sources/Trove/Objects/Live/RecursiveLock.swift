import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a domain's lock has to tell when it is given back: those who are told run code of their own, which may wait for other threads.
final class NoticeQueue: Sendable {
    private let notices = Mutex<[ChangeNotice]>([])

    func add(_ notice: ChangeNotice) { notices.withLock { $0.append(notice) } }

    /// Sends all, in order; the thread holds no lock.
    func send() {
        let waiting = notices.withLock { notices in
            let waiting = notices
            notices = []
            return waiting
        }
        for notice in waiting { notice.send() }
    }
}

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

/// A lock that the thread which holds it may take again.
///
/// It is a word that a thread swaps its identity into, in code that is inlined where objects are read and written; only a thread
/// that has to wait calls the system. ThreadSanitizer sees through it, because nothing of it is compiled apart.
@usableFromInline struct RecursiveLock: ~Copyable, Sendable {
    /// The identity of the thread that holds the lock, 0 when none does; the lowest bit tells that there is something to do when it is given
    /// back: others may be parked, or there are notices to send.
    @usableFromInline let word = Atomic<UInt>(0)
    /// How often the thread that holds the lock has taken it again. Only that thread uses it.
    @usableFromInline let depth = Atomic<Int>(0)
    private let parkingLot = ParkingLot()
    private let notices = NoticeQueue()

    init() {}

    /// The identity of this thread: an address, whose lowest bit is free.
    @inlinable @inline(__always)
    static var currentThread: UInt {
        #if canImport(Glibc)
        UInt(pthread_self())
        #else
        UInt(bitPattern: pthread_self())
        #endif
    }

    @inlinable @inline(__always)
    func lock() {
        let thread = Self.currentThread
        let (isTaken, holder) = word.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        if isTaken { return }
        if holder & ~1 == thread {
            depth.store(depth.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        } else {
            wait(as: thread)
        }
    }

    @inlinable @inline(__always)
    func unlock() {
        let depth = depth.load(ordering: .relaxed)
        if depth > 0 {
            self.depth.store(depth &- 1, ordering: .relaxed)
        } else if word.exchange(0, ordering: .releasing) & 1 != 0 {
            didRelease()
        }
    }

    /// Whether this thread holds the lock.
    @inlinable var isHeld: Bool { word.load(ordering: .relaxed) & ~1 == Self.currentThread }

    /// Takes the lock when another thread had it a moment ago.
    @usableFromInline func wait(as thread: UInt) {
        // Most accesses are over in some nanoseconds, which is much less than parking takes.
        for _ in 0..<50 {
            if word.load(ordering: .relaxed) == 0,
                word.compareExchange(expected: 0, desired: thread, ordering: .acquiring).exchanged
            {
                return
            }
        }
        parkingLot.park {
            let holder = word.load(ordering: .relaxed)
            if holder == 0 {
                // Others may be parked too, and the bit that told of them is gone.
                return word.compareExchange(expected: 0, desired: thread | 1, ordering: .acquiring).exchanged ? .leave : .lookAgain
            }
            if holder & 1 != 0 { return .sleep }
            return word.compareExchange(expected: holder, desired: holder | 1, ordering: .relaxed).exchanged ? .sleep : .lookAgain
        }
    }

    /// Sends a notice once the lock is given back, by the thread that does. This thread holds the lock.
    func send(_ notice: ChangeNotice) {
        notices.add(notice)
        word.bitwiseOr(1, ordering: .relaxed)
    }

    @usableFromInline func didRelease() {
        parkingLot.wakeOne()
        notices.send()
    }
}
