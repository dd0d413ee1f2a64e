import TestSupport
import Testing
import TroveTesting

@testable import Trove

/// How the readers of a store's commits begin, fall behind and end.
@Suite struct CommitReaderTests {
    private typealias Scene = CommitScene
    private typealias Item = CommitScene.Item
    private typealias Note = CommitScene.Note

    // MARK: Buffers

    @Test(arguments: Engine.allCases, [1, 3]) func aSlowReaderIsToldWhatItMissed(engine: Engine, limit: Int) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        var slow = store.commits(bufferLimit: limit).makeAsyncIterator()
        var patient = store.commits(bufferLimit: 100).makeAsyncIterator()
        for id in 0..<10 { try await store.save(Item(id: id, count: id)) }
        for id in (10 - limit)..<10 {
            let commit = await slow.next()
            #expect(commit?.missedCommits == (id == 10 - limit ? 10 - limit : 0))
            #expect(try commit?.changes(of: Item.self).inserted == [id])
        }
        for id in 0..<10 { #expect(Scene.lines(await patient.next()) == ["insertion Item(\(id))"]) }
        try await store.save(Item(id: 10, count: 10))
        #expect(Scene.lines(await slow.next()) == ["insertion Item(10)"])
    }

    /// A transaction that began before anybody listened has kept no changes, and may be committed after the listener has read the store.
    @Test(arguments: Engine.allCases, [false, true]) func aCommitThatWasUnderWayIsMissed(engine: Engine, isHeard: Bool) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        var before = isHeard ? store.commits().makeAsyncIterator() : nil
        var during: CommitSequence.Iterator?
        try Scene.write(store) { transaction in
            try transaction.save(Item(id: 1, count: 1))
            during = store.commits().makeAsyncIterator()
        }
        if isHeard { #expect(Scene.lines(await before?.next()) == ["insertion Item(1)"]) }
        #expect(Scene.lines(await during?.next()) == ["missed 1"])
        try await store.save(Item(id: 2, count: 2))
        #expect(Scene.lines(await during?.next()) == ["insertion Item(2)"])
    }

