import TestSupport
import Testing
import TroveTesting

@testable import Trove

/// What others save while a step still grows, or before the save that stores it, is not the step's: undoing it leaves that.
@Suite struct UndoWhileOthersSaveTests {
    private final class World {
        let fixture: StoreFixture
        let mine: ObjectContext
        let box = PencilBox(id: 1)

        init(_ engine: Engine, _ policy: MergePolicy = .error) throws {
            fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: PencilBox.self, Pencil.self) }
            mine = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: policy, undo: .unlimited))
            try mine.insert(box)
            try mine.save()
            mine.removeAllUndoSteps()
        }

        /// Another context changes the box and saves.
        func changeElsewhere(_ change: (PencilBox) -> Void = { $0.n = 5 }) throws {
            let other = ObjectContext(fixture.store)
            try change(#require(try other.fetch(PencilBox.self, id: 1)))
            try other.save()
        }

        func expect(_ name: String, _ n: Int) throws {
            #expect(box.name == name && box.n == n)
            try mine.save()
            let stored = try #require(try fixture.store.fetch(PencilBox.self, id: 1))
            #expect(stored.name == name && stored.n == n)
        }
    }

    @Test(arguments: Engine.allCases, [true, false]) func undoKeepsWhatCameWhileTheStepGrew(engine: Engine, saves: Bool) throws {
        let world = try World(engine), (mine, box) = (world.mine, world.box)
        box.name = "new"
        try world.changeElsewhere()
        try mine.mergeChanges()
        if saves { try mine.save() }
        #expect(try mine.undo())
        try world.expect("", 5)
        #expect(try mine.redo())
        try world.expect("new", 5)
    }

    @Test(arguments: Engine.allCases) func aStepHasNothingOfOthersAlone(_ engine: Engine) throws {
        let world = try World(engine), (mine, box) = (world.mine, world.box)
        box.name = "new"
        box.name = ""
        try world.changeElsewhere()
        try mine.mergeChanges()
        mine.endUndoStep()
        #expect(box.n == 5 && !mine.canUndo)
    }

    @Test(arguments: Engine.allCases) func aStepDoesNotBringBackWhatOthersHaveDeletedMeanwhile(_ engine: Engine) throws {
        let world = try World(engine), (mine, box) = (world.mine, world.box)
        box.name = "new"
        box.name = ""
        try world.fixture.store.delete(PencilBox.self, id: 1)
        try mine.refresh()
        mine.endUndoStep()
        #expect(!mine.canUndo && !mine.hasChanges)
    }

    @Test(arguments: Engine.allCases) func aGroupKeepsWhatCameBetweenItsSaves(_ engine: Engine) throws {
        let world = try World(engine), (mine, box) = (world.mine, world.box)
        try mine.undoGroup("Rename") {
            box.name = "new"
            try mine.save()
            try world.changeElsewhere()
            try mine.mergeChanges()
            box.name = "newer"
        }
        #expect(try mine.undo())
        try world.expect("", 5)
    }

    @Test(arguments: Engine.allCases) func aStepThatBeginsDuringASaveKeepsWhatThatFinds(_ engine: Engine) async throws {
        let world = try World(engine, .byProperty), (mine, box, store) = (world.mine, world.box, world.fixture.store)
        mine.undoGroup("Rename") { box.name = "new" }
        try world.changeElsewhere()
        let held = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
        let save = Task { try await mine.save() }
        try await waitUntil("the save in the queue") { store.writeQueue.waitingCount == 1 }
        box.name = "newer"
        try await held.end()
        _ = try await save.value
        #expect(box.name == "newer" && box.n == 5)
        #expect(try mine.undo())
        try world.expect("new", 5)
        #expect(try mine.undo())
        try world.expect("", 5)
    }

    /// A step of which others have left nothing is no step of those that were saved.
    @Test(arguments: Engine.allCases) func aRollbackKeepsTheStepsBeforeOneThatIsNoMore(_ engine: Engine) throws {
        let world = try World(engine), (mine, box) = (world.mine, world.box)
        mine.undoGroup("Rename") { box.name = "new" }
        try mine.save()
        mine.undoGroup("Count") { box.n = 1 }
        try mine.save()
        try world.changeElsewhere()
        try mine.mergeChanges()
        #expect(try mine.undo())
        #expect(box.n == 5 && mine.undoNames == ["Rename"] && !mine.canRedo)
        mine.undoGroup("Rename again") { box.name = "newer" }
        try mine.rollback()
        #expect(mine.undoNames == ["Rename"])
        #expect(try mine.undo())
        try world.expect("", 5)
    }

    /// Undoing a group does not bring back what a rule changed in one of its saves, and others have deleted since.
    @Test(arguments: Engine.allCases) func undoLeavesWhatOthersDeletedAfterARule(_ engine: Engine) throws {
        var intervening: InterveningBackend?
        let fixture = try StoreFixture(engine) {
            let backend = InterveningBackend($0)
            intervening = backend
            return try ObjectStore(backend, durability: .relaxed, models: UndoShelf.self, UndoPair.self)
        }
        let (backend, store) = (try #require(intervening), fixture.store)
        let mine = ObjectContext(store, options: ContextOptions(durability: .buffered, undo: .unlimited))
        let shelf = UndoShelf(name: "a")
        try mine.insert(shelf)
        try mine.save()
        let id = shelf.id
        try mine.undoGroup("Delete") {
            try mine.delete(shelf)
            // After the context has looked what follows, so that the save is the first to find it.
            backend.intervene(beforeWriteOf: .buffered) {
                let other = ObjectContext(store)
                let pair = UndoPair(id: 1)
                pair.left = try other.fetch(UndoShelf.self, id: id)
                try other.insert(pair)
                try other.save()
            }
            try mine.save()
            let pair = try #require(try mine.fetch(UndoPair.self, id: 1))
            #expect(pair.left == nil)
            let other = ObjectContext(store)
            try other.delete(#require(try other.fetch(UndoPair.self, id: 1)))
            try other.save()
            try mine.mergeChanges()
            #expect(pair.live.status == .gone)
        }
        #expect(try mine.undo())
        try mine.save()
        #expect(try store.fetch(UndoShelf.self).ids() == [id] && store.fetch(UndoPair.self).count() == 0)
        #expect(try mine.redo())
        try mine.save()
        #expect(try store.fetch(UndoShelf.self).count() == 0 && store.fetch(UndoPair.self).count() == 0)
    }

    /// Also of a step that had ended, and that a save stores after the merge: what others have linked is no work of that save's rules.
    @Test(arguments: Engine.allCases, [true, false]) func undoKeepsLinksOfOthers(engine: Engine, merges: Bool) throws {
        let world = try World(engine, .byProperty), (mine, box) = (world.mine, world.box)
        mine.undoGroup("Rename") { box.name = "new" }
        try world.changeElsewhere { $0.own.append(Pencil(id: 1)) }
        if merges { try mine.mergeChanges() }
        try mine.save()
        #expect(try mine.undo())
        #expect(box.own.map(\.id) == [1])
        try world.expect("", 0)
        #expect(box.own.map(\.id) == [1] && box.own[0].box === box)
        #expect(try world.fixture.store.danglingReferences().isEmpty)
    }
}
