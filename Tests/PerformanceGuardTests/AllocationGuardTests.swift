import AllocationCounter
import Foundation
import Synchronization
import TestSupport
import Testing
import Trove

/// The hot paths allocate no more memory than they did when their thresholds were written. Unlike times, allocations are the same on a busy machine.
@Suite(.serialized, .enabled(if: allocation_counter_works(), "allocations are counted on Linux with glibc, without a sanitizer"))
struct AllocationGuardTests {
    /// Every operation of an engine in turn, so that each finds the store as it is left by those before it.
    ///
    /// What the optimizer leaves of the allocations is another number than in a debug build, so each way of building has its own.
    @Test(
        .enabled(
            if: try AllocationThresholds.areExpected(),
            "no allocations are recorded for a \(AllocationThresholds.configuration) build: guards hold in the builds that `make test` and `swift test` make"),
        arguments: Engine.allCases)
    func allocateNoMoreThanAllowed(_ engine: Engine) throws {
        let songs = (0..<GuardedOperation.objectCount).map(GuardedSong.init(number:))
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: GuardedSong.self, GuardedTrack.self) }
        try fixture.store.save(songs)
        var thresholds = try AllocationThresholds()
        for operation in GuardedOperation.allCases {
            let counted = try Self.allocations(operation, fixture.store, songs)
            if AllocationThresholds.isUpdating {
                thresholds[engine.rawValue, operation] = (counted * 100).rounded() / 100
                continue
            }
            let allowed = try #require(
                thresholds[engine.rawValue, operation],
                "\(operation) on \(engine) has no threshold for a \(AllocationThresholds.configuration) build: `make guards-update`")
            #expect(
                counted <= AllocationThresholds.limit(allowed),
                """
                \(operation) on \(engine) allocates \(counted) times, and is allowed \(allowed). If that is meant, `make guards-update` and say why.
                """)
        }
        if AllocationThresholds.isUpdating { try thresholds.write() }
    }

    /// A guard that counted nothing would never fail.
    @Test func theCounterCounts() {
        let before = allocation_counter_of_thread()
        let memory = malloc(64)
        free(memory)
        #expect(allocation_counter_of_thread() - before == 1)
        #expect(allocation_counter_of_all_threads() >= allocation_counter_of_thread())
    }

    /// A thread's count is of it alone also in a process that has started more threads than the counter has slots for, as a run of all tests does.
    @Test func aThreadsCountIsItsOwnHoweverManyThereWere() {
        for _ in 0..<1_100 { Self.onThreads(1) { Self.allocate(1) } }
        let counts = Mutex<[UInt64]>([])
        Self.onThreads(2) {
            let before = allocation_counter_of_thread()
            Self.allocate(100_000)
            let counted = allocation_counter_of_thread() - before
            counts.withLock { $0.append(counted) }
        }
        #expect(counts.withLock { $0 } == [100_000, 100_000])
    }

    private static func allocate(_ count: Int) {
        for _ in 0..<count { free(malloc(64)) }
    }

    /// Does the same on so many threads at once, and waits for them.
    private static func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<count {
            Thread.detachNewThread {
                body()
                ended.signal()
            }
        }
        for _ in 0..<count { ended.wait() }
    }

    /// The least mean of three rounds, after one that is not counted: what grows once is not counted against an operation.
    private static func allocations(_ operation: GuardedOperation, _ store: ObjectStore, _ songs: [GuardedSong]) throws -> Double {
        _ = try operation.run(store, songs)
        return try (0..<3).map { _ in
            let before = allocation_counter_of_thread()
            let operations = try operation.run(store, songs)
            return Double(allocation_counter_of_thread() - before) / Double(operations)
        }.min() ?? 0
    }
}
