import Foundation
import Synchronization
import TestSupport
import Testing
import TroveBackendKit
import TroveStorage
import TroveTesting

@testable import TestModels
@testable import Trove

@Suite struct IndexBuildingTests {
    private struct Stop: Error {}

    private func states(_ store: ObjectStore) throws -> [String: IndexState] {
        Dictionary(uniqueKeysWithValues: try store.indexStatistics().map { ($0.schema.name, $0.state) })
    }

    private func expectReady(_ store: ObjectStore, _ names: Set<String>) throws {
        #expect(try states(store) == Dictionary(uniqueKeysWithValues: names.map { ($0, .ready) }))
        let report = try store.verify()
        #expect(report.isSound, "\(report.problems)")
        // No keyspace is left of what was dropped.
        let numbers = Set(try store.read { try $0.indexTable.entries.map(\.number) })
        let keyspaces = try store.read { try $0.reader.keyspaceNames().compactMap(IndexCatalogueEntry.number(ofKeyspace:)) }
        #expect(Set(keyspaces).isSubset(of: numbers))
    }

    @Test(arguments: Engine.allCases) func addedToAStoreWithObjects(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPerson.self) }
        try fixture.store.save((0..<500).map(PlainPerson.sample))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try expectReady(fixture.store, ["email", "name"])
        // Nothing is written when it is opened again.
        let directory = try fixture.store.read { try $0.indexTable.directory }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        #expect(try fixture.store.read { try $0.indexTable.directory } == directory)
    }

    @Test(arguments: Engine.allCases) func changedDefinitions(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.save((0..<300).map(Person.sample))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: ChangedPerson.self) }
        try expectReady(fixture.store, ["name", "initial"])
        let numbers = try fixture.store.read { try $0.indexTable.entries.map(\.number) }
        // The ordinary one stays, the derived one is made anew.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: RevisedPerson.self) }
        try expectReady(fixture.store, ["name", "initial"])
        let revised = try fixture.store.read { try $0.indexTable.entries.map(\.number) }
        #expect(Set(numbers).intersection(revised).count == 1)
        // A program that does not name the model leaves them alone.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: RevisedPerson.self) }
        #expect(try fixture.store.read { try $0.indexTable.entries.filter { $0.modelName == "Person" }.map(\.number) } == revised)
    }

    /// Records of an earlier version are read with other values, so the entries are made anew.
    @Test(arguments: Engine.allCases) func laterVersionOfTheModel(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.save((0..<50).map(Person.sample))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LaterPerson.self) }
        try expectReady(fixture.store, ["name"])
        try fixture.store.save(LaterPerson.sample(3))
        try fixture.store.delete(LaterPerson.self, id: 4)
        try expectReady(fixture.store, ["name"])
        try fixture.store.upgrade(LaterPerson.self, batchSize: 7)
        try expectReady(fixture.store, ["name"])
        #expect(try fixture.store.fetch(LaterPerson.self, id: 3)?.name == "name 3")
        #expect(try fixture.store.fetch(LaterPerson.self, id: 5)?.name == "later name 5")
    }

    @Test(arguments: Engine.allCases) func writersGoOnBetweenBatches(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPerson.self) }
        try fixture.store.save((0..<200).map(PlainPerson.sample))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexing: .onRequest, models: Person.self) }
        let store = fixture.store
        #expect(try states(store) == ["email": .building(after: nil), "name": .building(after: nil)])
        #expect(try store.read { try $0.usableIndexes(of: $0.core.binding(for: Person.self)).isEmpty })
        var generator = SeededGenerator(seed: 5)
        var next = 1_000
        var steps = 0
        while try store.core.write(.durable, { try $0.buildIndexes(batchSize: 23) }) != nil {
            steps += 1
            // On both sides of where the build is, and in a savepoint that is undone.
            try store.write { transaction in
                for _ in 0..<8 {
                    let id = Int.random(in: 0..<200, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: try transaction.delete(Person.self, id: id)
                    case 1:
                        next += 1
                        try transaction.save(Person(id: id, email: "new \(next)", name: "new \(next % 4)", team: ""))
                    case 2:
                        next += 1
                        try transaction.save([Person(id: next, email: "new \(next)", name: "", team: ""), Person(id: -next, email: nil, name: "", team: "")])
                    default:
                        do {
                            try transaction.savepoint {
                                _ = try transaction.delete(Person.self, ids: 0..<200)
                                throw Stop()
                            }
                        } catch is Stop {}
                    }
                }
            }
            // A unique index is kept by what it has so far.
            if let first = try store.fetch(Person.self).first(), first.email != nil {
                #expect(throws: TroveError.self) {
                    try store.save(Person(id: 9_999_999, email: first.email, name: "", team: ""))
                }
            }
        }
        #expect(steps > 8)
        try expectReady(store, ["email", "name"])
    }

    @Test(arguments: Engine.allCases) func goesOnWhereItBrokeOff(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPerson.self) }
        try fixture.store.save((0..<100).map(PlainPerson.sample))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexing: .onRequest, models: Person.self) }
        try fixture.store.core.write(.durable) { _ = try $0.buildIndexes(batchSize: 40) }
        let position = try states(fixture.store)
        #expect(position["name"] == .building(after: 39.keyBytes))
        // Another program's changes meanwhile, of a model it does not index, and of a type it does not know.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        #expect(try states(fixture.store)["name"] == position["name"])
        #expect(throws: Stop.self) {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexingProgress: { _ in throw Stop() }, models: Person.self) }
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        #expect(try fixture.store.read { try $0.indexTable.entries.filter { $0.modelName == "Person" }.allSatisfy { $0.state == .ready } })
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func uniqueIndexOfObjectsThatBreakIt(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPerson.self) }
        var people = (0..<50).map(PlainPerson.sample)
        people[40].email = people[10].email
        try fixture.store.save(people)
        #expect {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        } throws: { error in
            guard case TroveError.uniqueViolation("Person", "email", "email = 10@example.org", "40", "10") = error else { return false }
            return true
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexing: .onRequest, models: Person.self) }
        // The others are built all the same.
        #expect(try states(fixture.store) == ["email": .building(after: nil), "name": .ready])
        #expect(throws: TroveError.self) { try fixture.store.buildIndexes() }
        try fixture.store.delete(Person.self, id: 10)
        try fixture.store.buildIndexes()
        try expectReady(fixture.store, ["email", "name"])
    }

    @Test(arguments: Engine.allCases) func rebuilding(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self, Track.self) }
        let store = fixture.store
        try await store.save((0..<80).map(Person.sample))
        var told: [StoreProgress] = []
        try { try store.rebuildIndexes(of: Person.self) { told.append($0) } }()
        #expect(told.last.map { $0.completed == 80 && $0.total == 80 } == true, "\(told)")
        #expect(try await store.verify().isSound)
        try await store.save((80..<1_500).map(Person.sample))
        told = []
        try { try store.rebuildIndexes(of: Person.self) { told.append($0) } }()
        // The removal of the former entries comes last, when all are done.
        #expect(told.prefix(2).map(\.completed) == [1_000, 1_500] && told.dropFirst().allSatisfy { $0.completed == 1_500 }, "\(told)")
        #expect(told.allSatisfy { $0.total == 1_500 }, "\(told)")
        try await store.rebuildIndexes(of: Person.self)
        #expect(try await store.verify().isSound)
        try expectReady(store, ["email", "name", "artist", "year and rating", "serial", "tags", "folded tags", "labels", "by year", "initial"])
    }

    @Test(arguments: Engine.allCases) func inTheBackground(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPerson.self) }
        try await fixture.store.save((0..<20_500).map(PlainPerson.sample))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexing: .inBackground, models: Person.self) }
        for id in 30_000..<30_020 { try await fixture.store.save(Person.sample(id)) }
        try await waitUntil("the indexes") {
            try #require(fixture.store.indexingError == nil)
            return try states(fixture.store).values.allSatisfy { $0 == .ready }
        }
        try expectReady(fixture.store, ["email", "name"])
    }

    /// A building that tries again since the engine is out of reach does not do so for ever.
    @Test(arguments: Engine.allCases) func stoppedWhileTheEngineFails(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPerson.self) }
        try await fixture.store.save((0..<10).map(PlainPerson.sample))
        let faults = FaultInjector()
        try fixture.reopenStore { try ObjectStore(FaultInjectingBackend($0, faults: faults), durability: .relaxed, indexing: .onRequest, models: Person.self) }
        let indexing = BackgroundIndexing()
        indexing.allow(.relaxed)
        faults.arm(FaultPlan(.nth(1), at: [.beginRead], as: .outOfResources, lasts: true))
        indexing.start(fixture.store.core)
        try await waitUntil("another try") { faults.faultCount > 1 }
        indexing.stop()
        let hasEnded = SharedFlag()
        indexing.queue.async { hasEnded.raise() }
        try await waitUntil("the end of the building") { hasEnded.isRaised }
        faults.disarm()
        #expect(indexing.error == nil)
    }

    /// The index was given up before the damaged record was met, and the store could not be opened any more without knowing how.
    @Test(arguments: Engine.allCases) func rebuildingOverADamagedRecordChangesNothing(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.save((0..<50).map(Person.sample))
        try fixture.store.core.write(.durable) { transaction in
            let keyspace = try #require(try transaction.writer.keyspace(named: "Person"))
            var record = try #require(try transaction.writer.value(of: 7.keyBytes, in: keyspace))
            record[record.count - 1] ^= 1
            try transaction.writer.put(7.keyBytes, record, in: keyspace)
        }
        #expect {
            try fixture.store.rebuildIndexes(of: Person.self)
        } throws: { error in
            if case TroveError.corruptRecord("Person", _, _) = error { true } else { false }
        }
        #expect(try states(fixture.store) == ["email": .ready, "name": .ready])
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.delete(Person.self, id: 7)
        try fixture.store.rebuildIndexes(of: Person.self)
        try expectReady(fixture.store, ["email", "name"])
    }

    /// The first thousand records were built together with giving up the index; what came behind them was met without it.
    @Test(arguments: Engine.allCases) func rebuildingWithAFunctionThatThrowsChangesNothing(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: RefusingPerson.self) }
        try fixture.store.save((0...1_000).map { RefusingPerson(id: $0, email: nil, name: "\($0)", team: "") })
        RefusingPerson.$refused.withValue(1_000) {
            #expect(throws: RefusingPerson.Refusal.self) { try fixture.store.rebuildIndexes(of: RefusingPerson.self) }
        }
        #expect(try states(fixture.store) == ["initial": .ready])
        try fixture.store.rebuildIndexes(of: RefusingPerson.self)
        try expectReady(fixture.store, ["initial"])
    }

    /// Indexes that a change could not keep are built anew without anybody asking.
    @Test(arguments: Engine.allCases, [false, true]) func againInTheBackground(engine: Engine, afterAFailedClose: Bool) async throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore(StayingBackend($0, refusals: afterAFailedClose ? 1 : 0), durability: .relaxed, indexing: .inBackground, models: Person.self)
        }
        let store = fixture.store
        try await store.save((0..<50).map(Person.sample))
        if afterAFailedClose {
            // It is open as before, its building too.
            func close() throws { try store.close() }
            #expect { try close() } throws: { if case StorageError.timedOut = $0 { true } else { false } }
            #expect(!store.isClosed)
        }
        try store.core.write(.durable) { transaction in
            let keyspace = try #require(try transaction.writer.keyspace(named: "Person"))
            var record = try #require(try transaction.writer.value(of: 7.keyBytes, in: keyspace))
            record[record.count - 1] ^= 1
            try transaction.writer.put(7.keyBytes, record, in: keyspace)
        }
        let numbers = try await store.read { try $0.indexTable.entries.map(\.number) }
        try await store.delete(Person.self, id: 7)
        try await waitUntil("the indexes") {
            try #require(store.indexingError == nil)
            return try await store.read { try !$0.indexTable.needsWork }
        }
        #expect(try await store.read { try $0.indexTable.entries.map(\.number) } != numbers)
        try expectReady(store, ["email", "name"])
    }

    /// A store that was opened before another one made an index keeps it, or, when it cannot, has it built anew.
    @Test(arguments: Engine.allCases) func indexesThatAnOpenStoreDidNotDeclare(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPerson.self) }
        let older = fixture.store
        try older.save((0..<40).map(PlainPerson.sample))
        let backend = try fixture.engine.open(fixture.directory.file())
        let newer = try ObjectStore(backend, durability: .relaxed, models: Person.self)
        try older.save(PlainPerson.sample(41))
        try older.delete(PlainPerson.self, id: 3)
        #expect(throws: TroveError.self, "the unique index is known") {
            try older.save(PlainPerson(id: 50, email: "5@example.org", name: "", team: ""))
        }
        #expect(try newer.verify().isSound)
        #expect(try states(newer) == ["email": .ready, "name": .ready])
        try newer.close()
        // A derived value's function is in the other program only.
        let derived = try ObjectStore(fixture.engine.open(fixture.directory.file()), models: ChangedPerson.self)
        #expect(try states(derived) == ["initial": .ready, "name": .ready])
        try older.save(PlainPerson.sample(60))
        #expect(try derived.indexStatistics().first { $0.schema.name == "initial" && $0.state != .dropping }?.state == .building(after: nil))
        #expect(try derived.read { try $0.usableIndexes(of: $0.core.binding(for: ChangedPerson.self)).map(\.schema.name) } == ["name"])
        try derived.buildIndexes()
        try expectReady(derived, ["initial", "name"])
        try derived.close()
    }

    /// Changes of records whose model the program does not have are in the indexes at once.
    @Test(arguments: Engine.allCases) func dynamicChanges(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.save((0..<20).map(Person.sample))
        func rename(_ store: ObjectStore) throws {
            try store.write { transaction in
                var record = try #require(try transaction.storedRecord(of: "Person", key: 7.keyBytes))
                try record.set("name", to: .string("other"))
                try transaction.save(record)
                try transaction.deleteStoredRecord(of: "Person", key: 8.keyBytes)
            }
        }
        try rename(fixture.store)
        try expectReady(fixture.store, ["email", "name"])
        try fixture.reopenStore { try ObjectStore($0) }
        try rename(fixture.store)
        #expect(try fixture.store.indexStatistics().filter { $0.state != .dropping }.allSatisfy { $0.state == .ready })
        #expect(try fixture.store.verify().isSound)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try expectReady(fixture.store, ["email", "name"])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func copies(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.save((0..<100).map(Person.sample))
        let target = MemoryBackend(name: UUID().uuidString)
        try fixture.store.copy(to: target)
        let copy = try ObjectStore(target, models: Person.self)
        try expectReady(copy, ["email", "name"])
        try copy.close()
    }
}

/// An engine that cannot be closed the first times.
private final class StayingBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let refusals: Atomic<Int>

    init(_ backend: any StorageBackend, refusals: Int) {
        wrappedBackend = backend
        self.refusals = Atomic(refusals)
    }

    func close() throws {
        if refusals.load(ordering: .relaxed) > 0 {
            refusals.subtract(1, ordering: .relaxed)
            throw StorageError.timedOut(.init(engine: "test", path: path, message: "a transaction took too long"))
        }
        try wrappedBackend.close()
    }
}
