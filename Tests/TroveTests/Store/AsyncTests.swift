import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct AsyncTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Song.self, Country.self) }
    }

    @Test(arguments: Engine.allCases) func twins(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let songs = (0..<1_000).map(Song.sample)
        try await store.save(songs)
        try await store.insert(Country(code: "ch", name: "Switzerland"))
        #expect(try await store.fetch(Song.self, id: songs[3].id) == songs[3])
        #expect(try await store.fetch(Song.self, ids: [songs[5].id, songs[4].id]) == [songs[5], songs[4]])
        #expect(try await store.fetch(Song.self).all() == songs)
        #expect(try await store.fetch(Song.self).count() == 1_000)
        #expect(try await store.fetch(Song.self).first() == songs[0])
        #expect(try await store.delete(songs[0]))
        let title = try await store.write { transaction in
            try transaction.delete(Song.self, id: songs[1].id)
            return try transaction.fetch(Song.self).first()?.title
        }
        #expect(title == songs[2].title)
        #expect(try await store.read { try $0.fetch(Song.self).count() } == 998)
        try await store.synchronize()
        try await store.close()
        await #expect(throws: StorageError.self) { try await store.save(songs[0]) }
    }

    @Test(arguments: Engine.allCases) func streamsAndStopsEarly(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let songs = (0..<1_000).map(Song.sample)
        try await store.save(songs)
        for batchSize in [1, 7, 250, 999, 1_000, 1_001] {
            var streamed: [Song] = []
            for try await song in store.fetch(Song.self).stream(batchSize: batchSize) { streamed.append(song) }
            #expect(streamed == songs)
        }
        var count = 0
        for try await song in store.fetch(Song.self).stream(batchSize: 10) {
            // The store can be used inside the loop.
            if count == 0 { try await store.delete(song) }
            count += 1
            if count == 15 { break }
        }
        #expect(count == 15)
    }

    /// Writes that come together are committed together; each succeeds or fails for itself.
    @Test(arguments: Engine.allCases) func groupCommit(engine: Engine) async throws {
        struct Refusal: Error {}
        let fixture = try fixture(engine)
        let store = fixture.store
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 0..<300 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            try transaction.save(Country(code: "\(number)", name: "name"))
                            if number.isMultiple(of: 7) { throw Refusal() }
                        }
                        return (number, true)
                    } catch {
                        return (number, !(error is Refusal))
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.allSatisfy { $0.value == !$0.key.isMultiple(of: 7) })
        let codes = Set(try await store.fetch(Country.self).ids())
        let saved: [Int] = (0..<300).filter { !$0.isMultiple(of: 7) }
        #expect(codes == Set(saved.map { String($0) }))
    }

    /// Many more tasks than threads, each reading and writing.
    @Test(arguments: Engine.allCases) func manyTasks(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try await store.save(Country(code: "total", name: "0"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    if number.isMultiple(of: 4) {
                        try await store.write { transaction in
                            let total = try #require(try transaction.fetch(Country.self, id: "total"))
                            try transaction.save(Country(code: "total", name: String((Int(total.name) ?? 0) + 1)))
                        }
                    } else {
                        _ = try await store.fetch(Country.self, id: "total")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.fetch(Country.self, id: "total")?.name == "500")
    }

    /// A cancelled task that waits for its turn gives up; one that has begun is carried out.
    @Test(arguments: Engine.allCases) func cancellationWhileWaiting(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let first = try await HeldTransactions { hold in
            try await store.write { transaction in
                try hold()
                try transaction.save(Country(code: "first", name: ""))
            }
        }
        let second = Task { try await store.save(Country(code: "second", name: "")) }
        try await Task.sleep(for: .milliseconds(20))
        second.cancel()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        try await first.end()
        #expect(try await store.fetch(Country.self).ids() == ["first"])
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.fetch(Country.self).count()
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
