import TestSupport
import Testing
import TroveTesting

@testable import Trove

/// The commits of a store as a stream.
@Suite struct CommitTests {
    @Model("Item") fileprivate struct Item: Equatable {
        let id: Int
        @Attribute(.indexed) var count: Int
    }

    @Model("Note") fileprivate struct Note: Equatable {
        let id: Int
        var text = ""
    }

    private struct TakenBack: Error {}

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self, Note.self) }
    }

    /// What a commit changed, in words.
    private static func lines(_ commit: StoreCommit?) -> [String]? {
        commit.map { commit in
            (commit.missedCommits > 0 ? ["missed \(commit.missedCommits)"] : []) + commit.changes.map(line)
        }
    }

    private static func line(_ change: ObjectChange) -> String {
        do {
            return "\(change.kind) \(change.reference.modelName)(\(try Int(keyBytes: change.reference.keyBytes)))"
        } catch {
            return "\(error)"
        }
    }

    /// The synchronous forms, in functions that are not asynchronous.
    private static func save(_ item: Item, _ store: ObjectStore) throws { try store.save(item) }

    private static func write(_ store: ObjectStore, _ body: (WriteTransaction) throws -> Void) throws { try store.write { try body($0) } }

    // MARK: What is told

    @Test(arguments: Engine.allCases) func eachCommitIsToldWithItsChanges(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        try await store.save(Item(id: 9, count: 9))
        var all = store.commits().makeAsyncIterator()
        var items = try store.commits(of: [Item.self]).makeAsyncIterator()
        try await store.save(Item(id: 1, count: 1))
        try await store.save(Note(id: 1))
        try Self.write(store) { transaction in
            try transaction.save([Item(id: 2, count: 2), Item(id: 3, count: 3)])
            try transaction.save(Note(id: 2))
            try transaction.delete(Item.self, id: 1)
        }
        // Nothing is changed by these.
        try Self.write(store) { _ in }
        try await store.delete(Item.self, id: 77)
        try await store.fetch(Item.self).where { $0.count > 2 }.update(\.count, adding: 1)
        try await store.deleteAll(Item.self)
        let expected = [
            ["insertion Item(1)"], ["insertion Note(1)"], ["insertion Item(2)", "insertion Item(3)", "insertion Note(2)", "deletion Item(1)"],
            ["update Item(3)", "update Item(9)"], ["deletion Item(2)", "deletion Item(3)", "deletion Item(9)"],
        ]
        for lines in expected { #expect(Self.lines(await all.next()) == lines) }
        for lines in expected {
            let own = lines.filter { $0.contains("Item") }
            if !own.isEmpty { #expect(Self.lines(await items.next()) == own) }
        }
        try await store.close()
        #expect(await all.next() == nil)
        #expect(await items.next() == nil)
    }

    /// The ids by what became of the objects in the end, compared with the store before and after.
    @Test(arguments: Engine.allCases, [UInt64(1), 2, 3]) func theIDsAreTheDifferenceOfTheStates(engine: Engine, seed: UInt64) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        var random = SeededGenerator(seed: seed)
        var commits = try store.commits(of: [Item.self]).makeAsyncIterator()
        for _ in 0..<20 {
            let before = Set(try await store.fetch(Item.self).ids())
            let steps = (0..<Int.random(in: 1...12, using: &random)).map { _ in (Int.random(in: 0..<8, using: &random), Bool.random(using: &random)) }
            try Self.write(store) { transaction in
                for (id, saves) in steps {
                    if saves { try transaction.save(Item(id: id, count: id)) } else { try transaction.delete(Item.self, id: id) }
                }
            }
            let touched = Set(steps.filter(\.1).map(\.0))
            let after = Set(try await store.fetch(Item.self).ids())
            if touched.isEmpty, before == after { continue }
            let commit = try #require(await commits.next())
            let ids = try commit.changes(of: Item.self)
            #expect(Set(ids.inserted) == after.subtracting(before))
            #expect(Set(ids.deleted) == before.subtracting(after))
            #expect(Set(ids.updated) == touched.intersection(before).intersection(after))
            #expect(ids.inserted.count + ids.updated.count + ids.deleted.count == Set(ids.inserted + ids.updated + ids.deleted).count)
            #expect(try commit.changes(of: Note.self).inserted == [])
        }
    }

    @Test(arguments: Engine.allCases) func theObjectsBeforeAndAfterAreThere(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        try await store.save(Item(id: 1, count: 1))
        var commits = store.commits().makeAsyncIterator()
        try await store.save(Item(id: 1, count: 2))
        try await store.delete(Item.self, id: 1)
        let first = try #require(await commits.next()?.changes.first)
        #expect(try first.old(Item.self)?.count == 1)
        #expect(try first.new(Item.self)?.count == 2)
        let second = try #require(await commits.next()?.changes.first)
        #expect(try second.old(Item.self)?.count == 2)
        #expect(try second.new(Item.self) == nil)
    }

    @Test(arguments: Engine.allCases) func whatIsTakenBackIsNotTold(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        var commits = store.commits().makeAsyncIterator()
        #expect(throws: TakenBack.self) {
            try Self.write(store) { transaction in
                try transaction.save(Item(id: 1, count: 1))
                throw TakenBack()
            }
        }
        try Self.write(store) { transaction in
            try transaction.save(Item(id: 2, count: 2))
            #expect(throws: TakenBack.self) {
                try transaction.savepoint {
                    try transaction.save(Item(id: 3, count: 3))
                    try transaction.savepoint { try transaction.save(Item(id: 4, count: 4)) }
                    throw TakenBack()
                }
            }
            try transaction.savepoint {
                try transaction.save(Item(id: 5, count: 5))
                #expect(throws: TakenBack.self) {
                    try transaction.savepoint {
                        try transaction.save(Item(id: 6, count: 6))
                        throw TakenBack()
                    }
                }
            }
        }
        #expect(throws: TakenBack.self) {
            try Self.write(store) { transaction in
                try transaction.savepoint { try transaction.save(Item(id: 7, count: 7)) }
                throw TakenBack()
            }
        }
        try await store.save(Item(id: 8, count: 8))
        #expect(Self.lines(await commits.next()) == ["insertion Item(2)", "insertion Item(5)"])
        #expect(Self.lines(await commits.next()) == ["insertion Item(8)"])
    }

    /// A commit that the engine refuses is not told; where nobody knows its outcome, it is missed.
    @Test(arguments: Engine.allCases) func failedCommits(engine: Engine) async throws {
        let faults = FaultInjector()
        let fixture = try StoreFixture(engine) {
            try ObjectStore(FaultInjectingBackend($0, faults: faults), durability: .relaxed, models: Item.self, Note.self)
        }
        let store = fixture.store
        var commits = store.commits().makeAsyncIterator()
        for (id, point, kind) in [(1, FaultPoint.beforeCommit, FaultKind.diskFull), (2, .beforeCommit, .inputOutput), (3, .afterCommit, .inputOutput)] {
            faults.arm(FaultPlan(.nth(1), at: [point], as: kind))
            #expect(throws: StorageError.self) { try Self.save(Item(id: id, count: 1), store) }
            faults.disarm()
            if id == 1 {
                try Self.save(Item(id: 10, count: 1), store)
                #expect(Self.lines(await commits.next()) == ["insertion Item(10)"])
            } else {
                #expect(Self.lines(await commits.next()) == ["missed 1"])
            }
        }
        try Self.save(Item(id: 4, count: 1), store)
        #expect(Self.lines(await commits.next()) == ["insertion Item(4)"])
    }

    // MARK: Order

    /// Each writer counts one number up, so that the commits in their order have the numbers in theirs. Some writes fail.
    @Test(arguments: Engine.allCases, [false, true]) func theOrderIsThatOfTheCommits(engine: Engine, waits: Bool) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        try await store.save(Item(id: 1, count: 0))
        var iterators = (0..<3).map { _ in store.commits(bufferLimit: 1_000).makeAsyncIterator() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for step in 0..<25 {
                        let count: @Sendable (WriteTransaction) throws -> Void = { transaction in
                            let count = try transaction.fetch(Item.self, id: 1)?.count ?? 0
                            try transaction.save(Item(id: 1, count: count + 1))
                            if step % 10 == writer { throw TakenBack() }
                        }
                        do {
                            if waits { try await store.write(.relaxed, count) } else { try Self.write(store, count) }
                        } catch is TakenBack {}
                    }
                }
            }
            try await group.waitForAll()
        }
        let last = try #require(try await store.fetch(Item.self, id: 1)?.count)
        for position in iterators.indices {
            var counts: [Int] = []
            while counts.last != last {
                let commit = try #require(await iterators[position].next())
                #expect(commit.missedCommits == 0)
                counts += try commit.changes.compactMap { try $0.new(Item.self)?.count }
            }
            #expect(counts == Array(1...last))
        }
    }

    /// Turns are told in their order, whenever the threads come to it; one that failed keeps nobody waiting.
    @Test func aTurnWaitsForThoseBeforeIt() async throws {
        let audience = StoreAudience()
        let registration = CommitRegistration(in: audience, of: nil, limit: 10)
        let (first, second, third) = (audience.takeTurn(), audience.takeTurn(), audience.takeTurn())
        func changes(_ id: Int) -> CommitTurns.Outcome {
            let change = ObjectChange(kind: .deletion, reference: AnyReference(Item.self, id: id), old: nil, new: nil, binding: nil)
            return .committed([(registration.reader, [change])], lastReader: 1)
        }
        audience.end(third, changes(3))
        // The store is closed meanwhile: what was committed is told first.
        audience.end()
        audience.end(first, changes(1))
        #expect(Self.lines(await registration.reader.next()) == ["deletion Item(1)"])
        audience.end(second, .failed)
        #expect(Self.lines(await registration.reader.next()) == ["deletion Item(3)"])
        #expect(await registration.reader.next() == nil)
        #expect(await CommitRegistration(in: audience, of: nil, limit: 10).reader.next() == nil)
    }

    // MARK: Buffers

    @Test(arguments: Engine.allCases, [1, 3]) func aSlowReaderIsToldWhatItMissed(engine: Engine, limit: Int) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        var slow = store.commits(bufferLimit: limit).makeAsyncIterator()
        var patient = store.commits(bufferLimit: 100).makeAsyncIterator()
        for id in 0..<10 { try await store.save(Item(id: id, count: id)) }
        for id in (10 - limit)..<10 {
            let commit = await slow.next()
            #expect(commit?.missedCommits == (id == 10 - limit ? 10 - limit : 0))
            #expect(try commit?.changes(of: Item.self).inserted == [id])
        }
        for id in 0..<10 { #expect(Self.lines(await patient.next()) == ["insertion Item(\(id))"]) }
        try await store.save(Item(id: 10, count: 10))
        #expect(Self.lines(await slow.next()) == ["insertion Item(10)"])
    }

    /// A transaction that began before anybody listened has kept no changes, and may be committed after the listener has read the store.
    @Test(arguments: Engine.allCases, [false, true]) func aCommitThatWasUnderWayIsMissed(engine: Engine, isHeard: Bool) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        var before = isHeard ? store.commits().makeAsyncIterator() : nil
        var during: CommitSequence.Iterator?
        try Self.write(store) { transaction in
            try transaction.save(Item(id: 1, count: 1))
            during = store.commits().makeAsyncIterator()
        }
        if isHeard { #expect(Self.lines(await before?.next()) == ["insertion Item(1)"]) }
        #expect(Self.lines(await during?.next()) == ["missed 1"])
        try await store.save(Item(id: 2, count: 2))
        #expect(Self.lines(await during?.next()) == ["insertion Item(2)"])
    }

    // MARK: Beginning and end

    /// Nothing is taken down for a store that nobody listens to, nor of models that nobody listens to.
    @Test(arguments: Engine.allCases) func nothingIsMadeForNobody(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        try Self.write(store) { #expect($0.notes == nil) }
        var notes: CommitSequence.Iterator? = try store.commits(of: [Note.self]).makeAsyncIterator()
        try Self.write(store) { #expect($0.tells(of: "Note") && !$0.tells(of: "Item")) }
        try await store.save(Note(id: 1))
        #expect(await notes?.next()?.changes.count == 1)
        notes = nil
        #expect(!store.core.audience.hasReaders)
        try Self.write(store) { #expect($0.notes == nil) }
        #expect(throws: TroveError.self) { try store.commits(of: [Item.self, CommitTests.Stranger.self]) }
    }

    @Model("Stranger") fileprivate struct Stranger {
        let id: Int
    }

    @Test(arguments: Engine.allCases) func closingEndsAllLoopsAfterWhatWasCommitted(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
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
        let commits = try #require(store?.commits())
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
        let fixture = try Self.fixture(engine)
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
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        var notes = try store.commits(of: [Note.self]).makeAsyncIterator()
        let items = try store.commits(of: [Item.self])
        let listens = SharedFlag()
        let loop = Task {
            var iterator = items.makeAsyncIterator()
            listens.raise()
            while let commit = await iterator.next() {
                for id in try commit.changes(of: Item.self).inserted {
                    if id % 2 == 0 { try await store.save(Note(id: id)) } else { try Self.write(store) { try $0.save(Note(id: id)) } }
                }
            }
        }
        try await waitUntil("the loop") { listens.isRaised }
        for id in 0..<10 { try await store.save(Item(id: id, count: id)) }
        for id in 0..<10 { #expect(Self.lines(await notes.next()) == ["insertion Note(\(id))"]) }
        try await store.close()
        try await loop.value
    }

    /// The delegate's own write in `didCommit` comes after the commit that it answers.
    @Test(arguments: Engine.allCases) func aDelegatesWritesComeInLine(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let answering = Answering(store)
        store.delegate = answering
        var commits = store.commits().makeAsyncIterator()
        try await store.save(Item(id: 1, count: 1))
        #expect(Self.lines(await commits.next()) == ["insertion Item(1)"])
        #expect(Self.lines(await commits.next()) == ["insertion Note(1)"])
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
