import Dispatch
import ProbeKit
import TestSupport
import Testing

@testable import Trove

/// Reads that take long: they end when nobody waits for them or their time is over, and do not keep others from the store.
@Suite struct LongReadTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: RingValue.self) }
        try fixture.store.save((0..<2_000).map { RingValue(id: $0, next: $0) })
        return fixture
    }

    private static let reads: [(name: String, run: @Sendable (ReadTransaction) throws -> Void)] = [
        ("all", { _ = try $0.fetch(RingValue.self).all() }),
        ("count", { _ = try $0.fetch(RingValue.self).where(.comparison(.path(FieldPath("next")), .greater, .value(.int(5)))).count() }),
        ("sort", { _ = try $0.fetch(RingValue.self).sorted(by: \.next, .descending).ids() }),
        ("top", { _ = try $0.fetch(RingValue.self).sorted(by: \.next, .descending).limit(3).ids() }),
        ("sum", { _ = try $0.fetch(RingValue.self).aggregate(.sum(\.next)) }),
        ("groups", { _ = try $0.fetch(RingValue.self).grouped(by: \.next).aggregate(.count) }),
        ("page", { _ = try $0.fetch(RingValue.self).sorted(by: \.next).page(10) }),
    ]

    /// A body that asks again and again ends by its task's cancellation alone.
    @Test(arguments: Engine.allCases, 0..<7) func aCancelledReadEnds(engine: Engine, number: Int) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let begun = DispatchSemaphore(value: 0)
        let run = Self.reads[number].run
        let task = Task {
            try await store.read { transaction in
                begun.signal()
                while true { try run(transaction) }
            }
        }
        try await begun.signalled()
        task.cancel()
        await #expect(throws: CancellationError.self, "\(Self.reads[number].name)") { try await task.value }
    }

    /// A synchronous read heeds the task that it runs in; a write that has begun is carried out.
    @Test(arguments: Engine.allCases) func synchronousReadsHeedTheirTask(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result<Int, any Error> { try Self.synchronously(store) }
        }
        let outcome = await task.value
        #expect(throws: CancellationError.self) { try outcome.get() }
        let writing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result<Int, any Error> { try Self.deleting(store) }
        }
        #expect(try await writing.value.get() == 1_000)
        #expect(try await store.fetch(RingValue.self).count() == 1_000)
    }

    private static func synchronously(_ store: ObjectStore) throws -> Int { try store.fetch(RingValue.self).sorted(by: \.next).all().count }

    private static func deleting(_ store: ObjectStore) throws -> Int {
        try store.write { try $0.fetch(RingValue.self).where(.comparison(.path(FieldPath("next")), .less, .value(.int(1_000)))).delete() }
    }

    @Test(arguments: Engine.allCases) func aDeadlineEndsAQuery(engine: Engine) throws {
        let fixture = try fixture(engine)
        let fetch = fixture.store.fetch(RingValue.self).where(.comparison(.path(FieldPath("next")), .greater, .value(.int(5)))).sorted(by: \.next)
        #expect(try fetch.deadline(.seconds(600)).ids().count == 1_994)
        let late = fetch.deadline(.zero)
        func isLate(_ error: any Error) -> Bool {
            guard case TroveError.deadlineExceeded(let query, .zero) = error else { return false }
            return query.contains("next > 5") && "\(error)".contains("deadline")
        }
        #expect { try late.ids() } throws: { isLate($0) }
        #expect { try late.all() } throws: { isLate($0) }
        #expect { try late.count() } throws: { isLate($0) }
        #expect { try late.page(3) } throws: { isLate($0) }
        #expect { try late.aggregate(.sum(\.next)) } throws: { isLate($0) }
        #expect { try late.select(\.next).all() } throws: { isLate($0) }
        #expect { try fixture.store.write { try $0.fetch(RingValue.self).where(fetch.query.filter).deadline(.zero).delete() } } throws: { isLate($0) }
        // One that is met while the query runs, not before.
        #expect { while true { _ = try fetch.deadline(.microseconds(300)).all() } } throws: { error in
            guard case TroveError.deadlineExceeded = error else { return false }
            return true
        }
    }

    /// A deadline that no clock can tell is none.
    @Test(arguments: Engine.allCases) func aDeadlineBeyondAllTimeIsNone(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        for duration in [Duration(attoseconds: .max), .seconds(Int64.max), .seconds(Int64.max) * 10] {
            let fetch = store.fetch(RingValue.self).deadline(duration)
            #expect(try await fetch.sorted(by: \.next).all().count == 2_000)
            #expect(try await store.fetchRecords(of: ["RingValue"]).deadline(duration).all().count == 2_000)
        }
        for duration in [Duration(attoseconds: .min), .seconds(Int64.min)] {
            await #expect { try await store.fetch(RingValue.self).deadline(duration).all() } throws: {
                if case TroveError.deadlineExceeded(_, duration) = $0 { "\($0)".contains("deadline") } else { false }
            }
        }
    }

    @Test(arguments: Engine.allCases) func asynchronousReadsHaveDeadlinesToo(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let late = fixture.store.fetch(RingValue.self).deadline(.zero)
        func isLate(_ error: any Error) -> Bool {
            guard case TroveError.deadlineExceeded = error else { return false }
            return true
        }
        await #expect { try await late.all() } throws: { isLate($0) }
        await #expect { for try await _ in late.stream() {} } throws: { isLate($0) }
    }

    /// As many reads as there are threads for short ones hold theirs; another read gets one all the same.
    @Test(arguments: Engine.allCases) func slowReadsLeaveOthersAThread(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let slow = try await HeldTransactions(WorkerPool.regularWorkers) { hold in try await store.read { _ in try hold() } }
        for _ in 0..<20 { #expect(try await store.fetch(RingValue.self).count() == 2_000) }
        try await slow.end()
        #expect(try await store.fetch(RingValue.self).count() == 2_000)
    }
}
