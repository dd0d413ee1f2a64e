import TestSupport
import Testing

@testable import Trove

/// Undo and redo in a context, before and after saves, on every engine.
@Suite struct UndoTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: UndoShelf.self, UndoBook.self, UndoTag.self) }
    }

    private func context(_ fixture: StoreFixture, _ limit: UndoLimit = .unlimited) -> ObjectContext {
        ObjectContext(fixture.store, options: ContextOptions(undo: limit))
    }

    @Test func aContextWithoutStepsSaysSo() throws {
        let fixture = try fixture(.memory)
        let context = context(fixture, .none)
        for step in [{ try context.undo() }, { try context.redo() }] {
            #expect { try step() } throws: { error in
                if case TroveError.contextMisuse(let reason) = error { reason.contains("ContextOptions(undo:") } else { false }
            }
        }
    }

    @Test(arguments: Engine.allCases) func namedStepsGoBackAndForth(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        #expect(!context.canUndo && !context.canRedo)
        #expect(try !context.undo())
        let shelf = UndoShelf(name: "old")
        try context.undoGroup("Add") { try context.insert(shelf) }
        context.undoGroup("Rename") {
            shelf.name = "between"
            context.undoGroup("inner") { shelf.name = "new" }
        }
        #expect(context.undoNames == ["Rename", "Add"])
        #expect(try context.undo())
        #expect(shelf.name == "old")
        #expect(context.redoNames == ["Rename"])
        #expect(try context.undo())
        #expect(try context.fetch(UndoShelf.self).count() == 0)
        #expect(!context.hasChanges)
        #expect(try !context.undo())
        #expect(try context.redo())
        #expect(try context.fetch(UndoShelf.self).all() == [shelf])
        #expect(try context.redo())
        #expect(shelf.name == "new")
        #expect(try !context.redo())
        try context.save()
        #expect(try fixture.store.fetch(UndoShelf.self).all().map(\.name) == ["new"])
        // After a save too.
        #expect(try context.undo())
        try context.save()
        #expect(try fixture.store.fetch(UndoShelf.self).all().map(\.name) == ["old"])
        #expect(try context.undo())
        try context.save()
        #expect(try fixture.store.fetch(UndoShelf.self).count() == 0)
        #expect(try context.redo())
        try context.save()
        #expect(try fixture.store.fetch(UndoShelf.self).all().map(\.id) == [shelf.id])
    }

    @Test(arguments: Engine.allCases) func changesOutsideOfGroupsGather(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let tag = UndoTag(name: "a")
        try context.insert(tag)
        tag.name = "b"
        #expect(context.undoNames == [nil])
        context.endUndoStep()
        tag.name = "c"
        try context.save()
        tag.name = "d"
        #expect(context.undoNames == [nil, nil, nil])
        try context.undo()
        #expect(tag.name == "c")
        try context.undo()
        #expect(tag.name == "b")
        // A new change makes redo impossible.
        tag.name = "e"
        context.endUndoStep()
        #expect(!context.canRedo)
        context.removeAllUndoSteps()
        #expect(!context.canUndo)
        #expect(tag.name == "e")
    }

    @Test(arguments: Engine.allCases) func aDeletedObjectComesBackWithAllThatWentWithIt(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let (shelf, tag) = (UndoShelf(name: "jazz"), UndoTag(name: "live"))
        try context.insert(shelf)
        try context.insert(tag)
        shelf.books = ["A", "B", "C"].map { UndoBook(title: $0) }
        shelf.books[1].tags = [tag]
        try context.save()
        let before = try context.read { try UndoState($0) }
        let titles = shelf.books.map(\.title)

        try context.undoGroup("Delete") { try context.delete(shelf) }
        try context.save()
        #expect(try fixture.store.fetch(UndoBook.self).count() == 0)
        #expect(tag.books.isEmpty)

        #expect(try context.undo())
        try context.save()
        #expect(try fixture.store.read { try UndoState($0) } == before)
        #expect(shelf.books.map(\.title) == titles)
        #expect(tag.books.map(\.title) == ["B"])
        #expect(tag.books.first?.shelf === shelf)
        #expect(try context.fetch(UndoBook.self).where { $0.title == "C" }.all().map(\.title) == ["C"])
        #expect(try fixture.store.verify().isSound)

        #expect(try context.redo())
        try context.save()
        #expect(try fixture.store.fetch(UndoBook.self).count() == 0)
        #expect(try context.undo())
        try context.save()
        #expect(try fixture.store.read { try UndoState($0) } == before)
    }

    @Test(arguments: Engine.allCases) func whatTwoDeletionsBeforeOneSaveDidIsToldApart(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let shelves = ["one", "two"].map { UndoShelf(name: $0) }
        for shelf in shelves {
            try context.insert(shelf)
            shelf.books = ["\(shelf.name) A", "\(shelf.name) B"].map { UndoBook(title: $0) }
        }
        try context.save()
        try context.undoGroup("one") { try context.delete(shelves[0]) }
        try context.undoGroup("two") { try context.delete(shelves[1]) }
        try context.save()
        #expect(try context.undo())
        try context.save()
        #expect(try fixture.store.fetch(UndoBook.self).sorted(by: \.title).all().map(\.title) == ["two A", "two B"])
        #expect(try context.undo())
        try context.save()
        #expect(try fixture.store.fetch(UndoBook.self).count() == 4)
    }

    /// A deletion and the insertion of another object with the id are two steps, and a save frees the id between them.
    @Test(arguments: Engine.allCases) func anotherObjectWithTheIdOfADeletedOne(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: UndoShelf.self, UndoPair.self) }
        let context = context(fixture)
        let (old, new) = (UndoPair(id: 1), UndoPair(id: 1))
        (old.label, new.label) = ("old", "new")
        try context.insert(old)
        try context.save()
        try context.undoGroup("Delete") { try context.delete(old) }
        try context.save()
        try context.undoGroup("Insert") { try context.insert(new) }
        try context.save()
        try context.undo()
        #expect { try context.undo() } throws: { if case TroveError.deletionNotSaved("UndoPair", "1") = $0 { true } else { false } }
        #expect(context.undoNames == ["Delete", nil])
        try context.save()
        try context.undo()
        #expect(try context.fetch(UndoPair.self).all().map(\.label) == ["old"])
        try context.save()
        #expect(try fixture.store.fetch(UndoPair.self).all().map(\.label) == ["old"])
        try context.redo()
        try context.save()
        try context.redo()
        try context.save()
        #expect(try fixture.store.fetch(UndoPair.self).all().map(\.label) == ["new"])
    }

    @Test(arguments: Engine.allCases) func anOrphanComesBack(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let shelf = UndoShelf(name: "jazz")
        try context.insert(shelf)
        shelf.books = ["A", "B"].map { UndoBook(title: $0) }
        try context.save()
        context.undoGroup("Take out") { _ = shelf.books.removeFirst() }
        try context.save()
        #expect(try fixture.store.fetch(UndoBook.self).all().map(\.title) == ["B"])
        #expect(try context.undo())
        try context.save()
        #expect(shelf.books.map(\.title) == ["A", "B"])
        #expect(try fixture.store.fetch(UndoBook.self).sorted(by: \.title).all().map { $0.title } == ["A", "B"])
    }

    @Test(arguments: Engine.allCases) func rollBackForgetsWhatWasNotSaved(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = context(fixture)
        let tag = UndoTag(name: "a")
        try context.undoGroup("Add") { try context.insert(tag) }
        try context.save()
        context.undoGroup("Rename") { tag.name = "b" }
        try context.rollback()
        #expect(tag.name == "a")
        #expect(context.undoNames == ["Add"])
        // An undone step that was saved before is done again by the roll-back.
        #expect(try context.undo())
        try context.rollback()
        #expect(context.undoNames == ["Add"] && !context.canRedo)
        #expect(try context.fetch(UndoTag.self).count() == 1)
    }

    @Test func onlySoManyStepsAreKept() throws {
        let fixture = try fixture(.memory)
        let context = context(fixture, .steps(2))
        let tag = UndoTag(name: "0")
        try context.insert(tag)
        for name in ["1", "2", "3"] { context.undoGroup(name) { tag.name = name } }
        #expect(context.undoNames == ["3", "2"])
        while try context.undo() {}
        #expect(tag.name == "1")
        let without = ObjectContext(fixture.store)
        try without.insert(UndoTag(name: "x"))
        #expect(!without.canUndo)
    }

    @Test func notInsideAGroup() throws {
        let fixture = try fixture(.memory)
        let context = context(fixture)
        #expect(throws: TroveError.self) { try context.undoGroup { try context.undo() } }
        #expect(throws: TroveError.self) { try context.perform { try context.undo() } }
    }

    enum CallInPlace: CaseIterable, Sendable {
        case endStep, group, removeAll
    }

    /// A step that ended in a change in place took the record of an object whose property was in the hands of the closure: the program ended there.
    @Test(arguments: Engine.allCases, CallInPlace.allCases) func noStepEndsInAChangeInPlace(_ engine: Engine, call: CallInPlace) throws {
        let fixture = try liveGraphFixture(engine)
        let context = context(fixture)
        let (song, playlist, idol) = (LiveSong(title: "1"), LivePlaylist("1"), LivePlaylist("2"))
        song.tags = ["a", "b"]
        try context.insert([song, playlist, idol] as [any LiveModel])
        try context.save()
        func callUndo() {
            switch call {
            case .endStep: context.endUndoStep()
            case .group: context.undoGroup("inner") { song.year = 1959 }
            case .removeAll:
                context.removeAllUndoSteps()
                song.year = 1959
            }
        }
        let stepsBefore = call == .removeAll ? 0 : context.undoNames.count
        song.tags.removeAll { tag in
            callUndo()
            return tag == "a"
        }
        #expect(song.tags == ["b"])
        #expect(context.undoNames.count == stepsBefore + 1)
        context.endUndoStep()
        playlist.idols.append(
            contentsOf: [idol].lazy.map { (added: LivePlaylist) -> LivePlaylist in
                callUndo()
                return added
            })
        #expect(Array(playlist.idols) == [idol])
        #expect(try context.undo())
        #expect(playlist.idols.isEmpty && idol.fans.isEmpty)
        if call != .removeAll {
            #expect(try context.undo())
            #expect(song.tags == ["a", "b"] && song.year == 1900)
            #expect(try context.redo())
            #expect(song.tags == ["b"])
        }
        #expect(try context.redo())
        #expect(Array(playlist.idols) == [idol])
        #expect(Array(idol.fans) == [playlist])
        try context.save()
        #expect(try fixture.store.fetch(LiveSong.self).first()?.tags == ["b"])
        #expect(try ObjectContext(fixture.store).fetch(LivePlaylist.self, id: playlist.id)?.idols.count == 1)
    }
    /// A change in place of an object that is gone begins no step, so that the group began it, and gave its name to all that came after it.
    @Test(arguments: Engine.allCases) func aGroupInsideAChangeInPlaceNamesNoStepThatGoesOn(_ engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = context(fixture)
        let (song, gone) = (LiveSong(title: "1"), LiveSong(title: "2"))
        gone.tags = ["a"]
        try context.insert([song, gone])
        try context.save()
        try context.delete(gone)
        try context.save()
        context.removeAllUndoSteps()
        gone.tags.removeAll { _ in
            context.undoGroup("inner") { song.year = 1959 }
            return true
        }
        song.rating = 1
        #expect(context.undoNames == [nil])
        #expect(try context.undo())
        #expect(song.year == 1900 && song.rating == nil)
    }
}
