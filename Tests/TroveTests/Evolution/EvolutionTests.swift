import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Models change between openings; the store's records stay as they were written and are read by field name.
@Suite struct EvolutionTests {
    enum First {
        @Model("person") struct Person: Equatable {
            var id: Int
            var name: String
            var age: Int16
            var height: Float
            var note: String?
        }
    }

    /// Added, removed, renamed, widened, reordered, made optional.
    enum Second {
        @Model("person") struct Person: Equatable {
            var id: Int
            var email: String?
            var tags: [String] = ["new"]
            var height: Double
            var age: Int64?
            @Attribute(originalName: "name") var fullName: String
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: First.Person.self) }
        try fixture.store.save((1...20).map { First.Person(id: $0, name: "name \($0)", age: Int16($0) - 10, height: 1.5, note: $0 == 1 ? nil : "n") })
        return fixture
    }

    private func expected(_ id: Int) -> Second.Person {
        Second.Person(id: id, email: nil, tags: ["new"], height: 1.5, age: Int64(id) - 10, fullName: "name \(id)")
    }

    @Test(arguments: Engine.allCases) func fieldsAreMatchedByName(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Second.Person.self) }
        #expect(try fixture.store.fetch(Second.Person.self).all() == (1...20).map(expected))
        // A saved object is in the new layout, beside the old ones.
        var changed = expected(5)
        changed.email = "five@example.org"
        changed.tags = []
        try fixture.store.save(changed)
        #expect(try fixture.store.fetch(Second.Person.self, id: 5) == changed)
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.upgrade(Second.Person.self, batchSize: 7) == 19)
        #expect(try fixture.store.upgrade(Second.Person.self) == 0)
        #expect(try fixture.store.fetch(Second.Person.self, id: 5) == changed)
        #expect(try fixture.store.fetch(Second.Person.self, id: 6) == expected(6))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Second.Person.self) }
        #expect(try fixture.store.fetch(Second.Person.self).count() == 20)
    }

    /// The last transaction of an upgrade went through all records, whether any was old or not, and did not heed that its task was cancelled.
    @Test(arguments: Engine.allCases) func theEndOfAnUpgrade(engine: Engine) async throws {
        let fixture = try fixture(engine)
        try await fixture.store.save((21...300).map { First.Person(id: $0, name: "", age: 0, height: 0, note: nil) })
        var opened: CallCountingBackend?
        try fixture.reopenStore {
            let backend = CallCountingBackend($0)
            opened = backend
            return try ObjectStore(backend, durability: .relaxed, models: Second.Person.self)
        }
        let (store, counts) = (fixture.store, try #require(opened).counts)
        let cancelled = await Task {
            Result { try store.upgrade(Second.Person.self) { _ in withUnsafeCurrentTask { $0?.cancel() } } }
        }.value
        #expect(throws: CancellationError.self) { try cancelled.get() }
        #expect(try await store.upgrade(Second.Person.self) == 0, "all are rewritten")
        let before = counts[.commit]
        #expect(try await store.upgrade(Second.Person.self) == 0)
        #expect(counts[.commit] - before == 1, "one batch, and nothing to retire")
    }

    private func expectRefusal(
        _ fixture: StoreFixture, _ open: (any StorageBackend) throws -> ObjectStore, _ isRight: (TroveError) -> Bool,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try fixture.store.dump()
        #expect(sourceLocation: location) { try fixture.reopenStore(open) } throws: { error in
            (error as? TroveError).map(isRight) ?? false
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: First.Person.self) }
        #expect(try fixture.store.dump() == before, "the store is untouched", sourceLocation: location)
        #expect(try fixture.store.fetch(First.Person.self).count() == 20, sourceLocation: location)
    }

    enum Refused {
        @Model("person") struct Narrowed {
            var id: Int
            var age: Int8 = 0
        }
        @Model("person") struct Retyped {
            var id: Int
            var name: Int = 0
        }
        @Model("person") struct NotOptional {
            var id: Int
            var note: String = ""
        }
        @Model("person") struct NeedsDefault {
            var id: Int
            var shoeSize: Int
        }
        @Model("person") struct OtherID {
            var id: String
            var name: String
        }
        @Model("person") struct TwiceTheSame {
            var id: Int
            var other: String = ""
        }
    }

    @Test(arguments: Engine.allCases) func otherChangesAreRefused(engine: Engine) throws {
        let fixture = try fixture(engine)
        try expectRefusal(fixture) { try ObjectStore($0, durability: .relaxed, models: Refused.Narrowed.self) } _: { error in
            if case .fieldTypeChanged("person", "age", .int16, .int8) = error { true } else { false }
        }
        try expectRefusal(fixture) { try ObjectStore($0, durability: .relaxed, models: Refused.Retyped.self) } _: { error in
            if case .fieldTypeChanged("person", "name", .string, .int64) = error { true } else { false }
        }
        try expectRefusal(fixture) { try ObjectStore($0, durability: .relaxed, models: Refused.NotOptional.self) } _: { error in
            if case .fieldTypeChanged("person", "note", .optional(.string), .string) = error { true } else { false }
        }
        try expectRefusal(fixture) { try ObjectStore($0, durability: .relaxed, models: Refused.NeedsDefault.self) } _: { error in
            guard case .fieldNeedsDefault("person", "shoeSize", ["name", "age", "height", "note"]) = error else { return false }
            return "\(error)".contains("originalName: \"name\"")
        }
        try expectRefusal(fixture) { try ObjectStore($0, durability: .relaxed, models: Refused.OtherID.self) } _: { error in
            if case .idTypeChanged("person", "Int64", "String") = error { true } else { false }
        }
        try expectRefusal(fixture) { try ObjectStore($0, durability: .relaxed, models: First.Person.self, Refused.TwiceTheSame.self) } _: { error in
            if case .duplicateModel("person", _, _) = error { true } else { false }
        }
    }

    enum Versioned {
        @Model("person", version: 2) struct Person: Equatable {
            var id: Int
            var name: String
            /// Was a number; records of version 1 have it under the same name with another type.
            var age: String = "unknown"
            var isTall: Bool = false

            mutating func upgrade(from old: StoredRecord) throws {
                age = "\(try old.value(of: "age", as: Int16.self)) years"
                isTall = try old.value(of: "height", as: Double.self) > 1.2
                if old["note"] == .null { name += " (no note)" }
            }
        }

        @Model("person", version: 3) struct Failing {
            var id: Int
            var name: String
            struct Refusal: Error {}
            mutating func upgrade(from old: StoredRecord) throws { throw Refusal() }
        }
    }

    @Test(arguments: Engine.allCases) func upgradesSeeTheOldValues(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Versioned.Person.self) }
        let first = Versioned.Person(id: 1, name: "name 1 (no note)", age: "-9 years", isTall: true)
        #expect(try fixture.store.fetch(Versioned.Person.self, id: 1) == first)
        #expect(try fixture.store.fetch(Versioned.Person.self).all().count == 20)
        var report: StoreProgress?
        #expect(try fixture.store.upgrade(Versioned.Person.self, batchSize: 6) { report = $0 } == 20)
        #expect(report == StoreProgress(completed: 20, total: 20))
        #expect(try fixture.store.fetch(Versioned.Person.self, id: 1) == first, "an upgraded record is not upgraded again")
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Versioned.Person.self) }
        #expect(try fixture.store.fetch(Versioned.Person.self, id: 2)?.age == "-8 years")
        // The old program must not touch what it does not understand.
        #expect { try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: First.Person.self) } } throws: { error in
            if case TroveError.newerModelVersion("person", 2, 1) = error { true } else { false }
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Versioned.Person.self) }
    }

    @Test(arguments: Engine.allCases) func failedUpgradesLoseNothing(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Versioned.Failing.self) }
        #expect { try fixture.store.fetch(Versioned.Failing.self, id: 3) } throws: { error in
            if case TroveError.upgradeFailed("person", "3", is Versioned.Failing.Refusal) = error { true } else { false }
        }
        #expect(throws: TroveError.self) { try fixture.store.upgrade(Versioned.Failing.self) }
        #expect(try fixture.store.read { try $0.storedRecord(of: "person", key: 3.keyBytes)?["name"] } == .string("name 3"))
    }

    fileprivate enum LongID {
        @Model("place") struct First {
            var id: String
            var name: String
        }

        @Model("place", version: 2) struct Failing {
            var id: String
            var name: String
            struct Refusal: Error {}
            mutating func upgrade(from old: StoredRecord) throws { throw Refusal() }
        }
    }

    /// Of what has a long id's shortened key a save asks whose it is, and reads no more, as of one with a short id it reads nothing.
    @Test(arguments: Engine.allCases) func longIDsAreSavedOverWhatCannotBeUpgraded(engine: Engine) throws {
        let ids = (0..<3).map { "\($0)" + String(repeating: "x", count: 700) }
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: LongID.First.self) }
        try fixture.store.save(ids.map { LongID.First(id: $0, name: "old") })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LongID.Failing.self) }
        let store = fixture.store
        #expect(throws: TroveError.self) { try store.fetch(LongID.Failing.self, id: ids[0]) }
        try store.save(LongID.Failing(id: ids[0], name: "new"))
        #expect(try store.upsert(LongID.Failing(id: ids[1], name: "new")) == .updated)
        try store.write { transaction in
            var record = try #require(try transaction.storedRecord(of: "place", key: ids[2].keyBytes))
            try record.set("name", to: .string("new"))
            try transaction.save(record)
        }
        #expect(try ids[..<2].map { try store.fetch(LongID.Failing.self, id: $0)?.name } == ["new", "new"])
        #expect(try store.read { try $0.storedRecord(of: "place", key: ids[2].keyBytes)?["name"] } == .string("new"))
    }

    /// A program that does not know a type can still read, change and save its records, and the type keeps its name.
    @Test(arguments: Engine.allCases) func unknownTypesAreKept(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Song.self) }
        try fixture.store.save(Song.sample(1))
        try fixture.store.write { transaction in
            #expect(try transaction.modelNames() == ["Song", "person"])
            var names: [StoredValue?] = []
            try transaction.forEachStoredRecord(of: "person") { record, stop in
                names.append(record["name"])
                stop = names.count == 3
            }
            #expect(names == [.string("name 1"), .string("name 2"), .string("name 3")])
            var record = try #require(try transaction.storedRecord(of: "person", key: 2.keyBytes))
            #expect(record.modelName == "person" && record.version == 1)
            try record.set("name", to: .string("changed"))
            try record.set("note", to: .null)
            #expect(throws: TroveError.self) { try record.set("name", to: .int(1)) }
            #expect(throws: TroveError.self) { try record.set("age", to: .int(40_000)) }
            #expect(throws: TroveError.self) { try record.set("none", to: .int(1)) }
            try transaction.save(record)
            #expect(try transaction.deleteStoredRecord(of: "person", key: 3.keyBytes))
            #expect(try !transaction.deleteStoredRecord(of: "person", key: 3.keyBytes))
            #expect(throws: TroveError.self) { try transaction.forEachStoredRecord(of: "$catalogue") { _, _ in } }
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: First.Person.self) }
        let people = try fixture.store.fetch(First.Person.self).all()
        #expect(people.count == 19)
        #expect(people[1] == First.Person(id: 2, name: "changed", age: -8, height: 1.5, note: nil))
    }

    enum Widened {
        @Model("counter") struct Whole { var id: Int; var count: Int32 }
        @Model("counter") struct Part { var id: Int; var count: Double }
    }

    /// A sum has the numbers of records of both layouts.
    @Test(arguments: Engine.allCases) func widenedNumbersAreAddedUp(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Widened.Whole.self) }
        try fixture.store.save((1...3).map { Widened.Whole(id: $0, count: Int32($0)) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Widened.Part.self) }
        #expect(try fixture.store.fetch(Widened.Part.self).sum(\.count) == 6)
        try fixture.store.save(Widened.Part(id: 4, count: 0.5))
        #expect(try fixture.store.fetch(Widened.Part.self).sum(\.count) == 6.5)
        #expect(try fixture.store.fetch(Widened.Part.self).average(\.count) == 1.625)
    }

    /// Before anything is saved, a model may change as it likes.
    @Test(arguments: Engine.allCases) func emptyTypesMayChange(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: First.Person.self) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Refused.OtherID.self) }
        try fixture.store.save(Refused.OtherID(id: "a", name: "b"))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Refused.OtherID.self) }
        #expect(try fixture.store.fetch(Refused.OtherID.self).count() == 1)
    }

    enum Read {
        enum Old: String, Codable { case unread, reading }
        enum New: String, Codable { case unread }
        struct OldSize: Codable { var width = 1 }
        struct NewSize: Codable, Equatable { var width = 1, height = 2 }

        @Model("book") struct Before { var id: String; var status: Old }
        @Model("book") struct After { var id: String; var status: New }
        @Model("box") struct BoxBefore { var id: String; var size: OldSize }
        @Model("box") struct BoxAfter { var id: String; var size: NewSize }
    }

    /// Values that no longer fit are told with what to do, by the object's id as it is written, and are replaced without being read.
    @Test(arguments: Engine.allCases) func valuesThatNoLongerFitAreReplaced(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Read.Before.self, Read.BoxBefore.self) }
        try fixture.store.save(Read.Before(id: "ann", status: .reading))
        try fixture.store.save(Read.BoxBefore(id: "small", size: .init()))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Read.After.self, Read.BoxAfter.self) }
        let books = fixture.store.fetch(Read.After.self)
        #expect { try books.all() } throws: {
            "\($0)".contains("book.status of ann cannot be read") && "\($0)".contains("'reading'; give the enum this case, or store another value")
        }
        #expect(try books.update(\.status, to: .unread) == 1)
        #expect(try books.all().map(\.status) == [.unread])
        let boxes = fixture.store.fetch(Read.BoxAfter.self)
        #expect { try boxes.all() } throws: {
            "\($0)".contains("box.size of small cannot be read") && "\($0)".contains("no value for 'height'; make it optional in its type")
        }
        try fixture.store.save(Read.BoxAfter(id: "small", size: .init()))
        #expect(try boxes.all().map(\.size) == [.init()])
    }

    enum Split {
        enum Kind: String, Codable { case home, work }
        struct Address: Codable {
            var city: String
            var zip: String?
        }

        @Model("letter") struct Before {
            var id: Int
            var address: Address
            var sender: Address?
            var kinds: Set<Kind> = []
        }
        @Model("letter", version: 2) struct After: Equatable {
            var id: Int
            var city = ""
            var zip: String?
            var sender: String?
            var kinds = 0

            mutating func upgrade(from old: StoredRecord) throws {
                let address = try old.value(of: "address", as: Address.self)
                (city, zip) = (address.city, address.zip)
                sender = try old.value(of: "sender", as: Address?.self)?.city
                kinds = try old.value(of: "kinds", as: Set<Kind>.self).count
            }
        }
    }

    @Test(arguments: Engine.allCases) func nestedValuesAreSplitByAnUpgrade(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Split.Before.self) }
        try fixture.store.save(Split.Before(id: 1, address: .init(city: "Oslo", zip: "0150"), sender: nil, kinds: [.home, .work]))
        try fixture.store.save(Split.Before(id: 2, address: .init(city: "Rome"), sender: .init(city: "Kyiv")))
        let record = try #require(try fixture.store.read { try $0.storedRecord(of: "letter", key: 1.keyBytes) })
        #expect { try record.value(of: "address", as: Set<Split.Kind>.self) } throws: { if case TroveError.decodingFailed = $0 { true } else { false } }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Split.After.self) }
        let letters = [
            Split.After(id: 1, city: "Oslo", zip: "0150", sender: nil, kinds: 2), Split.After(id: 2, city: "Rome", zip: nil, sender: "Kyiv", kinds: 0),
        ]
        #expect(try fixture.store.fetch(Split.After.self).all() == letters)
        #expect(try fixture.store.upgrade(Split.After.self) == 2)
        #expect(try fixture.store.fetch(Split.After.self).all() == letters)
    }
}
