import TestSupport
import Testing

@testable import Trove

/// Steps that end while a save is under way are not in it: a roll-back discards them, and undoing others leaves them alone.
@Suite struct UndoDuringSaveTests {
    private final class World {
        let fixture: StoreFixture
        let context: ObjectContext
        let a = Account(id: 0, name: "a", balance: 100), b = Account(id: 1, name: "b", balance: 100)

        init(_ engine: Engine, _ limit: UndoLimit = .unlimited) throws {
            // Steps that end during a save wait for its transaction, which goes on until they have ended.
            fixture = try StoreFixture(engine, timeout: .milliseconds(200)) {
                try ObjectStore($0, durability: .buffered, models: Account.self, UndoShelf.self, UndoBook.self, UndoTag.self, UndoNote.self)
            }
            context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .objectWins, undo: limit))
            try context.insert([a, b])
            try context.save()
            context.removeAllUndoSteps()
        }

        /// Saves, and runs `change` after the save has taken its values and before it is committed.
        func save(during change: () throws -> Void) async throws {
            let (store, context) = (fixture.store, context)
            let held = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
            let save = Task { try await context.save() }
            try await waitUntil("the save in the queue") { store.writeQueue.waitingCount == 1 }
            try change()
            try await held.end()
            _ = try await save.value
        }

        func beginGroup(_ name: String) { context.domain.withLock { context.state.history?.beginGroup(name) } }

        func endGroup() { context.domain.withLock { context.state.history?.endGroup() } }

        /// Another context lets the only note point at the only shelf.
        func pointNoteAtShelf() throws {
            let other = ObjectContext(fixture.store)
            let note = try #require(try other.fetch(UndoNote.self).first())
            note.shelf = try other.fetch(UndoShelf.self).first()
            try other.save()
        }

        func storedNote() throws -> (shelf: ObjectID?, text: String) {
            let fresh = ObjectContext(fixture.store)
            let note = try #require(try fresh.fetch(UndoNote.self).first())
            return withExtendedLifetime(fresh) { (note.shelf?.id, note.text) }
        }

        var stored: [Int] {
            get throws { try fixture.store.fetch(Account.self).sorted(by: \.id).all().map(\.balance) }
        }
    }

    @Test(arguments: Engine.allCases) func undoTakesBackItsOwnStepAlone(_ engine: Engine) async throws {
        let world = try World(engine), (context, a, b) = (world.context, world.a, world.b)
        context.undoGroup("one") { a.note = "one" }
        try await world.save { context.undoGroup("two") { a.balance = 150 } }
        #expect(context.undoNames == ["two", "one"] && context.hasChanges)
        context.undoGroup("three") { b.balance = 7 }
        try await context.save()
        #expect(try context.undo())
        #expect(a.balance == 150 && b.balance == 100)
        #expect(context.undoNames == ["two", "one"])
        try await context.save()
        #expect(try world.stored == [150, 100])
        #expect(try context.undo())
        #expect(a.balance == 100 && a.note == "one")
        #expect(try context.undo())
        #expect(a.note == nil)
        while try context.redo() {}
        #expect(a.balance == 150 && a.note == "one" && b.balance == 7)
        try await context.save()
        #expect(try world.stored == [150, 7])
    }

    @Test(arguments: Engine.allCases, [true, false]) func aRollbackDiscardsTheLaterStep(engine: Engine, hasEnded: Bool) async throws {
        let world = try World(engine), (context, a) = (world.context, world.a)
        context.undoGroup("one") { a.note = "one" }
        try await world.save {
            if hasEnded { context.undoGroup("two") { a.balance = 150 } } else { a.balance = 150 }
        }
        // What grows by itself goes on after the save.
        if !hasEnded { a.balance = 151 }
        #expect(context.undoNames == [hasEnded ? "two" : nil, "one"])
        try context.rollback()
        #expect(context.undoNames == ["one"] && a.balance == 100 && a.note == "one")
        #expect(try context.undo())
        #expect(a.note == nil)
        try await context.save()
        #expect(try world.stored == [100, 100])
    }

    /// Also when the oldest steps are dropped meanwhile.
    @Test(arguments: Engine.allCases, 1...3) func fewStepsAreKept(engine: Engine, limit: Int) async throws {
        let world = try World(engine, .steps(limit)), (context, a) = (world.context, world.a)
        for number in 1...limit { context.undoGroup("old \(number)") { a.note = "\(number)" } }
        try await world.save {
            for number in 1...2 { context.undoGroup("new \(number)") { a.balance += number } }
        }
        var steps = 0
        while try context.undo() { steps += 1 }
        #expect(steps == limit && a.balance == (limit == 1 ? 101 : 100) && a.note == (limit < 3 ? "\(limit)" : "2"))
        while try context.redo() {}
        #expect(a.balance == 103 && a.note == "\(limit)")
        try await context.save()
        #expect(try world.stored == [103, 100])
    }

    /// The save has a part of a group that ends meanwhile. A roll-back leaves that part; without one, the group is one step.
    @Test(arguments: Engine.allCases, [true, false]) func aGroupEndsDuringTheSave(engine: Engine, rollsBack: Bool) async throws {
        let world = try World(engine), (context, a, b) = (world.context, world.a, world.b)
        world.beginGroup("group")
        a.note = "stored"
        try await world.save {
            a.balance = 5
            world.endGroup()
            context.undoGroup("next") { b.balance = 6 }
        }
        #expect(context.undoNames == ["next", "group"])
        if rollsBack {
            try context.rollback()
            #expect(context.undoNames == ["group"] && a.balance == 100 && b.balance == 100 && a.note == "stored")
        } else {
            try await context.save()
            #expect(try context.undo())
            #expect(a.balance == 5 && b.balance == 100)
        }
        #expect(try context.undo())
        #expect(a.balance == 100 && a.note == nil && !context.canUndo)
        try await context.save()
        #expect(try world.stored == [100, 100])
    }

    /// That a step may lack one side of a link was forgotten when its group ended during the save.
    @Test(arguments: Engine.allCases) func whatAGroupMayLackIsKnownAfterTheSave(_ engine: Engine) async throws {
        let world = try World(engine), context = world.context
        let (shelf, book) = (UndoShelf(name: "a"), UndoBook(title: "b"))
        try context.insert([shelf, book] as [any LiveModel])
        try await context.save()
        context.removeAllUndoSteps()
        world.beginGroup("group")
        book.shelf = shelf
        book.pages = 1
        try context.refresh(shelf, keepingChanges: false)
        try await world.save {
            world.a.note = "later"
            world.endGroup()
        }
        #expect(context.undoNames == ["group"])
        #expect(context.domain.withLock { context.state.history?.done.last?.isIncomplete } == true)
        #expect(try context.undo())
        #expect(book.shelf == nil && book.pages == 0 && shelf.books.isEmpty && world.a.note == nil)
        try await context.save()
        #expect(try await world.fixture.store.verify().isSound)
    }

    /// Steps that were forgotten during the save do not come back, and those after it are unsaved.
    @Test(arguments: Engine.allCases) func forgottenStepsStayAway(_ engine: Engine) async throws {
        let world = try World(engine), (context, a) = (world.context, world.a)
        context.undoGroup("one") { a.note = "one" }
        try await world.save {
            context.removeAllUndoSteps()
            context.undoGroup("two") { a.balance = 150 }
        }
        #expect(context.undoNames == ["two"])
        try context.rollback()
        #expect(context.undoNames == [] && a.balance == 100 && a.note == "one")
    }

    /// What a rule does in the save belongs to the step that it follows from, not to one that touched the same object meanwhile.
    @Test(arguments: Engine.allCases, [true, false]) func aRuleMeetsALaterStep(engine: Engine, hasEnded: Bool) async throws {
        let world = try World(engine), context = world.context
        let shelf = UndoShelf(name: "a"), note = UndoNote(text: "old")
        try context.insert([shelf, note] as [any LiveModel])
        try await context.save()
        try world.pointNoteAtShelf()
        try context.undoGroup("Delete") { try context.delete(shelf) }
        try await world.save {
            if hasEnded { context.undoGroup("Text") { note.text = "new" } } else { note.text = "new" }
        }
        try await context.save()
        #expect(note.shelf == nil && note.text == "new")
        #expect(try context.undo())
        #expect(note.shelf == nil && note.text == "old")
        #expect(try context.undo())
        try await context.save()
        let stored = try world.storedNote()
        #expect(stored.shelf == shelf.id && stored.text == "old")
        #expect(try await world.fixture.store.danglingReferences().isEmpty)
    }
}
