import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A fair lock for the one writer of a store between processes: first come, first served, with a bounded wait.
///
/// Engines let whoever comes at the right moment write, so a process that writes without pause may keep another from writing for as long as it likes;
/// and one that is killed while it waits may leave another asleep. Here each writer draws the next number, locks the byte of that number, and waits until no
/// byte of a smaller number is locked. The system unlocks the byte of a process that ends. A process that has the store for itself
/// draws no number and makes no system call.
///
/// It orders only those who ask. The engine's own lock keeps all writers apart, so nothing is wrong where the order is lost, as when
/// somebody closes a descriptor of the file that holds the locks.
///
/// One thread of a process at a time may use it: the one inside the store's ``WriterGate``.
public final class ProcessGate: Sendable {
    /// A turn to write, which ``leave(_:)`` ends.
    public enum Turn: Sendable {
        /// The process is the only one.
        case alone
        /// The process has drawn this number.
        case numbered(Int)
    }

    // The shared numbers.
    /// How many processes have the store open, or more after some were killed.
    private static let processes = 0
    /// The process that writes without a number; 0 when none does.
    private static let loner = 1
    /// The next number to be drawn.
    private static let next = 2
    /// All smaller numbers have had their turn.
    private static let done = 3

    // The bytes.
    private static let arriving = ByteLock.first + 16
    private static let presence = ByteLock.first + 17
    /// Each process has that of its own number locked.
    private static let identities = ByteLock.first + (1 << 32)
    private static let numbers = ByteLock.first << 1
    /// Far more than will ever be drawn; what is beyond is damage.
    private static let numberLimit = 1 << 40

    private let words: SharedWords
    private let locks: ByteLock
    private let process = Int(getpid())

    /// Joins the processes that have the store open; nil where the file system has no locks, or when another process does not finish joining by the deadline.
    public init?(words: SharedWords, locks: ByteLock, until deadline: Deadline) {
        self.words = words
        self.locks = locks
        while true {
            let attempt = locks.lock(Self.arriving)
            if attempt == .locked { break }
            if attempt == .impossible || deadline.hasPassed { return nil }
            usleep(200)
        }
        defer { locks.unlock(Self.arriving) }
        if !locks.isHeldByAnother(Self.presence..<Self.presence + 1) {
            // Nobody is there, so what is left of earlier processes does not count.
            for index in [Self.loner, Self.next, Self.done, Self.processes] { words.store(0, index) }
        }
        guard locks.lock(Self.presence, shared: true) == .locked, locks.lock(Self.identities + process) != .impossible else { return nil }
        words.add(1, Self.processes)
    }

    /// Leaves the processes that have the store open. No turn may be running.
    ///
    /// - Parameter last: called when no other process is there, while none can join.
    public func close(last: () -> Void = {}) {
        let isAlone = locks.lock(Self.arriving) == .locked
        words.add(-1, Self.processes)
        locks.unlock(Self.presence)
        locks.unlock(Self.identities + process)
        guard isAlone else { return }
        if !locks.isHeldByAnother(Self.presence..<Self.presence + 1) { last() }
        locks.unlock(Self.arriving)
    }

    // MARK: Turns

    /// Waits for the turn until the deadline; nil after it.
    public func enter(until deadline: Deadline) -> Turn? {
        if words.load(Self.processes) == 1 {
            words.store(process, Self.loner)
            // One that has joined meanwhile sees the mark, or is seen here.
            if words.load(Self.processes) == 1 { return .alone }
            words.store(0, Self.loner)
        }
        guard let number = draw(until: deadline) else { return nil }
        // Short waits first: most writes are over in less than a millisecond.
        var pause: UInt32 = 20
        while !isTurn(of: number) {
            if deadline.hasPassed {
                locks.unlock(Self.numbers + number)
                return nil
            }
            usleep(pause)
            pause = min(pause + pause / 4, 1_000)
        }
        return .numbered(number)
    }

    /// Ends a turn, and lets the next process in.
    public func leave(_ turn: Turn) {
        switch turn {
        case .alone: words.store(0, Self.loner)
        case .numbered(let number):
            words.store(number + 1, Self.done)
            locks.unlock(Self.numbers + number)
        }
    }

    /// Takes the next number. Its byte is locked before anybody can draw a later one.
    private func draw(until deadline: Deadline) -> Int? {
        while true {
            let number = words.load(Self.next)
            guard (0..<Self.numberLimit).contains(number) else {
                _ = words.exchange(number, for: 0, Self.next)
                continue
            }
            switch locks.lock(Self.numbers + number) {
            case .locked:
                if words.exchange(number, for: number + 1, Self.next) { return number }
                locks.unlock(Self.numbers + number)
            case .heldByAnother:
                // It is about to take the number, unless it was stopped just there.
                if deadline.hasPassed { return nil }
                usleep(20)
            case .impossible: return number
            }
        }
    }

    private func isTurn(of number: Int) -> Bool {
        let done = min(max(0, words.load(Self.done)), number)
        // What a killed process has left of the numbers is passed over, as nobody has those bytes locked.
        if done < number, locks.isHeldByAnother(Self.numbers + done..<Self.numbers + number) { return false }
        let loner = words.load(Self.loner)
        guard loner != 0, loner != process else { return true }
        guard (0..<1 << 32).contains(loner) else { return true }
        if locks.isHeldByAnother(Self.identities + loner..<Self.identities + loner + 1) { return false }
        _ = words.exchange(loner, for: 0, Self.loner)
        return true
    }
}
