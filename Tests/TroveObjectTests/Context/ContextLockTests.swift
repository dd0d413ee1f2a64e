import Dispatch
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Whose code runs under which lock, and what is refused because of it. Each test tells of a mistake that a review found.
@Suite struct ContextLockTests {
    private struct Stored {
        let fixture: StoreFixture
        let context: ObjectContext
        let team: Team
    }

    /// A team with one player; the context has the team in memory and not the player.
    private func stored(_ engine: Engine) throws -> Stored {
        let fixture = try liveFixture(engine)
        let setup = ObjectContext(fixture.store)
        let team = Team(name: "A")
        team.players = [Player(name: "1")]
        try setup.insert(team)
        try setup.save()
        let context = ObjectContext(fixture.store)
        return Stored(fixture: fixture, context: context, team: try #require(try context.fetch(Team.self, id: team.id)))
    }

    /// Runs `body` on another thread and waits for it.
    private func elsewhere(_ body: @escaping @Sendable () throws -> Void) throws {
        let outcome = Mutex<Result<Void, any Error>>(.success(()))
        let done = DispatchSemaphore(value: 0)
        Thread {
            let result = Result { try body() }
            outcome.withLock { $0 = result }
            done.signal()
        }.start()
        try done.waitPatiently()
        try outcome.withLock { $0 }.get()
    }

    // MARK: Derived values

    /// A read showed an object as the pending change of another one changes it. A roll-back on another thread, before the read was over, did
    /// not know of the object, which kept the value of a change that was no more, and would have stored it.
    @Test(arguments: Engine.allCases) func aRollbackDuringAReadTakesDerivedValuesBack(engine: Engine) throws {
        let stored = try stored(engine)
        let (context, team) = (stored.context, stored.team)
        team.players = []
        let player = try context.read { transaction in
            let player = try #require(try transaction.fetch(Player.self).first())
            try elsewhere { try context.rollback() }
            return player
        }
        #expect(player.team === team)
        #expect(!context.hasChanges)
        try context.save()
        let fresh = ObjectContext(stored.fixture.store)
        #expect(try fresh.fetch(Player.self).first()?.team?.id == team.id)
    }

    /// The same with a deletion that another thread takes back. What that thread changed of the object itself stays.
    @Test(arguments: Engine.allCases) func anInsertionDuringAReadTakesDerivedValuesBack(engine: Engine) throws {
        let stored = try stored(engine)
        let (context, team) = (stored.context, stored.team)
        try context.delete(team)
        let player = try context.read { transaction in
            let player = try #require(try transaction.fetch(Player.self).first())
            try elsewhere {
                player.goals = 5
                try context.insert(team)
            }
            return player
        }
        #expect(player.team === team)
        #expect(player.goals == 5)
        try context.save()
        let fresh = ObjectContext(stored.fixture.store)
        let same = try fresh.fetch(Player.self).first()
        #expect(same?.team?.id == team.id)
        #expect(same?.goals == 5)
    }

    // MARK: Observers

    /// Observers of what a change changes on its other side, and of what a roll-back or an undo assigns, ran with the lock held: one that waited for
    /// another thread's access was a deadlock.
    @Test(arguments: ["inverse", "perform", "roll-back", "undo", "refresh"]) func observersMayWaitForOtherThreads(change: String) throws {
        let fixture = try liveFixture(.memory)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let (team, player) = (Team(name: "A"), Player(name: "1"))
        try context.insert(team)
        try context.insert(player)
        team.players = [player]
        try context.save()
        if change == "roll-back" || change == "undo" { player.goals = 3 }
        if change == "refresh" {
            let other = ObjectContext(fixture.store)
            let same = try #require(try other.fetch(Player.self, id: player.id))
            same.goals = 4
            try other.save()
        }
        let seen = Mutex<Bool?>(nil)
        withObservationTracking { _ = (player.team, player.goals) } onChange: {
            let done = DispatchSemaphore(value: 0)
            Thread {
                _ = player.goals
                done.signal()
            }.start()
            let isDone = done.wait(timeout: .now() + 300) == .success
            seen.withLock { $0 = isDone }
        }
        switch change {
        case "inverse": team.players = []
        case "perform": context.perform { team.players = [] }
        case "roll-back": try context.rollback()
        case "undo": try context.undo()
        default: try context.refresh(player)
        }
        #expect(seen.withLock { $0 } == true)
    }

    // MARK: The identity map

    /// The map looked at objects whose last owner let go of them meanwhile, so that they ended, and their deinit ran, under the map's lock.
    @Test func objectsEndOutsideOfTheMapsLock() {
        let domain = ObjectDomain(isObservable: false, recentCount: 8)
        let map = domain.identities
        let ended = Atomic(0)
        let model = ObjectIdentifier(Account.self)
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            for number in 0..<8_000 {
                // Two workers each use the same keys, and remove what may be the other's.
                let id = number * 2 + worker % 2
                let key = ObjectKey(model, id.keyBytes)
                let account = Account(id: id, name: "")
                account.hooks.ended = {
                    _ = map.contains(key)
                    ended.add(1, ordering: .relaxed)
                }
                account._$live.move(to: domain)
                _ = map.insert(account, key)
                if number % 3 == 0 { map.remove(account) }
            }
        }
        map.removeAll()
        #expect(ended.load(ordering: .relaxed) == 32_000)
    }

