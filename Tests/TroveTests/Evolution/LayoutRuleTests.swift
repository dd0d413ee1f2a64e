import Foundation
import TestSupport
import Testing

@testable import Trove

/// Rules of layouts that a review found broken; each test tells what went wrong.
@Suite struct LayoutRuleTests {
    enum Full {
        @Model("thing") struct Thing: Equatable {
            var id: Int
            var name: String
            var year: Int
        }
    }
    enum Fewer {
        @Model("thing") struct Thing {
            var id: Int
            var name: String
        }
    }
    enum Wider {
        @Model("thing") struct Thing {
            var id: Int
            var name: String
            var year: Double = 0
        }
    }

    /// Opening once with a model of fewer properties, saving nothing, locked the old program out for ever.
    @Test(arguments: Engine.allCases) func openingWithoutSavingBindsNobody(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Full.Thing.self) }
        try fixture.store.save(Full.Thing(id: 1, name: "a", year: 2))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Fewer.Thing.self) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Full.Thing.self) }
        #expect(try fixture.store.fetch(Full.Thing.self).all() == [Full.Thing(id: 1, name: "a", year: 2)])
        // A record of the layout does bind.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Fewer.Thing.self) }
        try fixture.store.save(Fewer.Thing(id: 2, name: "b"))
        #expect(throws: TroveError.self) { try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Full.Thing.self) } }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Fewer.Thing.self) }
    }

    /// A program that stays open read records of a layout written later with defaults in place of their values.
    @Test(arguments: Engine.allCases) func layoutsWrittenLaterAreChecked(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Full.Thing.self) }
        let later = try ObjectStore(engine.open(fixture.directory.file()), models: Wider.Thing.self)
        try later.save(Wider.Thing(id: 1, name: "a", year: 4.5))
        #expect { try fixture.store.fetch(Full.Thing.self, id: 1) } throws: { error in
            if case TroveError.fieldTypeChanged("thing", "year", .double, .int64) = error { true } else { false }
        }
        try later.close()
    }

    /// A record of another store was saved by its layout's number, whatever that number means here.
    @Test func recordsOfAnotherStoreAreRefused() throws {
        let first = try ObjectStore(MemoryBackend(), models: Full.Thing.self)
        let second = try ObjectStore(MemoryBackend(), models: Fewer.Thing.self)
        try first.save(Full.Thing(id: 1, name: "a", year: 2))
        try second.save(Fewer.Thing(id: 2, name: "b"))
        let record = try #require(try first.read { try $0.storedRecord(of: "thing", key: 1.keyBytes) })
        #expect { try second.write { try $0.save(record) } } throws: { error in
            if case TroveError.unknownType("thing", _) = error { true } else { false }
        }
    }

    enum Mail {
        @Model("user") struct User {
            var id: String
        }
    }
    enum LowerCaseMail {
        @Model("user", version: 2) struct User {
            var id: String
            mutating func upgrade(from old: StoredRecord) throws { id = id.lowercased() }
        }
    }

    /// An upgrade that changed the id left the old record beside the new one.
    @Test func upgradesKeepTheId() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: Mail.User.self) }
        try fixture.store.save(Mail.User(id: "A@example.org"))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LowerCaseMail.User.self) }
        #expect { try fixture.store.upgrade(LowerCaseMail.User.self) } throws: { error in
            if case TroveError.upgradeFailed("user", _, is ChangedIdentity) = error { true } else { false }
        }
    }
}
