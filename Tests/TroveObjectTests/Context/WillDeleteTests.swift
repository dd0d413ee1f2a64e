import Synchronization
import TestSupport
import Testing
import Trove

/// The hook of live objects before they are deleted, which may refuse it.
@Suite struct WillDeleteTests {
    struct Kept: Error, Equatable {}

    @Model final class Note {
        var text: String
        var isKept = false
        @Transient var calls = 0
        init(_ text: String) { self.text = text }

        func willDelete() throws {
            calls += 1
            if isKept { throw Kept() }
        }
    }

    @Test(arguments: Engine.allCases) func isCalledOnceAndMayRefuse(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Note.self) }
        let context = ObjectContext(fixture.store)
        let notes = [Note("a"), Note("b")]
        try context.insert(notes)
        try context.save()
        #expect(notes.map(\.calls) == [0, 0])
        notes[0].isKept = true
        try context.save()
        try context.delete(notes)
        #expect(throws: Kept()) { try context.save() }
        #expect(try fixture.store.fetch(Note.self).count() == 2)
        #expect(context.hasChanges)
        // All changes stay; the deletion is taken back by inserting the object again.
        try context.insert(notes[0])
        let before = notes[1].calls
        try context.save()
        #expect(notes[1].calls == before + 1)
        #expect(try fixture.store.fetch(Note.self).all().map(\.text) == ["a"])
    }

    @Model final class Binder {
        var name: String
        @Relationship(deleteRule: .cascade) var notes: [Note] = []
        init(_ name: String) { self.name = name }
    }

    /// With undo a rule's work is done to the objects when the save ends the step, and they are asked too.
    @Test(arguments: Engine.allCases) func isCalledForWhatRulesDeleteWithUndo(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Binder.self, Note.self) }
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let (binder, note) = (Binder("a"), Note("1"))
        binder.notes = [note]
        note.isKept = true
        try context.insert(binder)
        try context.save()
        try context.delete(binder)
        #expect(throws: Kept()) { try context.save() }
        #expect(note.calls == 1)
        #expect(try fixture.store.fetch(Note.self).count() == 1)
        #expect(try context.undo() && binder.notes == [note])
        note.isKept = false
        try context.delete(binder)
        try context.save()
        #expect(note.calls == 2)
        #expect(try fixture.store.fetch(Note.self).count() == 0)
    }

    /// Its hooks delete or insert what a test says.
    @Model final class Folder {
        var name: String
        @Transient var calls: [String] = []
        @Transient var onSave: (() throws -> Void)?
        @Transient var onDelete: (() throws -> Void)?
        init(_ name: String) { self.name = name }

        func willSave() throws {
            calls.append("save")
            try onSave?()
        }

        func willDelete() throws {
            calls.append("delete")
            try onDelete?()
        }
    }

    /// What a hook deletes is asked too, and what a hook inserts again is saved with its own hook.
    @Test(arguments: Engine.allCases) func isCalledForWhatHooksDelete(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Folder.self) }
        let context = ObjectContext(fixture.store)
        let (first, second) = (Folder("a"), Folder("b"))
        try context.insert([first, second])
        try context.save()
        (first.calls, second.calls) = ([], [])
        // Both are saved; the first one's hook deletes the second, and itself when it is saved the next time.
        (first.name, second.name) = ("c", "d")
        var isDone = false
        first.onSave = { if !isDone { isDone = true; try context.delete([first, second]) } }
        try context.save()
        #expect(first.calls == ["save", "delete"])
        #expect(second.calls.last == "delete" && second.calls.filter { $0 == "delete" }.count == 1)
        #expect(try fixture.store.fetch(Folder.self).count() == 0)

        let third = Folder("e")
        try context.insert(third)
        try context.save()
        third.calls = []
        third.onDelete = { try context.insert(third) }
        try context.delete(third)
        try context.save()
        #expect(third.calls == ["delete", "save"])
        #expect(try fixture.store.fetch(Folder.self).all().map(\.name) == ["e"])
    }

    @Test(arguments: Engine.allCases) func isCalledBeforeAnAsynchronousSave(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Note.self) }
        let context = ObjectContext(fixture.store)
        let note = Note("a")
        try context.insert(note)
        try await context.save()
        try context.delete(note)
        try await context.save()
        #expect(note.calls == 1)
        #expect(try await fixture.store.fetch(Note.self).count() == 0)
    }
}
