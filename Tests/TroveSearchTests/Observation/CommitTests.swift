import TestSupport
import Testing
import TroveTesting

@testable import Trove

/// What the stream of a store's commits tells, and in which order.
@Suite struct CommitTests {
    private typealias Scene = CommitScene
    private typealias Item = CommitScene.Item
    private typealias Note = CommitScene.Note
    private typealias TakenBack = CommitScene.TakenBack

    // MARK: What is told

    @Test(arguments: Engine.allCases) func eachCommitIsToldWithItsChanges(engine: Engine) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        try await store.save(Item(id: 9, count: 9))
        var all = store.commits().makeAsyncIterator()
        var items = try store.commits(of: [Item.self]).makeAsyncIterator()
        try await store.save(Item(id: 1, count: 1))
        try await store.save(Note(id: 1))
        try Scene.write(store) { transaction in
            try transaction.save([Item(id: 2, count: 2), Item(id: 3, count: 3)])
            try transaction.save(Note(id: 2))
            try transaction.delete(Item.self, id: 1)
        }
        // Nothing is changed by these.
        try Scene.write(store) { _ in }
        try await store.delete(Item.self, id: 77)
        try await store.fetch(Item.self).where { $0.count > 2 }.update(\.count, adding: 1)
        try await store.deleteAll(Item.self)
        let expected = [
            ["insertion Item(1)"], ["insertion Note(1)"], ["insertion Item(2)", "insertion Item(3)", "insertion Note(2)", "deletion Item(1)"],
            ["update Item(3)", "update Item(9)"], ["deletion Item(2)", "deletion Item(3)", "deletion Item(9)"],
        ]
        for lines in expected { #expect(Scene.lines(await all.next()) == lines) }
        for lines in expected {
            let own = lines.filter { $0.contains("Item") }
            if !own.isEmpty { #expect(Scene.lines(await items.next()) == own) }
        }
        try await store.close()
        #expect(await all.next() == nil)
        #expect(await items.next() == nil)
    }

    /// The ids by what became of the objects in the end, compared with the store before and after.
    @Test(arguments: Engine.allCases, [UInt64(1), 2, 3]) func theIDsAreTheDifferenceOfTheStates(engine: Engine, seed: UInt64) async throws {
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        var random = SeededGenerator(seed: seed)
        var commits = try store.commits(of: [Item.self]).makeAsyncIterator()
        for _ in 0..<20 {
            let before = Set(try await store.fetch(Item.self).ids())
            let steps = (0..<Int.random(in: 1...12, using: &random)).map { _ in (Int.random(in: 0..<8, using: &random), Bool.random(using: &random)) }
            try Scene.write(store) { transaction in
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
        let fixture = try Scene.fixture(engine)
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
        let fixture = try Scene.fixture(engine)
        let store = fixture.store
        var commits = store.commits().makeAsyncIterator()
        try Scene.takingBack {
            try Scene.write(store) { transaction in
                try transaction.save(Item(id: 1, count: 1))
                throw TakenBack()
            }
        }
        try Scene.write(store) { transaction in
            try transaction.save(Item(id: 2, count: 2))
            try Scene.takingBack {
                try transaction.savepoint {
                    try transaction.save(Item(id: 3, count: 3))
                    try transaction.savepoint { try transaction.save(Item(id: 4, count: 4)) }
                    throw TakenBack()
                }
            }
            try transaction.savepoint {
                try transaction.save(Item(id: 5, count: 5))
                try Scene.takingBack {
                    try transaction.savepoint {
                        try transaction.save(Item(id: 6, count: 6))
                        throw TakenBack()
                    }
                }
            }
        }
        try Scene.takingBack {
            try Scene.write(store) { transaction in
                try transaction.savepoint { try transaction.save(Item(id: 7, count: 7)) }
                throw TakenBack()
            }
        }
        try await store.save(Item(id: 8, count: 8))
        #expect(Scene.lines(await commits.next()) == ["insertion Item(2)", "insertion Item(5)"])
        #expect(Scene.lines(await commits.next()) == ["insertion Item(8)"])
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
            #expect(throws: StorageError.self) { try Scene.save(Item(id: id, count: 1), store) }
            faults.disarm()
            if id == 1 {
                try Scene.save(Item(id: 10, count: 1), store)
                #expect(Scene.lines(await commits.next()) == ["insertion Item(10)"])
            } else {
                #expect(Scene.lines(await commits.next()) == ["missed 1"])
            }
        }
        try Scene.save(Item(id: 4, count: 1), store)
        #expect(Scene.lines(await commits.next()) == ["insertion Item(4)"])
    }

    // MARK: Order

    /// Each writer counts one number up, so that the commits in their order have the numbers in theirs. Some writes fail.
    @Test(arguments: Engine.allCases, [false, true]) func theOrderIsThatOfTheCommits(engine: Engine, waits: Bool) async throws {
        let fixture = try Scene.fixture(engine)
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
                            if waits { try await store.write(.relaxed, count) } else { try Scene.write(store, count) }
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
        #expect(Scene.lines(await registration.reader.next()) == ["deletion Item(1)"])
        audience.end(second, .failed)
        #expect(Scene.lines(await registration.reader.next()) == ["deletion Item(3)"])
        #expect(await registration.reader.next() == nil)
        #expect(await CommitRegistration(in: audience, of: nil, limit: 10).reader.next() == nil)
    }

    /// A run that the engine takes back gives its turn up, and the next one has another.
    @Test(arguments: Engine.allCases) func anEngineMayRunAWriteAgain(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore(RetryingBackend($0), durability: .relaxed, models: Item.self, Note.self) }
        let store = fixture.store
        var commits = store.commits().makeAsyncIterator()
        for id in 0..<3 { try Scene.save(Item(id: id, count: id), store) }
        for id in 0..<3 { #expect(Scene.lines(await commits.next()) == ["insertion Item(\(id))"]) }
        try await store.close()
        #expect(await commits.next() == nil)
    }
}
