import Synchronization
import TestSupport
import Testing

@testable import Trove
import TroveActiveRecord

@Model struct Rack: Equatable {
    var id: Int
    @Relationship(deleteRule: .cascade) var crates: [Reference<Crate>] = []
}

@Model struct Crate: Equatable {
    var id: Int
}

/// Notes which store models use where a store calls its delegate.
private final class Witness: StoreDelegate {
    struct Calls {
        /// By the object that was deleted.
        var deletions: [AnyReference: Set<ObjectIdentifier?>] = [:]
        var commits: [ObjectIdentifier?] = []
    }

    private let calls = Mutex(Calls())

    private var used: ObjectIdentifier? { (try? ActiveRecord.store).map { ObjectIdentifier($0) } }

    func didChange(_ change: ObjectChange) {
        let used = used
        if change.kind == .deletion { calls.withLock { _ = $0.deletions[change.reference, default: []].insert(used) } }
    }

    func didCommit(_ changes: [ObjectChange]) {
        let used = used
        calls.withLock { $0.commits.append(used) }
    }

    func takeCalls() -> Calls {
        calls.withLock { calls in
            defer { calls = Calls() }
            return calls
        }
    }
}

/// `ActiveRecord.using` in what a store does on its own threads at the end of a transaction.
@Suite struct UsingStoreTests {
    private struct Refused: Error {}

    /// A store with two racks of a crate each.
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Rack.self, Crate.self) }
        try fixture.store.save((1...2).map { Crate(id: $0) })
        try fixture.store.save((1...2).map { Rack(id: $0, crates: [Reference(id: $0)]) })
        return fixture
    }

    /// What follows from a write, and its commit, were done without the store of its task.
    @Test(arguments: Engine.allCases) func holdsForOrphansAndTheCommit(_ engine: Engine) async throws {
        let fixture = try fixture(engine)
        let (store, witness) = (fixture.store, Witness())
        store.delegate = witness
        try await ActiveRecord.using(store) { try await store.save(Rack(id: 1)) }
        try await store.save(Rack(id: 2))
        let (calls, used) = (witness.takeCalls(), ObjectIdentifier(store))
        #expect(calls.deletions == [AnyReference(Crate.self, id: 1): [used], AnyReference(Crate.self, id: 2): [nil]])
        #expect(calls.commits == [used, nil])
    }

    /// Of writes that share a commit each has its own store until its end, also when another one fails and all are done again; the commit is that of no task.
    @Test(arguments: Engine.allCases, [false, true]) func holdsInASharedCommit(_ engine: Engine, oneFails: Bool) async throws {
        let fixture = try fixture(engine)
        let (store, witness) = (fixture.store, Witness())
        let holder = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
        store.delegate = witness
        let inside = Task { try await ActiveRecord.using(store) { try await store.save(Rack(id: 1)) } }
        try await waitUntil("a write in the queue") { store.writeQueue.waitingCount == 1 }
        let outside = Task { try await store.save(Rack(id: 2)) }
        try await waitUntil("two writes in the queue") { store.writeQueue.waitingCount == 2 }
        let last = Task { try await store.write { _ in if oneFails { throw Refused() } } }
        try await waitUntil("three writes in the queue") { store.writeQueue.waitingCount == 3 }
        try await holder.end()
        try await inside.value
        try await outside.value
        if oneFails {
            await #expect(throws: Refused.self) { try await last.value }
        } else {
            try await last.value
        }
        let (calls, used) = (witness.takeCalls(), ObjectIdentifier(store))
        #expect(calls.deletions == [AnyReference(Crate.self, id: 1): [used], AnyReference(Crate.self, id: 2): [nil]])
        #expect(calls.commits == [nil])
    }
}
