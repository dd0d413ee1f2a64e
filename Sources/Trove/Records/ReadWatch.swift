import Synchronization

/// Tells a read that is under way that nobody waits for it any more.
package final class Interruption: Sendable {
    /// That of the read which this thread does for a task elsewhere, or for a person who may stop it; nil on other threads.
    @TaskLocal package static var current: Interruption?

    /// The one of reads that go on to their end though their task is cancelled: what asks for them cannot throw, as a getter,
    /// and would take half of the values for all.
    private static let none = Interruption()

    /// Runs `body`, in which no read ends because its task is cancelled.
    static func unheeded<Result>(_ body: () throws -> Result) rethrows -> Result { try $current.withValue(none, operation: body) }

    /// Whether it is the one of reads that go on to their end.
    var isUnheeded: Bool { self === Self.none }

    private let flag = Atomic(false)
    private let parent: Interruption?

    /// - Parameter parent: one that is heeded too, of work of which this is a part.
    package init(below parent: Interruption? = nil) { self.parent = parent }

    package var isRaised: Bool { flag.load(ordering: .relaxed) || parent?.isRaised ?? false }

    package func raise() { flag.store(true, ordering: .relaxed) }

    /// Takes it back, for the next read, and not the parent; returns whether it was raised.
    package func lower() -> Bool { flag.exchange(false, ordering: .relaxed) }

    /// - Throws: `CancellationError` when that of this thread is raised.
    package static func check() throws { if current?.isRaised ?? false { throw CancellationError() } }
}

/// Looks now and then, while a read goes on, whether it should: its task may have been cancelled, its time may be over.
struct ReadWatch: Sendable {
    /// When the read has to have ended, and what is thrown when it has not.
    final class TimeLimit: Sendable {
        let instant: ContinuousClock.Instant
        let error: @Sendable () -> TroveError

        init(instant: ContinuousClock.Instant, error: @escaping @Sendable () -> TroveError) {
            self.instant = instant
            self.error = error
        }
    }

    /// How many records are read between two looks.
    static let stepsBetweenLooks = 128

    private let limit: TimeLimit?
    private let interruption: Interruption?
    private let heedsCancellation: Bool
    /// Raised to end the work of other threads for the same read.
    private var halt: Interruption?
    private var rest = ReadWatch.stepsBetweenLooks

    /// - Parameter heedsCancellation: false where what has begun is carried out, in a write.
    init(heedsCancellation: Bool = true, limit: TimeLimit? = nil) {
        let interruption = heedsCancellation ? Interruption.current : nil
        self.heedsCancellation = heedsCancellation && interruption?.isUnheeded != true
        self.limit = limit
        self.interruption = interruption
    }

    /// The same for a thread that helps with the read, which has to end also when `halt` is raised.
    func halting(at halt: Interruption) -> ReadWatch {
        var watch = self
        watch.halt = halt
        return watch
    }

    /// Counts a record, and looks after some.
    @inline(__always)
    mutating func step() throws {
        rest &-= 1
        if rest < 0 {
            rest = Self.stepsBetweenLooks
            try look()
        }
    }

    /// Whether it should end because its task was cancelled.
    var isCancelled: Bool { heedsCancellation && (interruption?.isRaised ?? false || Task.isCancelled) }

    /// Throws when the read should end.
    ///
    /// - Throws: `CancellationError`; ``TroveError/deadlineExceeded(query:deadline:)``.
    func look() throws {
        if halt?.isRaised ?? false { throw CancellationError() }
        if isCancelled { throw CancellationError() }
        if let limit, ContinuousClock.now >= limit.instant { throw limit.error() }
    }
}

/// Looks now and then, while a record's members are gone through, whether the answer is still wanted.
///
/// It counts across records and quantifiers in quantifiers. Threads that share it may count two members as one.
final class MemberWatch: Sendable {
    private static let stepsBetweenLooks = 4_096

    private let watch: ReadWatch
    private let rest = Atomic(MemberWatch.stepsBetweenLooks)

    init(_ watch: ReadWatch) { self.watch = watch }

    /// Counts a member; in a large record as several, since each may have a condition on all of it.
    @inline(__always)
    func step(in record: RecordView) throws { try step(1 &+ record.count >> 12) }

    @inline(__always)
    func step(_ count: Int) throws {
        let left = rest.load(ordering: .relaxed) &- count
        rest.store(left < 0 ? Self.stepsBetweenLooks : left, ordering: .relaxed)
        if left < 0 { try watch.look() }
    }
}
