import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

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