    /// So is one whose outcome nobody knows, where those who listened before are not told of its changes.
    @Test(arguments: Engine.allCases, [false, true]) func aCommitUnderWayWhoseOutcomeIsUnknownIsMissed(engine: Engine, isHeard: Bool) async throws {
        let faults = FaultInjector()
        let fixture = try StoreFixture(engine) {
            try ObjectStore(FaultInjectingBackend($0, faults: faults), durability: .relaxed, models: Item.self, Note.self)
        }
        let store = fixture.store
        let before = isHeard ? try store.commits(of: [Note.self]).makeAsyncIterator() : nil
        var during: CommitSequence.Iterator?
        faults.arm(FaultPlan(.nth(1), at: [.afterCommit], as: .inputOutput))
        #expect(throws: StorageError.self) {
            try Scene.write(store) { transaction in
                try transaction.save(Item(id: 1, count: 1))
                during = store.commits().makeAsyncIterator()
            }
        }
        faults.disarm()
        try Scene.save(Item(id: 2, count: 2), store)
        #expect(Scene.lines(await during?.next()) == ["missed 1", "insertion Item(2)"])
        withExtendedLifetime(before) {}
    }

    private static func deletion(_ id: Int) -> [ObjectChange] {
        [ObjectChange(kind: .deletion, reference: AnyReference(Item.self, id: id), old: nil, new: nil, binding: nil)]
    }

    /// What is missed takes no place from a commit that waits.
    @Test func aNoticeIsNoCommit() async {
        let reader = CommitReader(number: 1, of: nil, limit: 1)
        _ = reader.append(Self.deletion(1))
        _ = reader.appendMissed()
        _ = reader.appendMissed()
        #expect(Scene.lines(await reader.next()) == ["deletion Item(1)"])
        #expect(Scene.lines(await reader.next()) == ["missed 2"])
        _ = reader.append(Self.deletion(2))
        _ = reader.appendMissed()
        _ = reader.append(Self.deletion(3))
        #expect(Scene.lines(await reader.next()) == ["missed 2", "deletion Item(3)"])
    }

    /// Of two tasks that share an iterator, one that takes a commit leaves the other what comes behind it.
    @Test func tasksMayShareAReader() async throws {
        let reader = CommitReader(number: 1, of: nil, limit: 10)
        let (begins, isTold) = (SharedFlag(), SharedFlag())
        let other = Task {
            begins.raise()
            let lines = Scene.lines(await reader.next()) ?? []
            isTold.raise()
            return lines
        }
        try await waitUntil("the other task") { begins.isRaised }
        // So that it waits, as a rule; if not, it takes one at once.
        for _ in 0..<100 { await Task.yield() }
        for id in 1...2 { _ = reader.append(Self.deletion(id)) }
        let own = Scene.lines(await reader.next()) ?? []
        try await waitUntil("what is left") { isTold.isRaised }
        #expect(await Set(own + other.value) == ["deletion Item(1)", "deletion Item(2)"])
    }

    // MARK: Beginning and end

    /// Nothing is taken down for a store that nobody listens to, nor of models that nobody listens to.
    @Test(arguments: Engine.allCases) func nothingIsMadeForNobody(engine: Engine) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        try Scene.write(store) { #expect($0.notes == nil) }
        var notes: CommitSequence.Iterator? = try store.commits(of: [Note.self]).makeAsyncIterator()
        try Scene.write(store) { #expect($0.tells(of: "Note") && !$0.tells(of: "Item")) }
        try await store.save(Note(id: 1))
        #expect(await notes?.next()?.changes.count == 1)
        notes = nil
        #expect(!store.core.audience.hasReaders)
        try Scene.write(store) { #expect($0.notes == nil) }
        #expect(throws: TroveError.self) { try store.commits(of: [Item.self, Stranger.self]) }
    }

    @Model("Stranger") fileprivate struct Stranger {
        let id: Int
    }

    @Test(arguments: Engine.allCases) func closingEndsAllLoopsAfterWhatWasCommitted(engine: Engine) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        let iterators = [store.commits(), store.commits(), try store.commits(of: [Note.self])].map { $0.makeAsyncIterator() }
        try await store.save(Item(id: 1, count: 1))
        try await store.save(Item(id: 2, count: 2))
        try await store.close()
        var counts: [Int] = []
        for var iterator in iterators {
            var count = 0
            while await iterator.next() != nil { count += 1 }
            counts.append(count)
        }
        #expect(counts == [2, 2, 0])
        for await _ in store.commits() { Issue.record("a closed store has no commits") }
    }

    /// A loop that waits does not keep the store, and ends with it.
    @Test func aStoreThatIsLetGoEndsItsLoops() async throws {
        var store: ObjectStore? = try ObjectStore(MemoryBackend(), models: Item.self)
        guard let commits = store?.commits() else { return }
        weak let held = store
        let waits = SharedFlag()
        let loop = Task {
            var iterator = commits.makeAsyncIterator()
            waits.raise()
            return await iterator.next() == nil
        }
        try await waitUntil("the loop") { waits.isRaised }
        store = nil
        #expect(await loop.value)
        #expect(held == nil)
    }

    @Test(arguments: Engine.allCases) func aCancelledLoopEnds(engine: Engine) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        let listens = SharedFlag()
        let loop = Task { [commits = store.commits()] in
            var count = 0
            var iterator = commits.makeAsyncIterator()
            listens.raise()
            while await iterator.next() != nil { count += 1 }
            return count
        }
        try await waitUntil("the loop") { listens.isRaised }
        loop.cancel()
        #expect(await loop.value == 0)
        // Its place among the readers is free when its task has ended.
        try await waitUntil("the end of the loop") { !store.core.audience.hasReaders }
        try await store.save(Item(id: 1, count: 1))
    }

    /// A loop that answers each commit of one model by one of another waits for nobody, and nobody for it.
    @Test(arguments: Engine.allCases) func aLoopMayWrite(engine: Engine) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        var notes = try store.commits(of: [Note.self]).makeAsyncIterator()
        let items = try store.commits(of: [Item.self])
        let listens = SharedFlag()
        let loop = Task {
            var iterator = items.makeAsyncIterator()
            listens.raise()
            while let commit = await iterator.next() {
                for id in try commit.changes(of: Item.self).inserted {
                    if id % 2 == 0 { try await store.save(Note(id: id)) } else { try Scene.write(store) { try $0.save(Note(id: id)) } }
                }
            }
        }
        try await waitUntil("the loop") { listens.isRaised }
        for id in 0..<10 { try await store.save(Item(id: id, count: id)) }
        for id in 0..<10 { #expect(Scene.lines(await notes.next()) == ["insertion Note(\(id))"]) }
        try await store.close()
        try await loop.value
    }

    /// The delegate's own write in `didCommit` comes after the commit that it answers.
    @Test(arguments: Engine.allCases) func aDelegatesWritesComeInLine(engine: Engine) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        let answering = Answering(store)
        store.delegate = answering
        var commits = store.commits().makeAsyncIterator()
        try await store.save(Item(id: 1, count: 1))
        #expect(Scene.lines(await commits.next()) == ["insertion Item(1)"])
        #expect(Scene.lines(await commits.next()) == ["insertion Note(1)"])
        store.delegate = nil
    }

    private final class Answering: StoreDelegate {
        private weak let store: ObjectStore?

        init(_ store: ObjectStore) { self.store = store }

        func didCommit(_ changes: [ObjectChange]) {
            do {
                for change in changes { if let item = try change.new(Item.self) { try store?.save(Note(id: item.id)) } }
            } catch {
                Issue.record(error)
            }
        }
    }
}
