import Foundation
import TestSupport
import Testing

@testable import Trove

/// The history as a sequence that goes on.
@Suite struct HistoryFollowingTests {
    private func titles(_ store: ObjectStore, after token: HistoryToken? = nil, _ count: Int) async throws -> [String] {
        var found: [String] = []
        for try await entry in store.followHistory(after: token, of: [HistoryNote.self]) {
            for change in entry.changes { found.append(try change.new(HistoryNote.self)?.title ?? "-") }
            if found.count == count { break }
        }
        return found
    }

    @Test(arguments: Engine.allCases) func itGivesWhatIsThereAndWhatComes(engine: Engine) async throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        try await store.save(HistoryNote(id: 1, title: "n1", rank: 1))
        let follower = Task { try await titles(store, 300) }
        for id in 2...300 {
            try await store.save(HistoryNote(id: id, title: "n\(id)", rank: 1))
            if id % 10 == 0 { try await store.save(HistoryTag(id: "t", count: id)) }
        }
        #expect(try await follower.value == (1...300).map { "n\($0)" })
        let token = try await store.history(limit: 300).next
        #expect(try await titles(store, after: token, 27).count == 27)
    }

    /// Another store on the same engine wakes it; closing and cancelling end it.
    @Test(arguments: Engine.allCases) func itEndsWithItsStoreAndItsTask(engine: Engine) async throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        let cancelled = Task { try await titles(store, 1) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let waiting = Task { try await titles(store, 1) }
        try await store.save(HistoryNote(id: 1, title: "a", rank: 1))
        #expect(try await waiting.value == ["a"])
        let token = try await store.latestHistoryToken()
        let closed = Task { try await titles(store, after: token, 1) }
        try await Task.sleep(for: .milliseconds(20))
        try await store.close()
        await #expect(throws: StorageError.self) { try await closed.value }
    }

    @Test(arguments: Engine.allCases) func itEndsWithTheHistory(engine: Engine) async throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        let follower = Task { try await titles(store, 1) }
        try await Task.sleep(for: .milliseconds(20))
        try await store.deleteHistory()
        await #expect { try await follower.value } throws: { if case TroveError.historyNotKept = $0 { true } else { false } }
    }

    @Test func anotherStoreOnTheEngineWakesIt() async throws {
        let name = "followed \(UInt64.random(in: 0 ... .max))"
        let (one, other) = (try ObjectStore(MemoryBackend(name: name), models: HistoryNote.self), try ObjectStore(MemoryBackend(name: name), models: HistoryNote.self))
        try await one.keepHistory(.values)
        let follower = Task { try await titles(one, 2) }
        try await other.save(HistoryNote(id: 1, title: "a", rank: 1))
        try await Task.sleep(for: .milliseconds(20))
        try await other.save(HistoryNote(id: 2, title: "b", rank: 1))
        #expect(try await follower.value == ["a", "b"])
    }
}