    // MARK: What is refused

    /// A transaction of the store that stored a context's object waited for the context's lock, whose holder might wait for the transaction.
    @Test(arguments: Engine.allCases) func aTransactionStoresAndDeletesNoObjectsOfAContext(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store)
        let account = Account(id: 1, name: "a")
        try context.insert(account)
        func isRefused(_ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation) {
            #expect(sourceLocation: location, performing: body, throws: { error in
                if case TroveError.contextMisuse = error { true } else { false }
            })
        }
        isRefused { try fixture.store.save(account) }
        isRefused { try fixture.store.insert(account) }
        isRefused { try fixture.store.save([account]) }
        isRefused { try fixture.store.write { try $0.save(account) } }
        isRefused { try context.perform { try fixture.store.save(account) } }
        #expect(try fixture.store.fetch(Account.self).count() == 0)
        try context.save()
        // The record was deleted, and the context went on with the object.
        account.balance = 5
        isRefused { try fixture.store.delete(account) }
        isRefused { _ = try fixture.store.write { try $0.delete(account) } }
        #expect { try fixture.store.delete(account) } throws: { "\($0)".contains("context.delete(object)") }
        try context.delete(account)
        isRefused { try fixture.store.delete(account) }
        try context.save()
        #expect(try fixture.store.fetch(Account.self).count() == 0)
        try context.insert(Account(id: 1, name: "a"))
        try context.save()
        // Objects that are in no context are values like others.
        try fixture.store.save(Account(id: 2, name: "b"))
        #expect(try fixture.store.fetch(Account.self).count() == 2)
        let stored = try #require(try fixture.store.fetch(Account.self, id: 2))
        #expect(try fixture.store.delete(stored))
        #expect(try fixture.store.fetch(Account.self).count() == 1)
    }

    /// A fetch inside a change of a property in place looked at the pending changes, of which that property is one: the program ended there.
    @Test(arguments: Engine.allCases) func aFetchInsideAChangeInPlaceIsAnError(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let song = LiveSong(title: "1")
        song.tags = ["a", "b"]
        try context.insert(song)
        #expect {
            try song.tags.removeAll { _ in try context.fetch(LiveSong.self).count() == 1 }
        } throws: { error in
            if case TroveError.contextMisuse = error { true } else { false }
        }
        #expect(song.tags == ["a", "b"])
        let count = try context.fetch(LiveSong.self).count()
        song.tags.removeAll { _ in count == 1 }
        #expect(song.tags == [])
        try context.save()
        #expect(try fixture.store.fetch(LiveSong.self).count() == 1)
    }

    /// The same of a list, whose references are not in the object while it is changed: the fetch saw it as empty.
    @Test(arguments: Engine.allCases) func aFetchInsideAChangeOfAListIsAnError(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let (playlist, second, third) = (LivePlaylist("1"), LivePlaylist("2"), LivePlaylist("3"))
        try context.insert([playlist, second, third])
        playlist.idols.append(second)
        try context.save()
        var outcome: Result<Int, any Error>?
        playlist.idols.append(
            contentsOf: [third].lazy.map { (added: LivePlaylist) -> LivePlaylist in
                outcome = Result { try context.fetch(LivePlaylist.self).count() }
                return added
            })
        #expect {
            try outcome?.get()
        } throws: { error in
            if case TroveError.contextMisuse = error { true } else { false }
        }
        #expect(Array(playlist.idols) == [second, third])
        // A relationship cannot throw it.
        playlist.idols.append(contentsOf: ReferencingObjects<LivePlaylist>(to: second, by: \.idols))
        #expect(context.faultErrors.count == 1)
        #expect(Array(playlist.idols) == [second, third])
        let fans = Array(ReferencingObjects<LivePlaylist>(to: second, by: \.idols))
        playlist.idols.append(contentsOf: fans)
        #expect(Array(playlist.idols) == [second, third, playlist])
        try context.save()
        let other = ObjectContext(fixture.store)
        let stored = try other.fetch(LivePlaylist.self, id: second.id)
        #expect(stored?.fans.map(\.name) == ["1"])
        withExtendedLifetime(other) {}
    }

    /// What is wrong with a record is told once: inside a change it was read again, as if the change were in the way.
    @Test(arguments: Engine.allCases) func anUnreadableTargetIsToldOnceInsideAChange(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let setup = ObjectContext(fixture.store)
        let song = LiveSong(title: "1", album: LiveAlbum(title: "a"))
        song.tags = ["x"]
        try setup.insert(song)
        try setup.save()
        let key = try #require(song.album).contextKey.bytes
        var bytes = try #require(try fixture.store.bytes(of: "LiveAlbum", key: key))
        bytes[bytes.count - 1] ^= 1
        try fixture.store.setBytes(bytes, of: "LiveAlbum", key: key)
        let context = ObjectContext(fixture.store)
        let read = try #require(try context.fetch(LiveSong.self).first())
        read.tags.removeAll { _ in read.album == nil }
        #expect(read.tags.isEmpty)
        #expect(context.faultErrors.count == 1)
    }

    /// What is read of a list while it is changed is there, though its other sides cannot be shown as they will be.
    @Test(arguments: Engine.allCases) func aListIsReadWhileItIsChanged(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let setup = ObjectContext(fixture.store)
        let (first, second) = (LivePlaylist("1"), LivePlaylist("2"))
        first.idols = [LivePlaylist("b"), LivePlaylist("a")]
        try setup.insert([first, second])
        try setup.save()
        let context = ObjectContext(fixture.store)
        let from = try #require(try context.fetch(LivePlaylist.self, id: first.id))
        let to = try #require(try context.fetch(LivePlaylist.self, id: second.id))
        to.idols = from.idols
        func sort(_ list: inout ObjectList<LivePlaylist>) { list = ObjectList(list.sorted { $0.name < $1.name }) }
        sort(&to.idols)
        #expect(to.idols.map(\.name) == ["a", "b"])
        #expect(to.idols.allSatisfy { $0.fans.contains(to) })
        try context.save()
        let other = ObjectContext(fixture.store)
        let stored = try #require(try other.fetch(LivePlaylist.self, id: second.id))
        #expect(stored.idols.map(\.name) == ["a", "b"])
        #expect(stored.idols.allSatisfy { $0.fans.contains(stored) })
        withExtendedLifetime(other) {}
    }
}
