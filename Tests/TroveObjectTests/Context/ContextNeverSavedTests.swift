import TestSupport
import Testing

@testable import Trove

/// What owners let go of, and what is deleted, before it was ever saved: the store has what it would have if each change had been saved.
@Suite struct ContextNeverSavedTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: UndoShelf.self, UndoBook.self, UndoTag.self) }
    }

    private func titles(_ fixture: StoreFixture) throws -> [String] {
        try fixture.store.read { try $0.fetch(UndoBook.self).sorted(by: \.title).all().map { $0.title } }
    }

    enum Release: CaseIterable, Sendable {
        case removed, assigned, byItsOwnSide
    }

    @Test(arguments: Engine.allCases, Release.allCases) func whatAnOwnerLetGoOfIsNotStored(_ engine: Engine, release: Release) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let shelf = UndoShelf(name: "jazz")
        try context.insert(shelf)
        let books = ["A", "B"].map { UndoBook(title: $0) }
        shelf.books = books
        switch release {
        case .removed: shelf.books.removeFirst()
        case .assigned: shelf.books = [books[1]]
        case .byItsOwnSide: books[0].shelf = nil
        }
        #expect(try context.fetch(UndoBook.self).all().map(\.title) == ["B"])
        let summary = try context.save()
        #expect(summary.insertedCount == 2 && summary.deletedCount == 0)
        #expect(try titles(fixture) == ["B"])
        #expect(shelf.books == [books[1]])
        #expect(!context.hasChanges)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func whatIsGivenToAnotherOwnerIsStored(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let shelves = ["one", "two"].map { UndoShelf(name: $0) }
        for shelf in shelves { try context.insert(shelf) }
        shelves[0].books = ["A", "B"].map { UndoBook(title: $0) }
        shelves[1].books = [shelves[0].books.removeFirst()]
        try context.save()
        #expect(try titles(fixture) == ["A", "B"])
        // What was stored and is taken out is an orphan as before.
        shelves[1].books = []
        try context.save()
        #expect(try titles(fixture) == ["B"])
    }

    @Test(arguments: Engine.allCases) func aDeletedOwnerTakesWhatItOwnsWithIt(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (shelf, tag) = (UndoShelf(name: "jazz"), UndoTag(name: "live"))
        try context.insert(shelf)
        try context.insert(tag)
        shelf.books = ["A", "B"].map { UndoBook(title: $0) }
        shelf.books[0].tags = [tag]
        try context.delete(shelf)
        #expect(try context.fetch(UndoBook.self).count() == 0)
        try context.save()
        #expect(try titles(fixture) == [])
        #expect(try fixture.store.read { try $0.fetch(UndoShelf.self).count() } == 0)
        #expect(tag.books.isEmpty)
        #expect(context.faultErrors.isEmpty)
        #expect(try fixture.store.verify().danglingReferenceCount == 0)
    }

    /// The lazy value of what came and went while a save was under way was forgotten, and no save succeeded from then on.
    @Test(arguments: Engine.allCases) func whatCameAndWentDuringASaveHasItsLazyValue(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        try context.insert(UndoTag(name: "live"))
        fixture.store.delegate = ActionDuringSave {
            let book = UndoBook(title: "A")
            book.text = String(repeating: "text ", count: 100)
            try? context.insert(book)
            try? context.delete(book)
        }
        try context.save()
        fixture.store.delegate = nil
        #expect(context.domain.withLock { context.state.ghosts.count } == 1)
        try context.save()
        #expect(try titles(fixture) == [])
        #expect(context.domain.withLock { context.state.ghosts.isEmpty } && context.annexes.all.isEmpty)
    }

    @Model final class Sheaf {
        var name: String
        @Relationship(deleteRule: .cascade) var leaves: [Leaf] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Leaf {
        var text: String
        init(_ text: String) { self.text = text }
    }

    /// What the rules of such an owner do to stored objects was unsaved, and `hasChanges` knew of nothing.
    @Test(arguments: Engine.allCases) func aDeletedOwnerIsAChange(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Sheaf.self, Leaf.self) }
        let context = ObjectContext(fixture.store)
        let leaves = ["A", "B"].map { Leaf($0) }
        try context.insert(leaves)
        try context.save()
        func bindAndDelete(_ leaf: Leaf) throws {
            let sheaf = Sheaf("new")
            sheaf.leaves = [leaf]
            try context.insert(sheaf)
            try context.delete(sheaf)
        }
        try bindAndDelete(leaves[0])
        #expect(context.hasChanges && context.insertedObjects.isEmpty && context.changedObjects.isEmpty && context.deletedObjects.isEmpty)
        try context.rollback()
        #expect(!context.hasChanges)
        try context.save()
        #expect(try fixture.store.read { try $0.fetch(Leaf.self).count() } == 2)
        try bindAndDelete(leaves[1])
        try context.save()
        #expect(!context.hasChanges)
        #expect(try fixture.store.read { try $0.fetch(Leaf.self).all().map(\.text) } == ["A"])
    }

    /// References to an object that was deleted before it was ever saved were stored, and led nowhere.
    @Test(arguments: Engine.allCases) func nothingPointsAtWhatWasNeverSaved(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (book, tag) = (UndoBook(title: "A"), UndoTag(name: "live"))
        try context.insert(book)
        try context.insert(tag)
        book.tags = [tag]
        try context.delete(tag)
        #expect(book.tags.isEmpty)
        try context.save()
        #expect(book.tags.isEmpty)
        #expect(context.faultErrors.isEmpty)
        let report = try fixture.store.verify()
        #expect(report.isSound && report.danglingReferenceCount == 0)
        // Inserted again it has nothing of that.
        try context.insert(tag)
        book.tags = [tag]
        try context.save()
        #expect(tag.books == [book])
    }

    @Test(arguments: Engine.allCases) func aRollBackForgetsIt(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let shelf = UndoShelf(name: "jazz")
        try context.insert(shelf)
        let books = ["A", "B"].map { UndoBook(title: $0) }
        shelf.books = books
        shelf.books.removeFirst()
        try context.rollback()
        try context.insert(books[0])
        try context.save()
        #expect(try titles(fixture) == ["A"])
    }

    @Test(arguments: Engine.allCases) func itComesBackWhenTheStepIsUndone(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let shelf = UndoShelf(name: "jazz")
        try context.undoGroup("Add") {
            try context.insert(shelf)
            shelf.books = ["A", "B"].map { UndoBook(title: $0) }
        }
        context.undoGroup("Take out") { _ = shelf.books.removeFirst() }
        try context.save()
        #expect(try titles(fixture) == ["B"])
        try context.undo()
        try context.save()
        #expect(try titles(fixture) == ["A", "B"])
        try context.redo()
        try context.save()
        #expect(try titles(fixture) == ["B"])
    }
}
