import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Trove

@Suite struct ContextThreadTests {
    /// Threads move money between accounts while another saves and others look: nothing is lost, made, or seen half-way.
    @Test(arguments: Engine.allCases) func transfers(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let count = 20
        let total = 1_000 * count
        try fixture.store.save((0..<count).map { Account(id: $0, name: "account \($0)", balance: 1_000) })
        let context = ObjectContext(fixture.store)
        let accounts = try context.fetch(Account.self).all()
        let running = Atomic(4)
        let failures = Mutex<[String]>([])
        let store = fixture.store
        @Sendable func attempt(_ body: () throws -> Void) {
            do { try body() } catch { failures.withLock { $0.append("\(error)") } }
        }
        DispatchQueue.concurrentPerform(iterations: 7) { worker in
            if worker < 4 {
                var random = SeededGenerator(seed: UInt64(worker))
                for _ in 0..<2_000 {
                    let from = accounts[Int.random(in: 0..<count, using: &random)]
                    let to = accounts[Int.random(in: 0..<count, using: &random)]
                    let amount = Int.random(in: 1...10, using: &random)
                    context.perform {
                        from.balance -= amount
                        to.balance += amount
                    }
                }
                running.subtract(1, ordering: .sequentiallyConsistent)
            } else if worker == 4 {
                while running.load(ordering: .sequentiallyConsistent) > 0 {
                    attempt {
                        try context.save()
                        let sum = try store.fetch(Account.self).sum(\.balance)
                        if sum != total { failures.withLock { $0.append("saved \(sum)") } }
                    }
                }
            } else if worker == 5 {
                while running.load(ordering: .sequentiallyConsistent) > 0 {
                    attempt {
                        let sum = try context.fetch(Account.self).sum(\.balance)
                        if sum != total { failures.withLock { $0.append("would save \(sum)") } }
                    }
                }
            } else {
                while running.load(ordering: .sequentiallyConsistent) > 0 {
                    let sum = context.perform { accounts.reduce(0) { $0 + $1.balance } }
                    if sum != total { failures.withLock { $0.append("has \(sum)") } }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        try context.save()
        #expect(!context.hasChanges)
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == accounts.map(\.balance))
        #expect(try fixture.store.verify().isSound)
    }

    /// Eight threads fetch, edit, insert, delete, save, roll back and walk relationships of one context.
    @Test(arguments: Engine.allCases) func everythingAtOnce(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(recentObjectCount: 32))
        let teams = (0..<4).map { Team(name: "team \($0)") }
        for (number, team) in teams.enumerated() { team.players = (0..<10).map { Player(name: "\(number).\($0)") } }
        try context.insert(teams as [any LiveModel])
        try context.save()
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            var random = SeededGenerator(seed: UInt64(worker))
            for step in 0..<60 {
                do {
                    switch Int.random(in: 0..<7, using: &random) {
                    case 0: try context.save()
                    case 1: if step % 10 == 0 { try context.rollback() }
                    case 2: try context.insert(Player(name: "new \(worker).\(step)"))
                    case 3:
                        let player = try context.fetch(Player.self).where { $0.name == "\(worker % 4).\(step % 10)" }.first()
                        player?.goals += 1
                    case 4:
                        let players = try context.fetch(Player.self).limit(5).all()
                        for player in players { player.team = teams[Int.random(in: 0..<4, using: &random)] }
                    case 5:
                        let team = teams[worker % 4]
                        _ = team.players.map(\.name)
                    default:
                        if let player = try context.fetch(Player.self).sorted(by: \.name, .descending).first(), player.name.hasPrefix("new") {
                            try context.delete(player)
                        }
                    }
                } catch TroveError.notInContext {
                    // Another thread rolled the insertion back.
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        try context.save()
        #expect(try fixture.store.verify().isSound)
        let fresh = ObjectContext(fixture.store)
        for team in teams {
            let stored = try #require(try fresh.fetch(Team.self, id: team.id) as Team?)
            #expect(stored.players.map(\.id) == team.players.map(\.id))
            #expect(stored.players.allSatisfy { $0.team === stored })
        }
    }

    @Test func savesByItself() async throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(0)
        let context = ObjectContext(fixture.store, options: ContextOptions(autosave: .after(changes: 5)))
        // What saves by itself does not keep its context.
        defer { withExtendedLifetime(context) {} }
        let account = try #require(try await context.fetch(Account.self).first())
        for change in 1...4 { account.balance = change }
        #expect(try await fixture.store.fetch(Account.self).first()?.balance == 0)
        account.balance = 5
        try await waitUntil("the save of the fifth change") { try await fixture.store.fetch(Account.self).first()?.balance == 5 }
        for id in 2...6 { try context.insert(Account(id: id, name: "\(id)")) }
        try await waitUntil("the save of five objects") { try await fixture.store.fetch(Account.self).count() == 6 }

        let timed = ObjectContext(fixture.store, options: ContextOptions(autosave: .every(.milliseconds(5))))
        defer { withExtendedLifetime(timed) {} }
        let other = try #require(try await timed.fetch(Account.self).sorted(by: \.id, .descending).first())
        for balance in [7, 8] {
            other.balance = balance
            try await waitUntil("the timed save") {
                try await fixture.store.fetch(Account.self).sorted(by: \.id, .descending).first()?.balance == balance
            }
        }
    }

    @Test(arguments: Engine.allCases) func aTimedSaveComesAgainAfterOneThatAHookRefused(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        let isRefused = SharedFlag()
        let context = ObjectContext(
            fixture.store, options: ContextOptions(autosave: .every(.milliseconds(5)), onError: { _ in isRefused.raise() }))
        defer { withExtendedLifetime(context) {} }
        let account = Account(id: 1, name: "corrected", balance: -1)
        account.hooks.validate = { if $0.balance < 0 { throw Refusal() } }
        try context.insert(account)
        try await waitUntil("the error") { isRefused.isRaised }
        account.balance = 1
        try await waitUntil("the save of what was corrected") { try await fixture.store.fetch(Account.self).first()?.balance == 1 }
    }

    /// A save that fails is not tried again at once, whatever the interval.
    @Test func theTimeBetweenFailuresGrows() {
        func delays(_ interval: Duration, _ counts: [Int]) -> [Duration] { counts.compactMap { Autosave.every(interval).delay(afterFailures: $0) } }
        #expect(delays(.zero, [0, 1, 2, 3, 6, 7, 100]) == [.zero, .seconds(1), .seconds(2), .seconds(4), .seconds(32), .seconds(60), .seconds(60)])
        #expect(delays(.seconds(-1), [1]) == [.seconds(1)])
        #expect(delays(.seconds(5), [0, 1, 4, 9]) == [.seconds(5), .seconds(5), .seconds(8), .seconds(60)])
        #expect(delays(.seconds(100), [0, 9]) == [.seconds(100), .seconds(100)])
        #expect(Autosave.after(changes: 1).delay(afterFailures: 3) == nil)
    }

    /// A count that was set later was kept as it was, and no change is the one before none.
    @Test func aCountOfChangesIsOneAtLeast() {
        var autosave = Autosave()
        autosave.changeCount = 0
        #expect(autosave == .after(changes: 1))
        autosave.changeCount = nil
        #expect(autosave == .never)
    }

    @Test(arguments: Engine.allCases) func failuresAreCountedUntilASaveSucceeds(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        let isRefused = SharedFlag()
        let context = ObjectContext(fixture.store, options: ContextOptions(autosave: .every(.zero), onError: { _ in isRefused.raise() }))
        let account = Account(id: 1, name: "corrected", balance: -1)
        account.hooks.validate = { if $0.balance < 0 { throw Refusal() } }
        try context.insert(account)
        try await waitUntil("the error") { isRefused.isRaised }
        try await waitUntil("the failure") { context.domain.withLock { context.state.failedSaveCount } > 0 }
        account.balance = 1
        try await context.save()
        #expect(context.domain.withLock { context.state.failedSaveCount } == 0)
    }

    /// What is changed after a save that succeeds does not wait as long as failures before it let changes wait.
    @Test(arguments: Engine.allCases) func aSaveThatSucceedsEndsTheWaitAfterFailures(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(autosave: .every(.milliseconds(5))))
        defer { withExtendedLifetime(context) {} }
        context.domain.withLock { context.state.failedSaveCount = 10 }
        let account = Account(id: 1, name: "a")
        try context.insert(account)
        let (isTimed, timer) = context.domain.withLock { (context.state.isTimed, context.state.timer) }
        #expect(isTimed)
        try await context.save()
        #expect(context.domain.withLock { !context.state.isTimed })
        account.balance = 1
        #expect(context.domain.withLock { context.state.timer } > timer + 1, "the change has a time of its own")
        try await waitUntil("the save of the change") { try await fixture.store.fetch(Account.self).first()?.balance == 1 }
    }

    /// Intervals of the longest, which Dispatch counts in nanoseconds.
    @Test(arguments: [.seconds(9_223_372_036) + .milliseconds(900), .seconds(Int64.max)] as [Duration]) func savesAfterALifetime(_ interval: Duration) throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(0)
        let context = ObjectContext(fixture.store, options: ContextOptions(autosave: .every(interval)))
        let account = try #require(try context.fetch(Account.self).first())
        account.balance = 1
        #expect(context.hasChanges)
        try context.save()
    }

    /// An automatic save that fails tells of it, and keeps the changes.
    @Test func failuresOfAutomaticSavesAreTold() async throws {
        let fixture = try liveFixture(.memory)
        let errors = Mutex<[any Error]>([])
        let context = ObjectContext(
            fixture.store, options: ContextOptions(autosave: .after(changes: 1), onError: { error in errors.withLock { $0.append(error) } }))
        let account = Account(id: 1, name: "refused")
        account.hooks.validate = { _ in throw Refusal() }
        try context.insert(account)
        try await waitUntil("the error") { errors.withLock { !$0.isEmpty } }
        #expect(errors.withLock { $0.first as? Refusal } == Refusal())
        #expect(context.insertedObjects.count == 1)
        account.hooks.validate = nil
        try await context.save()
        #expect(try await fixture.store.fetch(Account.self).count() == 1)
    }
}
