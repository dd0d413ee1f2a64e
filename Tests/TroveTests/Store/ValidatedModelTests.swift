import Foundation
import Synchronization
import TestSupport
import Testing
import Trove

/// Objects that judge themselves before they are stored, whatever stores them.
@Suite struct ValidatedModelTests {
    fileprivate struct Invalid: Error, Equatable { let id: Int }

    @Model("Shift") fileprivate struct Shift: ValidatedModel, Equatable {
        let id: Int
        @Attribute(.indexed) var hours: Int
        @Attribute(.unique) var code: Int
        @Attribute(.writeOnce) var site: String?

        func validate() throws {
            guard (1...24).contains(hours), site != "nowhere" else { throw Invalid(id: id) }
        }
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Shift.self) }
        try fixture.store.save(first)
        return fixture
    }

    private static let first = [Shift(id: 1, hours: 8, code: 1), Shift(id: 2, hours: 24, code: 2)]

    private static func shifts(_ store: ObjectStore) throws -> [Shift] { try store.fetch(Shift.self).sorted(by: \.id).all() }

    /// Every way to store an object that refuses itself, with its id.
    private static let ways: [(name: String, id: Int, body: @Sendable (ObjectStore) throws -> Void)] = [
        ("save over another", 1, { try $0.save(Shift(id: 1, hours: 0, code: 1)) }),
        ("save a new one", 3, { try $0.save(Shift(id: 3, hours: 25, code: 3)) }),
        ("save several", 4, { try $0.save([Shift(id: 3, hours: 1, code: 3), Shift(id: 4, hours: .min, code: 4), Shift(id: 5, hours: 1, code: 5)]) }),
        ("insert", 3, { try $0.insert(Shift(id: 3, hours: .max, code: 3)) }),
        ("insert several", 4, { try $0.insert([Shift(id: 3, hours: 1, code: 3), Shift(id: 4, hours: 0, code: 4)]) }),
        ("upsert", 2, { try $0.upsert(Shift(id: 2, hours: 0, code: 2)) }),
        ("update by closure", 2, { try $0.fetch(Shift.self).where { $0.hours == 24 }.update { $0.hours += 1 } }),
        ("update of a property", 1, { try $0.fetch(Shift.self).where { $0.id == 1 }.update(\.hours, to: -1) }),
        ("update by adding", 2, { try $0.fetch(Shift.self).where { $0.id == 2 }.update(\.hours, adding: 1) }),
        ("rekey", 9, { try $0.rekey(Shift.self, from: 1, to: Shift(id: 9, hours: 0, code: 1)) }),
        ("a document", 1, { store in
            var document = try #require(try store.documents(of: "Shift").fetch(id: 1))
            document["hours"] = 0
            try store.documents(of: "Shift").save(document)
        }),
        ("a new document", 7, { try $0.documents(of: "Shift").insert(ModelDocument(["hours": 0, "code": 7], id: 7)) }),
        ("a bag", 6, { store in
            let bag = Bag(named: "week", in: store)
            bag.add(Shift(id: 6, hours: 0, code: 6))
            try bag.save()
        }),
    ]

    @Test(arguments: Engine.allCases) func noWayOfSavingStoresWhatRefusesItself(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        for (name, id, body) in Self.ways {
            #expect(throws: Invalid(id: id), "\(name)") { try body(store) }
            #expect(try Self.shifts(store) == Self.first, "\(name)")
        }
        #expect(try store.fetch(Shift.self).where { $0.hours == 0 }.count() == 0)
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func ofAsynchronousWritesOnlyTheOneFails(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let refused = await withTaskGroup(of: Int?.self) { group in
            for id in 10..<40 {
                group.addTask {
                    do {
                        try await store.save(Shift(id: id, hours: id == 21 ? 0 : 5, code: id))
                        return nil
                    } catch {
                        return (error as? Invalid)?.id
                    }
                }
            }
            return await group.reduce(into: [Int]()) { if let id = $1 { $0.append(id) } }
        }
        #expect(refused == [21])
        #expect(try await store.fetch(Shift.self).count() == Self.first.count + 29)
    }

    /// Counts what it is asked.
    private final class Counter: StoreDelegate {
        let asked = Mutex<[AnyReference]>([])

        func willChange(_ change: ObjectChange) throws { asked.withLock { $0.append(change.reference) } }
    }

    /// What one call was refused leaves the transaction as it was, and nobody else is told.
    @Test(arguments: Engine.allCases) func aTransactionGoesOnAfterARefusal(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let counter = Counter()
        store.delegate = counter
        try store.write { transaction in
            #expect(throws: Invalid(id: 1)) { try transaction.save(Shift(id: 1, hours: 0, code: 9)) }
            #expect(throws: Invalid(id: 5)) {
                try transaction.savepoint { try transaction.save([Shift(id: 5, hours: 0, code: 5), Shift(id: 6, hours: 1, code: 6)]) }
            }
            try transaction.save(Shift(id: 3, hours: 3, code: 9))
        }
        #expect(counter.asked.withLock { $0 } == [AnyReference(Shift.self, id: 3)])
        #expect(try Self.shifts(store) == Self.first + [Shift(id: 3, hours: 3, code: 9)])
        #expect(try store.fetch(Shift.self).where { $0.hours == 3 }.ids() == [3])
        // A refusal inside of a call of many that is swallowed must not be committed.
        #expect {
            try store.write { transaction in
                #expect(throws: Invalid(id: 4)) { try transaction.save([Shift(id: 7, hours: 1, code: 7), Shift(id: 4, hours: 0, code: 4)]) }
            }
        } throws: { error in
            if case TroveError.transactionPoisoned(by: let cause) = error { cause as? Invalid == Invalid(id: 4) } else { false }
        }
        #expect(try store.fetch(Shift.self).count() == 3)
        #expect(try store.verify().isSound)
    }

    /// A property that is written once has the stored value when the object is asked.
    @Test(arguments: Engine.allCases) func whatWouldBeStoredIsJudged(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        try store.save(Shift(id: 3, hours: 1, code: 3, site: "north"))
        try store.save(Shift(id: 3, hours: 2, code: 3, site: "nowhere"))
        #expect(try store.fetch(Shift.self, id: 3) == Shift(id: 3, hours: 2, code: 3, site: "north"))
        #expect(throws: Invalid(id: 3)) { try store.fetch(Shift.self).where { $0.id == 3 }.update(\.site, to: "nowhere") }
        #expect(throws: Invalid(id: 2)) { try store.save(Shift(id: 2, hours: 2, code: 2, site: "nowhere")) }
    }

    /// Whom the index of a derived value has seen.
    private enum Seen {
        static let ids = Mutex<Set<UUID>>([])
    }

    @Model("Leave") fileprivate struct Leave: ValidatedModel {
        #Index<Leave>("length", version: 1) { leave in
            Seen.ids.withLock { _ = $0.insert(leave.id) }
            return leave.last - leave.first
        }
        var id = UUID()
        var first: Int
        var last: Int

        func validate() throws { if last < first { throw Invalid(id: first) } }
    }

    /// The function of an index sees only objects that may be stored, and may rely on that.
    @Test(arguments: Engine.allCases) func indexesSeeOnlyWhatMayBeStored(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Leave.self) }
        let store = fixture.store
        let (sound, refused) = (Leave(first: 1, last: 2), Leave(first: 5, last: 4))
        try store.save(sound)
        #expect(throws: Invalid(id: 5)) { try store.save(refused) }
        #expect(throws: Invalid(id: 5)) { try store.insert(refused) }
        #expect(Seen.ids.withLock { $0.contains(sound.id) && !$0.contains(refused.id) })
        #expect(try store.verify().isSound)
    }

    @Model("Disk") fileprivate struct Disk: ValidatedModel {
        let id: Int

        func validate() throws { if id == 3 { throw StorageError.diskFull(StorageError.Details(engine: "test", path: "test", message: "full")) } }
    }

    /// What the engine cannot do while an object is asked is no refusal of the object.
    @Test(arguments: Engine.allCases) func errorsOfTheEngineAreNoRefusals(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Disk.self) }
        try fixture.store.write { transaction in
            #expect(throws: StorageError.self) { try transaction.save(Disk(id: 3)) }
            #expect(transaction.refusalCount == 0)
        }
    }

    // MARK: Other programs and versions

    /// The same model in a program without the rule.
    fileprivate enum Loose {
        @Model("Shift") struct Shift: Equatable {
            let id: Int
            @Attribute(.indexed) var hours: Int
            @Attribute(.unique) var code: Int
            @Attribute(.writeOnce) var site: String?
        }
    }

    /// The same model in a later version, with the rule.
    fileprivate enum Later {
        @Model("Shift", version: 2) struct Shift: ValidatedModel, Equatable {
            let id: Int
            @Attribute(.indexed) var hours: Int
            @Attribute(.unique) var code: Int
            @Attribute(.writeOnce) var site: String?
            var note = ""

            func validate() throws { if hours > 24 { throw Invalid(id: id) } }
        }
    }

    /// The rule is the program's: what others stored is read, deleted and upgraded, and judged when it is stored again.
    @Test(arguments: Engine.allCases) func whatIsStoredAlreadyIsNotJudged(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Loose.Shift.self) }
        try fixture.store.save([Loose.Shift(id: 3, hours: 99, code: 3), Loose.Shift(id: 4, hours: 98, code: 4)])
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Later.Shift.self) }
        let store = fixture.store
        #expect(try store.fetch(Later.Shift.self).sorted(by: \.id).all().map(\.hours) == [8, 24, 99, 98])
        #expect(try store.upgrade(Later.Shift.self) == 4)
        #expect(throws: Invalid(id: 3)) { try store.fetch(Later.Shift.self).where { $0.id == 3 }.update(\.note, to: "late") }
        #expect(try store.delete(Later.Shift.self, id: 4))
        try store.fetch(Later.Shift.self).where { $0.id == 3 }.update { $0.hours = 9 }
        #expect(try store.fetch(Later.Shift.self).sorted(by: \.id).all().map(\.hours) == [8, 24, 9])
        #expect(try store.verify().isSound)
    }

    /// A program that does not have the model cannot ask.
    @Test(arguments: Engine.allCases) func aProgramWithoutTheModelDoesNotAsk(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        var document = try #require(try fixture.store.documents(of: "Shift").fetch(id: 1))
        document["hours"] = 0
        try fixture.store.documents(of: "Shift").save(document)
        try fixture.reopenStore()
        let stored = try #require(try fixture.store.fetch(Shift.self, id: 1))
        #expect(stored.hours == 0)
        #expect(throws: Invalid(id: 1)) { try fixture.store.save(stored) }
    }

    /// An import of everything names the line; one in batches passes over it.
    @Test(arguments: Engine.allCases) func importedLinesAreJudged(engine: Engine) throws {
        let source = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Loose.Shift.self) }
        try source.store.save((1...50).map { Loose.Shift(id: $0, hours: $0 % 10, code: $0) })
        var bytes: [UInt8] = []
        try source.store.exportJSON(into: { bytes.append(contentsOf: $0) })
        let refused = [10, 20, 30, 40, 50]
        let whole = try Self.fixture(engine)
        #expect {
            try whole.store.importJSON(Data(bytes))
        } throws: { error in
            if case TroveError.lineRefused(_, underlying: let cause) = error { cause as? Invalid == Invalid(id: 10) } else { false }
        }
        #expect(try Self.shifts(whole.store) == Self.first)
        let parts = try Self.fixture(engine)
        let report = try parts.store.importJSON(Data(bytes), mode: .inBatches)
        #expect(report.rejections.map { $0.error as? Invalid } == refused.map { Invalid(id: $0) })
        #expect(try parts.store.fetch(Shift.self).ids().sorted() == (1...50).filter { !refused.contains($0) })
        #expect(try parts.store.verify().isSound)
    }

    // MARK: Live objects

    @Model("Track") fileprivate final class Track: ValidatedModel {
        var title: String

        init(title: String) { self.title = title }

        func validate() throws { if title.isEmpty { throw Invalid(id: 0) } }
    }

    /// A class that is a validated model is asked by its context, and by what writes its records otherwise. What is only looked at is not judged.
    @Test(arguments: Engine.allCases) func aClassIsJudgedOutsideOfContextsToo(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        let store = fixture.store
        let context = ObjectContext(store)
        let track = Track(title: "Solar")
        try context.insert(track)
        try context.save()
        track.title = ""
        #expect(try context.fetch(Track.self).where { $0.title == "" }.count() == 1)
        #expect(throws: Invalid(id: 0)) { try context.save() }
        #expect(throws: Invalid(id: 0)) { try store.fetch(Track.self).update(\.title, to: "") }
        #expect(throws: Invalid(id: 0)) { try store.save(Track(title: "")) }
        #expect(try store.fetch(Track.self).where { $0.title == "Solar" }.count() == 1)
        try store.fetch(Track.self).update(\.title, to: "So What")
        #expect(try store.fetch(Track.self).all().map(\.title) == ["So What"])
        withExtendedLifetime(context) {}
    }
}
