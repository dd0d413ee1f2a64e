import Foundation
import Synchronization
import TestSupport
import Testing
import TroveBackendKit
import TroveStorage

@testable import Trove

/// Contexts take over what nobody told them: commits of another store on the same file, and those that the store was notified of.
/// `OtherProcessTests` of the robustness tests has other processes.
@Suite struct OtherProcessMergeTests {
    private static let models: [any Model.Type] = [Account.self, Player.self, Team.self]

    private func fixture(_ engine: Engine, _ observation: OtherProcessObservation) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, observesOtherProcesses: observation, models: Self.models) }
    }

    private func otherStore(_ fixture: StoreFixture) throws -> ObjectStore {
        try ObjectStore(fixture.engine.open(fixture.directory.file()), durability: .buffered, models: Self.models)
    }

    @Test(arguments: Engine.allCases) func automaticContextsFollow(engine: Engine) async throws {
        let fixture = try fixture(engine, .every(.milliseconds(2)))
        defer { withExtendedLifetime(fixture) {} }
        try fixture.fill(10, 20)
        let other = try otherStore(fixture)
        let mine = ObjectContext(fixture.store, options: ContextOptions(mergesChangesAutomatically: true))
        let here = try #require(try await mine.fetch(Account.self, id: 1)), gone = try #require(try await mine.fetch(Account.self, id: 2))
        for balance in 11...15 {
            try await other.save(Account(id: 1, name: "account 1", balance: balance))
            try await waitUntil("the merge") { here.balance == balance }
        }
        try await other.delete(Account.self, id: 2)
        try await waitUntil("the deletion") { mine.perform { gone.live.status == .gone } }
        let team = Team(name: "Reds")
        try mine.insert(team)
        team.players = [Player(name: "first")]
        try await mine.save()
        let theirs = ObjectContext(other)
        let same = try #require(try await theirs.fetch(Team.self, id: team.id))
        same.players.append(Player(name: "second"))
        try await theirs.save()
        try await waitUntil("the player") { team.players.map(\.name) == ["first", "second"] }
        #expect(team.players.allSatisfy { $0.team === team })
        try await other.close()
        withExtendedLifetime((mine, theirs)) {}
    }

    /// Without looks a context takes over what the store was notified of; with looks, a merge looks itself.
    @Test(arguments: Engine.allCases, [OtherProcessObservation.never, .every(.seconds(3_600))])
    func mergesLookThemselves(engine: Engine, observation: OtherProcessObservation) throws {
        let fixture = try fixture(engine, observation)
        defer { withExtendedLifetime(fixture) {} }
        try fixture.fill(10)
        let other = try otherStore(fixture)
        let mine = ObjectContext(fixture.store)
        let here = try #require(try mine.fetch(Account.self, id: 1))
        try other.save(Account(id: 1, name: "account 1", balance: 11))
        try mine.mergeChanges()
        #expect(here.balance == (observation == .never ? 10 : 11))
        fixture.store.notifyChangesOfOtherProcesses()
        try mine.mergeChanges()
        #expect(here.balance == 11)
        try other.close()
    }

    @Test(arguments: Engine.allCases) func aNotifiedStoreMergesItself(engine: Engine) async throws {
        let fixture = try fixture(engine, .never)
        defer { withExtendedLifetime(fixture) {} }
        try fixture.fill(10)
        let other = try otherStore(fixture)
        let mine = ObjectContext(fixture.store, options: ContextOptions(mergesChangesAutomatically: true))
        let here = try #require(try await mine.fetch(Account.self, id: 1))
        try await other.save(Account(id: 1, name: "account 1", balance: 11))
        fixture.store.notifyChangesOfOtherProcesses()
        try await waitUntil("the merge") { here.balance == 11 }
        try await other.close()
        withExtendedLifetime(mine) {}
    }

    /// Unsaved changes stay, and a property that both have changed is for the save to judge.
    @Test(arguments: Engine.allCases) func unsavedChangesStay(engine: Engine) throws {
        let fixture = try fixture(engine, .every(.seconds(3_600)))
        defer { withExtendedLifetime(fixture) {} }
        try fixture.fill(10)
        let other = try otherStore(fixture)
        let mine = ObjectContext(fixture.store)
        let here = try #require(try mine.fetch(Account.self, id: 1))
        here.note = "mine"
        try other.save(Account(id: 1, name: "theirs", balance: 11))
        try mine.mergeChanges()
        #expect(here.note == "mine" && here.name == "theirs" && here.balance == 11 && mine.hasChanges)
        try mine.save()
        here.balance = 12
        try other.save(Account(id: 1, name: "theirs", balance: 13, note: "mine"))
        try mine.mergeChanges()
        #expect(here.balance == 12)
        #expect(throws: TroveError.self) { try mine.save() }
        try mine.rollback()
        try mine.mergeChanges()
        #expect(here.balance == 13 && !mine.hasChanges)
        here.balance = 14
        try mine.save()
        #expect(try other.fetch(Account.self, id: 1)?.balance == 14)
        try other.close()
    }

    /// Of many objects only those are read whose records are others.
    @Test(arguments: Engine.allCases) func onlyOtherRecordsAreRead(engine: Engine) throws {
        let fixture = try fixture(engine, .never)
        defer { withExtendedLifetime(fixture) {} }
        try fixture.store.save((1...2_000).map { Account(id: $0, name: "account \($0)", balance: $0) })
        let other = try otherStore(fixture)
        let mine = ObjectContext(fixture.store)
        let accounts = try mine.fetch(Account.self).all()
        let team = Team(name: "Reds")
        try mine.insert(team)
        #expect(try mine.outdated(mine.map.objects).isEmpty)
        try other.save(Account(id: 7, name: "account 7", balance: 0))
        try other.save(Account(id: 8, name: "account 8", balance: 8))
        try other.delete(Account.self, id: 1_999)
        let ids = try mine.outdated(mine.map.objects).compactMap { ($0 as? Account)?.id }
        #expect(ids.sorted() == [7, 1_999], "one was saved as it was")
        try mine.save()
        #expect(try mine.outdated(mine.map.objects).count == 2, "nor is what the context has saved")
        try other.close()
        withExtendedLifetime(accounts) {}
    }

    /// A look may wait for the engine, and the engine for the end of a read: who is in that read does not wait for the look. What the look was to find is
    /// taken over all the same.
    @Test(arguments: [Engine.sqlite, .lmdb]) func aMergeDoesNotWaitForALookOfAnother(engine: Engine) throws {
        var opened: StallingBackend?
        let fixture = try StoreFixture(engine) {
            let backend = StallingBackend($0)
            opened = backend
            return try ObjectStore(backend, durability: .buffered, observesOtherProcesses: .every(.seconds(3_600)), models: Self.models)
        }
        defer { withExtendedLifetime(fixture) {} }
        let backend = try #require(opened), store = fixture.store
        try fixture.fill(10)
        let other = try otherStore(fixture)
        let mine = ObjectContext(store)
        let here = try #require(try mine.fetch(Account.self, id: 1))
        try other.save(Account(id: 1, name: "account 1", balance: 11))
        let hasLooked = SharedFlag()
        backend.stallNextRead()
        Thread {
            _ = try? store.core.otherProcesses.look()
            hasLooked.raise()
        }.start()
        try blockUntil("the look") { backend.isStalled }
        try store.read { _ in try mine.mergeChanges() }
        #expect(!backend.hasWaitedInVain)
        #expect(here.balance == 11)
        backend.goOn()
        try blockUntil("the end of the look") { hasLooked.isRaised }
        try other.close()
    }
}

/// Lets a read wait before it begins.
private final class StallingBackend: ForwardingBackend {
    private enum State { case idle, armed, stalled, inVain }

    let wrappedBackend: any StorageBackend
    private let state = Mutex(State.idle)
    private let signal = DispatchSemaphore(value: 0)

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    var isStalled: Bool { state.withLock { $0 == .stalled } }

    /// Whether nobody let the read go on for so long that somebody seems to wait for it.
    var hasWaitedInVain: Bool { state.withLock { $0 == .inVain } }

    func stallNextRead() { state.withLock { $0 = .armed } }

    func goOn() { signal.signal() }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        let waits = state.withLock { state in
            guard state == .armed else { return false }
            state = .stalled
            return true
        }
        if waits, signal.wait(timeout: .now() + 30) == .timedOut { state.withLock { $0 = .inVain } }
        try wrappedBackend.read(body)
    }
}
