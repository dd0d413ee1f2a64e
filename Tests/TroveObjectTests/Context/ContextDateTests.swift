import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct ContextDateTests {
    @Test(arguments: Engine.allCases) func savesGiveObjectsDates(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let context = ObjectContext(fixture.store)
        let (whole, part) = (DatedTask(1, "whole"), DatedTask(2, "part"))
        try context.insert([whole, part])
        #expect(whole.created == nil && whole.modified == nil)
        // A fetch shows what a save would store, and the objects stay as they are.
        #expect(try context.fetch(DatedTask.self).where { $0.created == clock.now }.count() == 2)
        #expect(whole.created == nil)
        let first = clock.now
        try context.save()
        #expect(whole.created == first && whole.modified == first && part.modified == first && !context.hasChanges)

        let second = clock.advance()
        part.title = "a part"
        try context.save()
        #expect(part.created == first && part.modified == second && whole.modified == first)
        // Changed and changed back.
        let third = clock.advance()
        whole.title = "?"
        whole.title = "whole"
        try context.save()
        #expect(whole.modified == first && !context.hasChanges)
        // What another's save does to an object through an inverse is no save of it, where it is not in memory.
        let far = ObjectContext(fixture.store)
        let farPart = try #require(try far.fetch(DatedTask.self, id: 2))
        farPart.whole = try far.fetch(DatedTask.self, id: 1)
        try far.save()
        #expect(farPart.modified == third)
        try context.mergeChanges()
        #expect(part.modified == third && part.whole === whole && whole.parts.map(\.id) == [2])
        let reading = ObjectContext(fixture.store)
        let stored = try #require(try reading.fetch(DatedTask.self, id: 2))
        #expect(stored.created == first && stored.modified == third)
        #expect(try reading.fetch(DatedTask.self, id: 1)?.modified == third, "it was in memory, and its parts were changed there")
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func conflictsRollbacksAndUndo(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .byProperty, undo: .unlimited))
        let task = DatedTask(1, "one")
        try context.insert(task)
        let first = clock.now
        try context.save()
        clock.advance()
        let other = ObjectContext(fixture.store)
        try #require(try other.fetch(DatedTask.self, id: 1)).title = "theirs"
        try other.save()
        let third = clock.advance()
        task.title = "mine"
        try context.save()
        #expect(task.created == first && task.modified == third && task.title == "mine")

        task.title = "never"
        try context.rollback()
        #expect(task.modified == third && task.title == "mine" && !context.hasChanges)

        let fourth = clock.advance()
        task.title = "later"
        try context.save()
        let fifth = clock.advance()
        try context.undo()
        #expect(task.title == "mine")
        try context.save()
        #expect(task.title == "mine" && task.created == first && task.modified == fifth)
        clock.advance()
        try context.redo()
        try context.save()
        #expect(task.title == "later" && task.created == first && task.modified == clock.now && fourth < fifth)
        let reading = ObjectContext(fixture.store)
        let stored = try #require(try reading.fetch(DatedTask.self, id: 1))
        #expect(stored.title == "later" && stored.modified == clock.now && stored.created == first)

        // One that was deleted and comes back is as old as it was.
        try context.delete(task)
        try context.save()
        clock.advance()
        try context.undo()
        try context.save()
        let back = try #require(try context.fetch(DatedTask.self, id: 1))
        #expect(back.created == first && back.modified == clock.now)
        #expect(try fixture.store.verify().isSound)
    }

    /// A save that fails stores nothing, and the next one tells its own date as the last.
    @Test(arguments: Engine.allCases) func aSaveThatFails(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let (context, other) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let (mine, theirs) = (DatedTask(7, "mine"), DatedTask(7, "theirs"))
        try other.insert(theirs)
        try other.save()
        let first = clock.now
        clock.advance()
        try context.insert(mine)
        #expect(throws: TroveError.self) { try context.save() }
        let reading = ObjectContext(fixture.store)
        #expect(try reading.fetch(DatedTask.self, id: 7)?.modified == first)
        try other.delete(theirs)
        try other.save()
        clock.advance()
        try context.save()
        #expect(mine.modified == clock.now)
        let again = ObjectContext(fixture.store)
        #expect(try again.fetch(DatedTask.self, id: 7)?.modified == clock.now)
    }
}
