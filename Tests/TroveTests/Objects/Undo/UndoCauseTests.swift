import TestSupport
import Testing

@testable import Trove

/// What a save finds that others have changed meanwhile belongs to the step that it follows from; saves inside of groups divide no step.
@Suite struct UndoCauseTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, models: UndoShelf.self, UndoBook.self, UndoTag.self, UndoNote.self)
        }
    }

    private func context(_ fixture: StoreFixture) -> ObjectContext {
        ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .objectWins, undo: .unlimited))
    }

    /// Another context lets a note point at a shelf.
    private func addNote(_ fixture: StoreFixture, _ shelf: UndoShelf) throws {
        let other = ObjectContext(fixture.store)
        try other.insert(UndoNote(text: "new", shelf: try other.fetch(UndoShelf.self, id: shelf.id)))
        try other.save()
    }

    private func shelfOfNote(_ fixture: StoreFixture) throws -> ObjectID? {
        let other = ObjectContext(fixture.store)
        return try withExtendedLifetime(other) { try other.fetch(UndoNote.self).first()?.shelf?.id }
    }

    /// The step that renamed the shelf leads to the note as well, but nothing followed from it.
    @Test(arguments: Engine.allCases, [true]) func aRuleGoesWithItsDeletion(engine: Engine, isInGroup: Bool) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let shelf = UndoShelf(name: "a")
        try context.insert(shelf)
        try context.save()
        context.undoGroup("Rename") { shelf.name = "b" }
        try context.undoGroup("Delete") {
            try context.delete(shelf)
            if isInGroup {
                try addNote(fixture, shelf)
                try context.save()
                #expect(try shelfOfNote(fixture) == nil)
                try context.insert(UndoTag(name: "later"))
            }
        }
        if !isInGroup { try addNote(fixture, shelf) }
        context.undoGroup("Nothing of it") { _ = try? context.insert(UndoTag(name: "t")) }
        try context.save()
        #expect(try shelfOfNote(fixture) == nil)
        #expect(context.undoNames == ["Nothing of it", "Delete", "Rename", nil])
        try context.undo()
        try context.save()
        #expect(try shelfOfNote(fixture) == nil && fixture.store.danglingReferences().isEmpty)
        try context.undo()
        try context.save()
        #expect(try shelfOfNote(fixture) == shelf.id)
        #expect(try fixture.store.fetch(UndoTag.self).count() == 0)
        #expect(try context.fetch(UndoShelf.self).all().map(\.name) == ["b"])
        try context.redo()
        try context.save()
        #expect(try shelfOfNote(fixture) == nil && fixture.store.fetch(UndoTag.self).count() == (isInGroup ? 1 : 0))
        #expect(try fixture.store.verify().isSound)
    }

    /// A roll-back comes back to the last save, also when that was in the middle of a step; what it had stored of it can be undone.
    @Test(arguments: Engine.allCases, [false, true]) func aRollBackKeepsWhatASaveInAGroupStored(engine: Engine, endsGroup: Bool) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let tag = UndoTag(name: "a")
        try context.insert(tag)
        try context.save()
        try context.undoGroup("Both") {
            tag.name = "b"
            try context.save()
            tag.name = "c"
            if !endsGroup { try context.rollback() }
        }
        if endsGroup {
            #expect(context.undoNames == ["Both", nil])
            try context.rollback()
        }
        #expect(tag.name == "b")
        #expect(context.undoNames == ["Both", nil])
        try context.undo()
        #expect(tag.name == "a")
        try context.redo()
        #expect(tag.name == "b")
        try context.undo()
        try context.save()
        #expect(try fixture.store.fetch(UndoTag.self).all().map(\.name) == ["a"])
    }

    /// What a group does and takes back, with a save between, is no step.
    @Test(arguments: Engine.allCases) func aGroupThatComesBackIsNoStep(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        try context.undoGroup("Back and forth") {
            let tag = UndoTag(name: "a")
            try context.insert(tag)
            try context.save()
            try context.delete(tag)
        }
        #expect(context.undoNames == [])
        try context.save()
        #expect(try fixture.store.fetch(UndoTag.self).count() == 0)
    }
}
