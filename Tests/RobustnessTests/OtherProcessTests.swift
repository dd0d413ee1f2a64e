import ProbeKit
import Synchronization
import TestSupport
import Testing
import Trove

/// What other processes commit is seen by observers and contexts of this one.
@Suite(.serialized) struct OtherProcessTests {
    private func store(_ engine: Engine, _ path: String, access: StoreAccess = .readWrite, _ model: any Model.Type = Account.self) throws -> ObjectStore {
        try ObjectStore(engine.open(path), access: access, durability: .buffered, observesOtherProcesses: .every(.milliseconds(5)), models: model)
    }

    @Test(arguments: SharingTests.shared) func observersFollow(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.require(.open(engine, path: path))
            let store = try store(engine, path)
            let seen = SeenBalances()
            let task = Task { for try await accounts in store.observe(store.fetch(Account.self)) { seen.take(accounts) } }
            defer { task.cancel() }
            for balance in 1...3 {
                try await probe.require(.increment(path: path, account: 7, times: 1))
                try await waitUntil("commit \(balance)") { seen.balances == [7: balance] }
            }
            // Those of this process come between.
            var account = try #require(try await store.fetch(Account.self, id: 7))
            account.balance = 50
            try await store.save(account)
            try await waitUntil("the own commit") { seen.balances == [7: 50] }
            try await probe.require(.increment(path: path, account: 7, times: 2))
            try await waitUntil("the commits after it") { seen.balances == [7: 52] }
            try await store.close()
        }
    }

    /// While both write all the time nothing is missed: the last result is what the store has in the end.
    @Test(arguments: SharingTests.shared) func observersFollowWhileBothWrite(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.require(.open(engine, path: path))
            try await probe.require(.increment(path: path, account: 1, times: 1))
            let store = try store(engine, path)
            var account = try #require(try await store.fetch(Account.self, id: 1))
            let seen = SeenBalances()
            let task = Task { for try await accounts in store.observe(store.fetch(Account.self).where { $0.id == 2 }) { seen.take(accounts) } }
            defer { task.cancel() }
            for round in 1...3 {
                async let theirs = probe.require(.increment(path: path, account: 2, times: 20))
                for _ in 1...30 {
                    account.balance += 1
                    try await store.save(account)
                }
                _ = try await theirs
                try await waitUntil("round \(round)") { seen.balances == [2: 20 * round] }
            }
            try await store.close()
        }
    }

    /// A process that only reads, such as an extension that shows something, follows another one that writes.
    @Test(arguments: SharingTests.shared, [StoreAccess.readOnly, .readWrite]) func contextsFollow(engine: Engine, access: StoreAccess) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { probe in
            try await probe.require(.open(engine, path: path))
            try await probe.require(.increment(path: path, account: 7, times: 1))
            let store = try store(engine, path, access: access, LiveAccount.self)
            let context = ObjectContext(store, options: ContextOptions(mergesChangesAutomatically: true))
            let account = try #require(try await context.fetch(LiveAccount.self, id: 7))
            let list = try await context.fetch(LiveAccount.self).where { $0.balance > 2 }.results()
            for balance in 2...4 {
                try await probe.require(.increment(path: path, account: 7, times: 1))
                try await waitUntil("commit \(balance)") { account.balance == balance }
                try await waitUntil("the list after commit \(balance)") { list.isEmpty == (balance == 2) }
            }
            if access == .readWrite {
                account.balance = 10
                try await context.save()
                try await probe.require(.increment(path: path, account: 7, times: 1))
                try await waitUntil("the commit after the save") { account.balance == 11 }
            }
            // A context that does not merge by itself looks when it merges.
            let other = ObjectContext(store)
            let same = try #require(try await other.fetch(LiveAccount.self, id: 7))
            try await probe.require(.increment(path: path, account: 7, times: 3))
            try await other.mergeChanges()
            let expected = access == .readWrite ? 14 : 7
            #expect(same.balance == expected)
            try await store.close()
            withExtendedLifetime((context, other, list)) {}
        }
    }

    /// A process that is killed in a write has changed nothing, and nothing is told of it; the next one is followed as before.
    @Test(arguments: SharingTests.shared) func aKilledWriterIsNotSeen(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        try await ProbeProcess.use { first in
            try await first.require(.open(engine, path: path))
            let store = try store(engine, path)
            let seen = SeenBalances()
            let task = Task { for try await accounts in store.observe(store.fetch(Account.self)) { seen.take(accounts) } }
            defer { task.cancel() }
            try await waitUntil("the first result") { seen.count == 1 }
            try await first.require(.beginWrite(path: path))
            try await first.stop()
            try await ProbeProcess.use { second in
                try await second.require(.open(engine, path: path))
                try await second.require(.increment(path: path, account: 5, times: 1))
                try await waitUntil("the commit") { seen.balances == [5: 1] }
                let count = seen.count
                #expect(count == 2, "one result for the commit")
            }
            try await store.close()
        }
    }
}

/// The results of an observation, as a task meets them.
private final class SeenBalances: Sendable {
    private let state = Mutex((balances: [Int: Int](), count: 0))

    var balances: [Int: Int] { state.withLock { $0.balances } }

    /// How many results there were.
    var count: Int { state.withLock { $0.count } }

    func take(_ accounts: [Account]) {
        state.withLock { state in
            state.balances = Dictionary(accounts.map { ($0.id, $0.balance) }, uniquingKeysWith: { first, _ in first })
            state.count += 1
        }
    }
}

/// The probe's accounts, as live objects.
@Model("Account") fileprivate final class LiveAccount {
    let id: Int
    var balance: Int

    init(id: Int, balance: Int) { (self.id, self.balance) = (id, balance) }
}
