import TestSupport
import Testing
import TroveTesting

@testable import Trove

/// What a save finds that others have changed meanwhile belongs to the step that it follows from; saves inside of groups divide no step.
@Suite struct UndoCauseTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, models: UndoShelf.self, UndoBook.self, UndoTag.self, UndoNote.self, UndoPair.self)
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
    @Test(arguments: Engine.allCases, [false, true]) func aRuleGoesWithItsDeletion(engine: Engine, isInGroup: Bool) throws {
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
        // No rule asks anything of it, so the save is the first to find the note.
        try context.undoGroup("Nothing of it") { try context.insert(UndoPair(id: 1)) }
        try context.save()
        #expect(try shelfOfNote(fixture) == nil)
        #expect(context.undoNames == ["Nothing of it", "Delete", "Rename", nil])
        try context.undo()
        try context.save()
        #expect(try shelfOfNote(fixture) == nil && fixture.store.danglingReferences().isEmpty)
        try context.undo()
        try context.save()
        #expect(try shelfOfNote(fixture) == shelf.id)
        #expect(try fixture.store.fetch(UndoTag.self).count() == 0 && fixture.store.fetch(UndoPair.self).count() == 0)
        #expect(try context.fetch(UndoShelf.self).all().map(\.name) == ["b"])
        try context.redo()
        try context.save()
        #expect(try shelfOfNote(fixture) == nil && fixture.store.fetch(UndoTag.self).count() == (isInGroup ? 1 : 0))
        #expect(try fixture.store.verify().isSound)
    }

    /// What others do to a deletion before it is saved goes with a later step that ends before the save and looks for what follows: undo of both brings all
    /// back, and that of the later one alone leaves a reference that `danglingReferences` tells of.
    @Test(arguments: Engine.allCases) func aLaterStepTakesWhatOthersHaveDoneMeanwhile(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let shelf = UndoShelf(name: "a")
        try context.insert(shelf)
        try context.save()
        try context.undoGroup("Delete") { try context.delete(shelf) }
        try addNote(fixture, shelf)
        try context.undoGroup("Later") { try context.insert(UndoTag(name: "t")) }
        try context.save()
        #expect(try shelfOfNote(fixture) == nil && fixture.store.danglingReferences().isEmpty)
        try context.undo()
        try context.save()
        #expect(try fixture.store.danglingReferences().count == 1)
        try context.undo()
        try context.save()
        #expect(try shelfOfNote(fixture) == shelf.id && fixture.store.danglingReferences().isEmpty)
        for _ in 0..<2 { try context.redo() }
        try context.save()
        #expect(try shelfOfNote(fixture) == nil && fixture.store.danglingReferences().isEmpty)
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

    /// A group that comes back, is saved on the way and rolled back later, leaves no step that does nothing.
    @Test(arguments: Engine.allCases) func aRollBackKeepsNoStepThatChangesNothing(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let tag = UndoTag(name: "a")
        try context.insert(tag)
        try context.save()
        try context.undoGroup("Back and forth") {
            tag.name = "b"
            try context.save()
            tag.name = "a"
            try context.save()
            tag.name = "c"
            try context.rollback()
        }
        #expect(tag.name == "a")
        #expect(context.undoNames == [nil])
        try context.undo()
        #expect(!context.canUndo)
        try context.save()
        #expect(try fixture.store.fetch(UndoTag.self).count() == 0)
    }

    /// The step that a roll-back keeps counts as one.
    @Test(arguments: Engine.allCases, [1, 2]) func aRollBackKeepsOnlySoManySteps(engine: Engine, limit: Int) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .steps(limit)))
        let tag = UndoTag(name: "0")
        try context.insert(tag)
        for name in ["1", "2"] { context.undoGroup(name) { tag.name = name } }
        try context.save()
        try context.undoGroup("3") {
            tag.name = "3"
            try context.save()
            tag.name = "x"
            try context.rollback()
        }
        #expect(context.undoNames == Array(["3", "2"].prefix(limit)))
        // What was saved stays the state to come back to.
        context.undoGroup("4") { tag.name = "4" }
        try context.rollback()
        #expect(tag.name == "3")
        while try context.undo() {}
        #expect(tag.name == (limit == 1 ? "3" : "2"))
    }

    /// What two saves of one step do to a record that the step itself changes later or not at all.
    enum TwoEffects: CaseIterable {
        case inOneField, inOneFieldThenChanged, inTwoFields
    }

    /// Other writers point at what the context deletes after it has looked what follows, twice at two saves of one group: undoing it brings the record
    /// back as the first save came upon it.
    @Test(arguments: Engine.allCases, TwoEffects.allCases) func whatTwoSavesDidToARecord(engine: Engine, effects: TwoEffects) throws {
        var intervening: InterveningBackend?
        let fixture = try StoreFixture(engine) {
            let backend = InterveningBackend($0)
            intervening = backend
            return try ObjectStore(backend, durability: .relaxed, models: UndoShelf.self, UndoPair.self)
        }
        let (backend, store) = (try #require(intervening), fixture.store)
        let context = ObjectContext(store, options: ContextOptions(mergePolicy: .objectWins, durability: .buffered, undo: .unlimited))
        let shelves = ["a", "b"].map { UndoShelf(name: $0) }
        for shelf in shelves { try context.insert(shelf) }
        try context.save()
        let ids = shelves.map(\.id)
        try context.undoGroup("Delete") {
            for shelf in shelves {
                try context.delete(shelf)
                let (id, isLeft) = (shelf.id, effects != .inTwoFields || shelf === shelves[0])
                backend.intervene(beforeWriteOf: .buffered) {
                    let other = ObjectContext(store)
                    let target = try other.fetch(UndoShelf.self, id: id)
                    let pair: UndoPair
                    if let stored = try other.fetch(UndoPair.self, id: 1) {
                        pair = stored
                    } else {
                        pair = UndoPair(id: 1)
                        try other.insert(pair)
                    }
                    if isLeft { pair.left = target } else { pair.right = target }
                    try other.save()
                }
                try context.save()
            }
            let pair = try #require(try context.fetch(UndoPair.self, id: 1))
            #expect(pair.left == nil && pair.right == nil)
            if effects == .inOneFieldThenChanged { pair.label = "later" }
        }
        #expect(context.undoNames.first == "Delete")
        try context.undo()
        try context.save()
        let other = ObjectContext(store)
        let pair = try #require(try other.fetch(UndoPair.self, id: 1))
        #expect(pair.left?.id == ids[0] && pair.label == "")
        #expect(pair.right?.id == (effects == .inTwoFields ? ids[1] : nil))
        #expect(try Set(other.fetch(UndoShelf.self).ids()) == Set(ids))
        try context.redo()
        try context.save()
        #expect(try store.fetch(UndoShelf.self).count() == 0)
        #expect(try store.verify().isSound && store.danglingReferences().isEmpty)
    }
}
