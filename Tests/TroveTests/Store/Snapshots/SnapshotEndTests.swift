import Dispatch
import TestSupport
import Testing
import TroveTesting

@testable import TestModels
@testable import Trove

/// How snapshots end, and what they are in the way of.
@Suite struct SnapshotEndTests {
    private func isClosed(_ error: any Error) -> Bool {
        guard case TroveError.snapshotClosed = error else { return false }
        return "\(error)".contains("store.snapshot()")
    }

    private func areOpen(_ error: any Error, _ expected: Int) -> Bool {
        guard case TroveError.snapshotsOpen(_, let count) = error else { return false }
        return count == expected && "\(error)".contains("close()")
    }

    private func readers(_ store: ObjectStore) throws -> Int { try store.statistics().activeReaders }

    @Test(arguments: Engine.keepingSnapshots) func closing(engine: Engine) async throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let before = try await store.statistics().activeReaders
        let snapshot = try await store.snapshot()
        let during = try await store.statistics()
        #expect(during.activeReaders == before + 1 && during.oldestReaderAge != nil)
        #expect(!snapshot.isClosed)
        let fetch = snapshot.fetch(Song.self)
        snapshot.close()
        snapshot.close()
        #expect(snapshot.isClosed)
        #expect(try await store.statistics().activeReaders == before)
        #expect { try Self.count(fetch) } throws: { isClosed($0) }
        await #expect { try await fetch.count() } throws: { isClosed($0) }
        await #expect { for try await _ in fetch.stream() {} } throws: { isClosed($0) }
        #expect(try await store.fetch(Song.self).count() == 100)
    }

    private static func count(_ fetch: Fetch<Song, StoreSnapshot>) throws -> Int { try fetch.count() }

    /// The last reference may be one of a query or of a stream.
    @Test(arguments: Engine.keepingSnapshots) func theLastReference(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let before = try readers(store)
        var snapshot: StoreSnapshot? = try store.snapshot()
        var fetch = snapshot?.fetch(Song.self)
        snapshot = nil
        #expect(try fetch?.count() == 100)
        #expect(try readers(store) == before + 1)
        fetch = nil
        #expect(try readers(store) == before)
        try store.compact()
    }

    /// A closure that runs goes on; nobody else comes in.
    @Test(arguments: Engine.keepingSnapshots) func closingInsideOfARead(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let before = try readers(store)
        let snapshot = try store.snapshot()
        let count = try snapshot.read { transaction in
            snapshot.close()
            #expect { try snapshot.fetch(Song.self).count() } throws: { isClosed($0) }
            #expect { try store.compact() } throws: { areOpen($0, 1) }
            return try transaction.fetch(Song.self).count()
        }
        #expect(count == 100)
        try blockUntil("the end of the read") { try readers(store) == before }
        try store.compact()
    }

    /// The store does not wait for snapshots, but for what reads them.
    @Test(arguments: Engine.keepingSnapshots) func closingTheStore(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let (first, second) = (try store.snapshot(), try store.snapshot())
        let count = try first.read { transaction in
            #expect { try store.close() } throws: { if case StorageError.closeInsideTransaction = $0 { true } else { false } }
            return try transaction.fetch(Song.self).count()
        }
        #expect(count == 100)
        // What is refused ends nothing.
        let refusals: [() throws -> Void] = [{ try store.read { _ in try store.close() } }, { try store.write { _ in try store.close() } }]
        for refused in refusals {
            #expect { try refused() } throws: { if case StorageError.closeInsideTransaction = $0 { true } else { false } }
        }
        #expect(!first.isClosed && !second.isClosed)
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reading = DispatchQueue(label: "reading")
        nonisolated(unsafe) var counted: Int?
        reading.async {
            counted = try? second.read { transaction in
                begun.signal()
                try mayEnd.waitPatiently()
                return try transaction.fetch(Song.self).count()
            }
        }
        try begun.waitPatiently()
        let closed = SharedFlag()
        let closing = DispatchQueue(label: "closing")
        closing.async {
            do { try store.close() } catch { Issue.record(error) }
            closed.raise()
        }
        try blockUntil("the snapshots to be closed") { first.isClosed && second.isClosed }
        #expect(!closed.isRaised)
        mayEnd.signal()
        reading.sync {}
        closing.sync {}
        #expect(counted == 100)
        #expect { try first.fetch(Song.self).count() } throws: { isClosed($0) }
        #expect { try store.snapshot() } throws: { if case StorageError.closed = $0 { true } else { false } }
        try store.close()
    }

    /// What waits for all reads is refused, and works when the snapshot is gone.
    @Test(arguments: Engine.keepingSnapshots) func compacting(engine: Engine) async throws {
        let (fixture, songs) = try StoreFixture.ofSongs(engine, count: 1_000)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let (first, second) = (try await store.snapshot(), try await store.snapshot())
        await #expect { try await store.compact() } throws: { areOpen($0, 2) }
        try await store.deleteAll(Song.self)
        first.close()
        await #expect { try await store.compact() } throws: { areOpen($0, 1) }
        #expect(try await second.fetch(Song.self).all() == songs)
        if engine != .memory {
            try await store.backUp(to: fixture.directory.file("backup"))
            #expect(try await second.fetch(Song.self).count() == 1_000)
        }
        second.close()
        try await store.compact()
        #expect(try await store.fetch(Song.self).count() == 0)
    }

    /// One that is wanted while the engine waits for all reads is refused, as waiting could be for ever.
    @Test(arguments: Engine.keepingSnapshots) func besideACompaction(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = CompactingBackend(try engine.open(directory.file()))
        let store = try ObjectStore(backend, models: Song.self)
        let refused = SharedFlag()
        backend.duringCompaction {
            do { _ = try store.snapshot() } catch let error as StorageError {
                if case .conflict(let details) = error, error.isRetryable, details.engine == store.capabilities.engine { refused.raise() }
            } catch {}
        }
        try store.compact()
        #expect(refused.isRaised)
        #expect(try store.snapshot().fetch(Song.self).count() == 0)
        try store.close()
    }

    /// The engine of two stores waits for the reads of both.
    @Test(arguments: Engine.keepingSnapshots) func anotherStoreOnTheFile(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let other = try ObjectStore(engine.open(fixture.directory.file()), models: Song.self)
        let (own, others) = (try fixture.store.snapshot(), try other.snapshot())
        #expect { try other.compact() } throws: { areOpen($0, 2) }
        #expect { try other.close() } throws: { areOpen($0, 1) }
        #expect(!own.isClosed && !others.isClosed && !other.isClosed)
        #expect(try others.fetch(Song.self).count() == 100)
        own.close()
        try other.close()
        #expect(others.isClosed)
        let again = try fixture.store.snapshot()
        try other.close()
        #expect(try again.fetch(Song.self).count() == 100)
    }

    @Test func engineWithoutSnapshots() async throws {
        let (fixture, _) = try StoreFixture.ofSongs(.tokyoCabinet)
        defer { withExtendedLifetime(fixture) {} }
        #expect(fixture.store.capabilities.maxSnapshots == 0)
        await #expect { try await fixture.store.snapshot() } throws: { error in
            guard case StorageError.unsupported(let details) = error else { return false }
            return details.engine == "Tokyo Cabinet" && details.path == fixture.store.path && details.message.contains("store.read")
        }
        try await fixture.store.compact()
    }

    @Test(arguments: Engine.keepingSnapshots) func thereIsALimit(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try ObjectStore(LimitedSnapshotBackend(engine.open(directory.file()), limit: 3), models: Song.self)
        var snapshots = try (0..<3).map { _ in try store.snapshot() }
        #expect { try store.snapshot() } throws: { error in
            guard case TroveError.tooManySnapshots(_, 3) = error else { return false }
            return "\(error)".contains("maxReaders")
        }
        snapshots.removeFirst()
        snapshots.append(try store.snapshot())
        try store.close()
        #expect(snapshots.allSatisfy { $0.isClosed })
    }

    /// As many as an engine says leave room for reads and writes, each with a state of its own.
    @Test(arguments: Engine.keepingSnapshots) func asManyAsTheEngineKeeps(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine, count: 0)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let count = min(store.capabilities.maxSnapshots, 40)
        #expect(count >= 8)
        let snapshots = try (0..<count).map { number in
            try store.save(Song.sample(number))
            return try store.snapshot()
        }
        for (number, snapshot) in snapshots.enumerated() { #expect(try snapshot.fetch(Song.self).count() == number + 1) }
        #expect(try store.fetch(Song.self).count() == count)
    }

    @Test(arguments: Engine.keepingSnapshots) func oneThatCannotBegin(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let faults = FaultInjector()
        let store = try ObjectStore(FaultInjectingBackend(engine.open(directory.file()), faults: faults), models: Song.self)
        faults.arm(FaultPlan(.nth(1), at: [.beginRead]))
        #expect { try store.snapshot() } throws: { if case StorageError.inputOutput = $0 { true } else { false } }
        faults.disarm()
        let snapshot = try store.snapshot()
        #expect(try snapshot.fetch(Song.self).count() == 0)
        snapshot.close()
        try store.compact()
        try store.close()
    }

    /// A task that waits for its turn is cancelled; the read before it goes on.
    @Test(arguments: Engine.keepingSnapshots) func cancellation(engine: Engine) async throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let snapshot = try await fixture.store.snapshot()
        let held = try await HeldTransactions { hold in try await snapshot.read { _ in try hold() } }
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { try Self.count(snapshot.fetch(Song.self)) }
        }
        await #expect(throws: CancellationError.self) { try await waiting.value.get() }
        let queued = Task { try await snapshot.fetch(Song.self).count() }
        queued.cancel()
        await #expect(throws: CancellationError.self) { try await queued.value }
        // Other reads of the store do not wait for it.
        #expect(try await fixture.store.fetch(Song.self).count() == 100)
        try await held.end()
        #expect(try await snapshot.fetch(Song.self).count() == 100)
    }

    /// LMDB may not wait for all reads then: its own tests have what it does instead.
    @Test(arguments: Engine.keepingSnapshots) func theEngineLearnsOfThem(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = ToldBackend(try engine.open(directory.file()))
        let store = try ObjectStore(backend, models: Song.self)
        let (first, second) = (try store.snapshot(), try store.snapshot())
        #expect(backend.told.heldReads.count == 2)
        first.close()
        #expect(backend.told.heldReads.count == 1)
        try store.close()
        #expect(second.isClosed)
        try blockUntil("the end of the second") { backend.told.heldReads.count == 0 }
    }

    /// Who reads again and again leaves room for those who wait.
    @Test(arguments: Engine.keepingSnapshots) func turnsAreInOrder(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine, count: 1)
        defer { withExtendedLifetime(fixture) {} }
        let snapshot = try fixture.store.snapshot()
        let waiting = DispatchQueue(label: "waiting", attributes: .concurrent)
        nonisolated(unsafe) var order: [Int] = []
        try snapshot.read { _ in
            for number in 1...3 {
                // The turn is the lock of the list.
                waiting.async { do { try snapshot.read { _ in order.append(number) } } catch { Issue.record(error) } }
                try blockUntil("thread \(number) to wait") { snapshot.held.waitingCount == number }
            }
        }
        try snapshot.read { _ in order.append(4) }
        #expect(order == [1, 2, 3, 4])
        waiting.sync(flags: .barrier) {}
    }

    /// A store that is closed while one begins.
    @Test(arguments: Engine.keepingSnapshots) func closingBeforeItHasBegun(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine, count: 1)
        let before = try readers(fixture.store)
        let held = HeldRead(fixture.store.core, among: fixture.store.core.snapshots)
        held.endSoon()
        #expect { try held.begin() } throws: { isClosed($0) }
        held.end()
        #expect(try readers(fixture.store) == before)
    }
}
