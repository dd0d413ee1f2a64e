import TestSupport
import Testing

@testable import Trove

/// A refresh that discards unsaved changes discards what the steps have of them, as a roll-back does.
@Suite struct UndoDiscardTests {
    private final class World {
        let fixture: StoreFixture
        let context: ObjectContext
        let shelves: [UndoShelf]
        let books: [UndoBook]

        init(_ engine: Engine) throws {
            fixture = try StoreFixture(engine) {
                try ObjectStore($0, durability: .relaxed, models: UndoShelf.self, UndoBook.self, UndoTag.self)
            }
            let first = ObjectContext(fixture.store)
            for number in 0..<3 {
                let shelf = UndoShelf(name: "\(number)")
                shelf.books = (0..<2).map { UndoBook(title: "\(number)\($0)") }
                try first.insert(shelf)
            }
            try first.save()
            context = ObjectContext(fixture.store, options: ContextOptions(undo: .steps(10)))
            shelves = try context.fetch(UndoShelf.self).sorted(by: \.name).all()
            books = try context.fetch(UndoBook.self).sorted(by: \.title).all()
        }

        /// Saves, and looks whether both sides of each link agree, in the store and in memory. Returns the titles on each shelf.
        func saved(_ note: String = "") throws -> [[String]] {
            try context.save()
            let fresh = ObjectContext(fixture.store)
            var titles: [[[String]]] = []
            for context in [fresh, context] {
                let shelves = try context.fetch(UndoShelf.self).sorted(by: \.name).all()
                for shelf in shelves { #expect(shelf.books.allSatisfy { $0.shelf === shelf }, "the books of \(shelf.name) \(note)") }
                for book in try context.fetch(UndoBook.self).all() {
                    let listing = shelves.filter { $0.books.contains(book) }
                    #expect(listing == [book.shelf].compactMap(\.self), "the shelves of \(book.title) \(note)")
                }
                titles.append(shelves.map { $0.books.map(\.title).sorted() })
            }
            #expect(titles[0] == titles[1], "\(note)")
            return titles[0]
        }
    }

    private static let original = [["00", "01"], ["10", "11"], ["20", "21"]]

    @Test(arguments: Engine.allCases) func allIsDiscarded(_ engine: Engine) throws {
        let world = try World(engine), (context, shelves, books) = (world.context, world.shelves, world.books)
        context.undoGroup("g") { books[0].shelf = shelves[1] }
        books[0].shelf = shelves[2]
        try context.refresh(keepingChanges: false)
        #expect(books[0].shelf === shelves[0] && !context.hasChanges)
        #expect(!context.canUndo && !context.canRedo)
        #expect(try !context.undo())
        #expect(try world.saved() == Self.original)
    }

    /// A step that was saved and undone is done again.
    @Test(arguments: Engine.allCases) func whatWasSavedStays(_ engine: Engine) throws {
        let world = try World(engine), (context, shelves, books) = (world.context, world.shelves, world.books)
        context.undoGroup("saved") { books[0].shelf = shelves[1] }
        try context.save()
        #expect(try context.undo())
        try context.refresh(keepingChanges: false)
        #expect(context.undoNames == ["saved"] && context.redoNames == [])
        #expect(books[0].shelf === shelves[1])
        #expect(try context.undo())
        #expect(try world.saved() == Self.original)
    }

    @Test(arguments: Engine.allCases) func oneObjectOfAStepIsDiscarded(_ engine: Engine) throws {
        let world = try World(engine), (context, books) = (world.context, world.books)
        context.undoGroup("g") {
            books[0].pages = 1
            books[1].pages = 2
        }
        context.undoGroup("alone") { books[0].title = "x" }
        try context.refresh(books[0], keepingChanges: false)
        #expect(context.undoNames == ["g"])
        #expect(books[0].pages == 0 && books[0].title == "00" && books[1].pages == 2)
        #expect(try context.undo())
        #expect(books[0].pages == 0 && books[1].pages == 0)
        #expect(try context.redo())
        #expect(books[0].pages == 0 && books[1].pages == 2)
        #expect(try world.saved() == Self.original)
    }

    /// The group goes on.
    @Test(arguments: Engine.allCases) func insideOfAGroup(_ engine: Engine) throws {
        let world = try World(engine), (context, books) = (world.context, world.books)
        try context.undoGroup("g") {
            books[0].pages = 1
            try context.refresh(books[0], keepingChanges: false)
            books[0].title = "0"
        }
        #expect(context.undoNames == ["g"])
        #expect(try context.undo())
        #expect(books[0].pages == 0 && books[0].title == "00" && !context.canUndo)
        #expect(try context.redo())
        #expect(books[0].pages == 0 && books[0].title == "0")
    }

    /// Of a link one side is discarded: both agree again after the save, wherever the steps are.
    @Test(arguments: Engine.allCases, 0...3) func oneSideOfALinkIsDiscarded(engine: Engine, undoCount: Int) throws {
        for discarded in 0..<4 {
            for redoes in [false, true] {
                for saves in [false, true] {
                    let world = try World(engine), (context, shelves, books) = (world.context, world.shelves, world.books)
                    context.undoGroup("g") { books[0].shelf = shelves[1] }
                    context.undoGroup("Name") { shelves[1].name = "1x" }
                    books[0].shelf = shelves[2]
                    let object: any LiveModel = discarded == 3 ? books[0] : shelves[discarded]
                    try context.refresh(object, keepingChanges: false)
                    let program = "discarding \(discarded), redo \(redoes), save \(saves)"
                    if saves { _ = try world.saved("first: \(program)") }
                    for _ in 0..<undoCount { _ = try context.undo() }
                    _ = try world.saved("undone: \(program)")
                    if redoes { while try context.redo() {} }
                    _ = try world.saved("at the end: \(program)")
                    #expect(try world.fixture.store.danglingReferences().isEmpty)
                }
            }
        }
    }
}
