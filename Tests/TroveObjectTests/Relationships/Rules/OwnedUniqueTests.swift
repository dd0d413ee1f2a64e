import TestSupport
import Testing

@testable import Trove

/// Objects that are owned and have a unique property.
@Suite struct OwnedUniqueTests {
    @Model final class Owner {
        let id: Int
        @Relationship(deleteRule: .cascade, inverse: \Kid.owner) var kids: [Kid] = []

        init(id: Int) { self.id = id }
    }

    @Model final class Kid {
        let id: Int
        @Attribute(.unique) var code: String
        @Relationship var owner: Owner?

        init(id: Int, code: String) {
            self.id = id
            self.code = code
        }
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Owner.self, Kid.self) }
    }

    /// What is deleted because its owner lets go of it has no value of its own any more when unique indexes judge.
    @Test(arguments: Engine.allCases) func oneTakesThePlaceOfAnother(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let owner = Owner(id: 1)
        owner.kids = [Kid(id: 1, code: "x"), Kid(id: 2, code: "y")]
        try context.insert(owner)
        try context.save()
        owner.kids = [Kid(id: 3, code: "x"), owner.kids[1]]
        #expect(try context.fetch(Kid.self).ids() == [2, 3])
        try context.save()
        #expect(try fixture.store.fetch(Kid.self).ids() == [2, 3])
        #expect(try fixture.store.verify().isSound)
        try context.undo()
        try context.save()
        #expect(try fixture.store.fetch(Kid.self).ids() == [1, 2])
        #expect(owner.kids.map(\.code) == ["x", "y"])
        // One that stays has its code still.
        owner.kids.append(Kid(id: 4, code: "y"))
        #expect(throws: TroveError.self) { try context.save() }
        #expect(try fixture.store.fetch(Kid.self).ids() == [1, 2])
    }

    @Model final class Shelf {
        let id: Int
        @Relationship(inverse: \Book.shelf) var books: [Book] = []

        init(id: Int) { self.id = id }
    }

    @Model final class Book {
        let id: Int
        @Attribute(.unique) var code: String
        @Relationship var shelf: Shelf?

        init(id: Int, code: String) {
            self.id = id
            self.code = code
        }
    }

    /// While pending changes cannot be saved as they are, relationships show what is stored.
    @Test(arguments: Engine.allCases) func relationshipsAreThereWhileCodesClash(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Shelf.self, Book.self) }
        let writing = ObjectContext(fixture.store)
        let shelf = Shelf(id: 1)
        shelf.books = [Book(id: 1, code: "a"), Book(id: 2, code: "b")]
        try writing.insert(shelf)
        try writing.save()
        let context = ObjectContext(fixture.store)
        let first = try #require(try context.fetch(Book.self, id: 1))
        (first.code, first.shelf) = ("b", nil)
        let second = try #require(try context.saved.fetch(Book.self).where { $0.id == 2 }.first())
        #expect(second.shelf?.id == 1)
        #expect(context.faultErrors.count == 1)
        #expect(throws: TroveError.self) { try context.save() }
        first.code = "c"
        try context.save()
        #expect(second.shelf?.books.map(\.id) == [2])
    }

    /// A list of which one cannot be deleted leaves all as they are.
    @Test(arguments: Engine.allCases) func deletionsAreAllOrNone(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let context = ObjectContext(fixture.store)
        let kids = (1...3).map { Kid(id: $0, code: "\($0)") }
        try context.insert(kids)
        try context.save()
        let foreign = Kid(id: 4, code: "4")
        #expect { try context.delete([kids[0], foreign, kids[1]]) } throws: { if case TroveError.notInContext("Kid", "4") = $0 { true } else { false } }
        #expect(!context.hasChanges)
        try context.delete(kids)
        let twice = Kid(id: 5, code: "5")
        try context.insert(twice)
        try context.delete([twice, twice])
        // For those that are deleted already nothing happens.
        try context.delete(kids)
        try context.save()
        try context.delete(kids)
        #expect(try fixture.store.fetch(Kid.self).count() == 0)
    }
}
