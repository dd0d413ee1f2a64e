import TestSupport
import Testing

@testable import Trove

/// Random steps, saves, undos and redos: after each the context shows what it showed when it was there last.
@Suite struct RandomUndoTests {
    /// When a program saves.
    enum Saving: CaseIterable {
        case afterEachStep, atTheEnd, atRandom
    }

    @Test(arguments: Engine.allCases, Saving.allCases) func everyStateComesBack(_ engine: Engine, saving: Saving) throws {
        for seed in 1...UInt64(TestShare.rounds(saving == .atRandom ? 12 : 4)) {
            let fixture = try StoreFixture(engine) {
                try ObjectStore($0, durability: .relaxed, models: UndoShelf.self, UndoBook.self, UndoTag.self)
            }
            let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
            var random = SeededGenerator(seed: seed)
            var states = [try context.read { try UndoState($0) }]
            var position = 0
            for round in 0..<60 {
                switch Int.random(in: 0..<9, using: &random) {
                case 0..<5:
                    try context.undoGroup("\(round)") { try Self.change(context, &random) }
                    let state = try context.read { try UndoState($0) }
                    if context.undoNames.first == "\(round)" {
                        position += 1
                        states = Array(states[..<position]) + [state]
                    }
                case 5..<8:
                    if try context.undo() { position -= 1 }
                default:
                    if try context.redo() { position += 1 }
                }
                if saving == .afterEachStep || saving == .atRandom && Int.random(in: 0..<4, using: &random) == 0 {
                    try context.save()
                    #expect(try fixture.store.read { try UndoState($0) } == states[position], "seed \(seed), round \(round)")
                }
                #expect(try context.read { try UndoState($0) } == states[position], "seed \(seed), round \(round)")
            }
            while try context.undo() {}
            try context.save()
            #expect(try fixture.store.read { try UndoState($0) }.count == 0, "seed \(seed)")
            while try context.redo() {}
            try context.save()
            #expect(try fixture.store.read { try UndoState($0) } == states.last, "seed \(seed)")
            #expect(try fixture.store.verify().isSound)
        }
    }

    /// Another context renames books, which this one does not, and merges bring that while a step grows: no undo or redo takes it back.
    @Test(arguments: Engine.allCases) func whatOthersHaveChangedStays(_ engine: Engine) throws {
        for seed in 1...UInt64(TestShare.rounds(4)) {
            let fixture = try StoreFixture(engine) {
                try ObjectStore($0, durability: .relaxed, models: UndoShelf.self, UndoBook.self, UndoTag.self)
            }
            let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited)), other = ObjectContext(fixture.store)
            var random = SeededGenerator(seed: seed)
            var titles: [ObjectID: String] = [:]
            for round in 0..<60 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0..<3: try context.undoGroup("\(round)") { try Self.change(context, &random) }
                case 3, 4: try context.undo()
                case 5: try context.redo()
                default:
                    try context.save()
                    try other.mergeChanges()
                    let books = try context.fetch(UndoBook.self).all()
                    guard let changed = books.randomElement(using: &random), let any = books.randomElement(using: &random) else { continue }
                    changed.pages += 1
                    let renamed = Bool.random(using: &random) ? changed : any
                    let same = try #require(try other.fetch(UndoBook.self, id: renamed.id))
                    same.title = "by others, \(round)"
                    try other.save()
                    titles[renamed.id] = "by others, \(round)"
                    try context.mergeChanges()
                    if Bool.random(using: &random) { try context.save() }
                    if Bool.random(using: &random) { changed.pages += 1 }
                }
                for book in try context.fetch(UndoBook.self).all() {
                    if let title = titles[book.id] { #expect(book.title == title, "seed \(seed), round \(round)") }
                }
            }
            while try context.undo() {}
            try context.save()
            while try context.redo() {}
            try context.save()
            let fresh = ObjectContext(fixture.store)
            for book in try fresh.fetch(UndoBook.self).all() {
                if let title = titles[book.id] { #expect(book.title == title, "seed \(seed)") }
            }
            #expect(try fixture.store.danglingReferences().isEmpty && fixture.store.verify().isSound, "seed \(seed)")
        }
    }

    /// One to three changes of any kind.
    private static func change(_ context: ObjectContext, _ random: inout SeededGenerator) throws {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let shelves = try context.fetch(UndoShelf.self).all()
            let books = try context.fetch(UndoBook.self).all()
            let tags = try context.fetch(UndoTag.self).all()
            switch Int.random(in: 0..<12, using: &random) {
            case 0: try context.insert(UndoShelf(name: "\(shelves.count)"))
            case 1: try context.insert(UndoTag(name: "\(tags.count)"))
            case 2, 3:
                let book = UndoBook(title: "\(books.count)")
                try context.insert(book)
                book.shelf = shelves.randomElement(using: &random)
            case 4: books.randomElement(using: &random)?.pages += 1
            case 5: books.randomElement(using: &random)?.shelf = shelves.randomElement(using: &random)
            case 6: books.randomElement(using: &random)?.tags = tags.filter { _ in Bool.random(using: &random) }
            case 7: shelves.randomElement(using: &random)?.books = books.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
            case 8:
                // Apart from the record, or in it.
                let count = Int.random(in: 1...60, using: &random)
                books.randomElement(using: &random)?.text = String(repeating: "\(Int.random(in: 100..<110, using: &random)) ", count: count)
            case 9: books.randomElement(using: &random)?.text += String(repeating: "more ", count: 10)
            case 10: if let book = books.randomElement(using: &random) { try context.delete(book) }
            default: if let shelf = shelves.randomElement(using: &random) { try context.delete(shelf) }
            }
        }
    }
}
