import TestSupport
import Testing

@testable import Trove

/// Unique values of objects that a save deletes, which others get in the same save: they are judged by its end, whatever the deletions look up before.
@Suite struct FreedValueTests {
    @Model("freed hall") fileprivate final class Hall {
        let id: String
        @Attribute(.unique) var number: Int

        init(_ id: String, _ number: Int) {
            self.id = id
            self.number = number
        }
    }

    @Model("freed guest") fileprivate final class Guest {
        var name: String
        @Relationship var hall: Hall?

        init(_ name: String) { self.name = name }
    }

    /// Its stamps go with a badge, unless there is another one of its code.
    @Model("freed badge") fileprivate final class Badge: CustomDeleteRule {
        @Attribute(.unique) var code: String

        init(_ code: String) { self.code = code }

        func alsoDeleted(in transaction: ReadTransaction) throws -> [AnyReference] {
            let code = code
            guard try transaction.fetch(Badge.self).where({ $0.code == code }).count() == 1 else { return [] }
            return try transaction.fetch(Stamp.self).where { $0.badge == code }.ids().map { AnyReference(Stamp.self, id: $0) }
        }
    }

    @Model("freed stamp") fileprivate struct Stamp {
        var id: Int
        @Attribute(.indexed) var badge: String
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Hall.self, Guest.self, Badge.self, Stamp.self) }
    }

    /// What points at an object with a long id is found by another way than what points at others.
    @Test(arguments: Engine.allCases) func ofObjectsWithLongIDs(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        for count in [1, 80, 200] {
            let (old, new) = (Hall(String(repeating: "old", count: count), count), Hall(String(repeating: "new", count: count), count))
            let guest = Guest("\(count)")
            try context.insert(old)
            try context.insert(guest)
            guest.hall = old
            try context.save()
            try context.insert(new)
            guest.hall = new
            try context.delete(old)
            // As a fetch shows it before it is saved.
            let found = try context.fetch(Hall.self).where { $0.number == count }.ids()
            #expect(found == [new.id], "\(count)")
            try context.save()
            let stored = try fixture.store.fetch(Hall.self).where { $0.number == count }.ids()
            #expect(stored == [new.id], "\(count)")
        }
        #expect(try fixture.store.danglingReferences().isEmpty)
        #expect(try fixture.store.verify().isSound)
    }

    /// What the function asks finds both objects, though the index that would answer has only the one that is deleted.
    @Test(arguments: Engine.allCases) func ofObjectsWithAFunctionThatAsks(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        try fixture.store.save([Stamp(id: 1, badge: "a"), Stamp(id: 2, badge: "b")])
        let old = Badge("a"), new = Badge("a")
        try context.insert(old)
        try context.save()
        try context.insert(new)
        try context.delete(old)
        try context.save()
        #expect(try fixture.store.fetch(Badge.self).where { $0.code == "a" }.ids() == [new.id])
        #expect(try fixture.store.fetch(Stamp.self).count() == 2)
        try context.delete(new)
        try context.save()
        #expect(try fixture.store.fetch(Stamp.self).ids() == [2])
        #expect(try fixture.store.verify().isSound)
    }
}
