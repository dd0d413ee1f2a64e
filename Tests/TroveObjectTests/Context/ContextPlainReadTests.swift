import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trove

/// Which reads of a context need a transaction of the writers, and what waits for the engine's reads.
@Suite struct ContextPlainReadTests {
    private func counted(_ engine: Engine) throws -> (fixture: StoreFixture, backend: CallCountingBackend) {
        try StoreFixture.counting(engine) {
            try ObjectStore(
                $0, durability: .buffered, models: Account.self, Player.self, Team.self, UndoShelf.self, UndoBook.self, UndoTag.self, LiveLink.self)
        }
    }

    /// Does a read and looks which way it took: only a plain one is a read of the engine's.
    private func check(_ backend: CallCountingBackend, isPlain: Bool, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Bool) throws {
        backend.counts.reset()
        let isRight = try body()
        #expect(isRight, sourceLocation: location)
        #expect((backend.counts[.read] == 1) == isPlain, sourceLocation: location)
    }

    @Test(arguments: Engine.allCases) func aFetchThatNoChangeConcernsIsAPlainRead(_ engine: Engine) throws {
        let (fixture, backend) = try counted(engine)
        try fixture.fill(1, 2, 3)
        let context = ObjectContext(fixture.store)
        let (team, shelf) = (Team(name: "A"), UndoShelf(name: "jazz"))
        try context.insert(team)
        try context.insert(shelf)
        team.players = [Player(name: "1")]
        shelf.books = [UndoBook(title: "A")]
        try context.save()

        let account = try #require(try context.fetch(Account.self, id: 1))
        account.balance = 10
        try check(backend, isPlain: false) { try context.fetch(Account.self).sum(\.balance) == 15 }
        // Nothing leads from accounts to the others.
        try check(backend, isPlain: true) { try context.fetch(Player.self).all().count == 1 }
        try check(backend, isPlain: true) { try context.fetch(Team.self).where { $0.name == "A" }.count() == 1 }
        try check(backend, isPlain: true) { try context.fetch(UndoBook.self).sorted(by: \.title).page(10).objects.count == 1 }
        try check(backend, isPlain: true) {
            try context.fetch(Player.self).forEach { _, _ in }
            return true
        }
        try check(backend, isPlain: true) { try context.fetch(UndoTag.self).exists() == false }
        try context.rollback()

        // A player's change may concern its team, by the inverse, and nothing else.
        team.players[0].goals = 3
        try check(backend, isPlain: false) { try context.fetch(Team.self).count() == 1 }
        try check(backend, isPlain: true) { try context.fetch(Account.self).count() == 3 }
        try context.rollback()

        // A shelf owns books, which tags point at.
        try context.delete(shelf)
        try check(backend, isPlain: false) { try context.fetch(UndoBook.self).count() == 0 }
        try check(backend, isPlain: false) { try context.fetch(UndoTag.self).count() == 0 }
        try check(backend, isPlain: true) { try context.fetch(Player.self).count() == 1 }
        #expect(try context.fetch(Team.self, id: team.id) === team)
        // What the context's fetch does not look at cannot make it fail.
        try context.insert(Account(id: 9, name: "account 1"))
        #expect(try context.fetch(Team.self).count() == 1)
        #expect(throws: TroveError.self) { try context.fetch(Account.self).count() }
    }

    /// While a getter loads from the engine, another thread reads and changes the context's objects.
    @Test(arguments: Engine.allCases, [true, false]) func aGetterThatLoadsKeepsNobodyWaiting(_ engine: Engine, toOne: Bool) throws {
        let (fixture, backend) = try counted(engine)
        let setup = ObjectContext(fixture.store)
        let first = LiveLink(number: 1)
        try setup.insert(first)
        first.next = LiveLink(number: 2)
        first.branches = [LiveLink(number: 3), LiveLink(number: 4)]
        try setup.save()
        let context = ObjectContext(fixture.store)
        let link = try #require(try context.fetch(LiveLink.self, id: first.id))
        let (isReading, mayRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        backend.setBeforeRead {
            isReading.signal()
            mayRead.wait()
        }
        let numbers = Mutex<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        Thread {
            let found = toOne ? link.next.map { [$0.number] } ?? [] : link.branches.map(\.number)
            numbers.withLock { $0 = found }
            done.signal()
        }.start()
        try isReading.waitPatiently()
        // The getter waits for the engine.
        link.number += 10
        #expect(link.number == 11)
        #expect(context.hasChanges)
        backend.setBeforeRead(nil)
        mayRead.signal()
        try done.waitPatiently()
        #expect(numbers.withLock { $0 } == (toOne ? [2] : [3, 4]))
        try context.save()
    }
}
