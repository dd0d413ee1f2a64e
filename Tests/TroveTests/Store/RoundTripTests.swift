import Dispatch
import TestSupport
import Testing
@testable import Trove
import TroveTesting

/// How often an engine across a network would be waited for. The bounds hold for every engine: what is counted is what the library asks.
@Suite struct RoundTripTests {
    @Model struct Tune {
        @Attribute(.indexed) var artist: String
        @Attribute(.fullText) var title: String
        @Attribute(.indexed) var year: Int
        @Attribute(.unique) var code: String
        var rating: Double?
    }

    private static let words = [
        "autumn", "leaves", "blue", "green", "kind", "night", "day", "all", "you", "are", "moon", "river", "summer", "time", "round", "midnight",
        "giant", "steps", "naima", "so", "what",
    ]

    private static func tune(_ number: Int) -> Tune {
        let title = (0..<5).map { words[(number * 7 + $0 * ($0 + number % 13) * 3) % words.count] }.joined(separator: " ")
        return Tune(artist: "artist \(number % 50)", title: title + " n\(number)", year: 1900 + number % 100, code: "\(number)", rating: Double(number))
    }

    private let backend = CountingBackend(MemoryBackend())
    private let store: ObjectStore
    private let tunes = (0..<5_000).map(Self.tune)

    init() throws {
        store = try ObjectStore(backend, models: Tune.self)
        try store.save(tunes)
    }

    /// The result of `body`, which must wait for the engine so many times at the most.
    private func within<Result>(_ bound: Int, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Result) throws -> Result {
        var result: Result?
        let trips = try backend.trips { result = try body() }
        #expect(trips.total <= bound, "\(trips)", sourceLocation: location)
        return try #require(result)
    }

    @Test func findingByAnIndex() throws {
        let found = try within(4) { try store.fetch(Tune.self).where { $0.artist == "artist 7" }.all() }
        #expect(found.count == 100)
        let first = try within(4) { try store.fetch(Tune.self).sorted(by: \.year).limit(10).all() }
        #expect(first.map(\.year) == Array(repeating: 1900, count: 10))
    }

    @Test func rankedSearch() throws {
        #expect(try within(6) { try store.fetch(Tune.self).limit(10).search("moon") }.count == 10)
        let both = tunes.count { $0.title.contains("moon") && $0.title.contains("river") }
        #expect(try within(6) { try store.fetch(Tune.self).limit(10).search("moon river") }.count == min(both, 10))
    }

    @Test func savingOne() throws {
        try within(6) { try store.save(Self.tune(5_001)) }
        var changed = tunes[3]
        changed.year = 3
        try within(6) { try store.save(changed) }
        #expect(try store.fetch(Tune.self, id: changed.id)?.year == 3)
        #expect(try store.verify().isSound)
    }

    @Test func savingAThousandAgain() throws {
        let changed = tunes[1_000..<2_000].map { tune in
            var tune = tune
            tune.year += 1
            tune.title += " again"
            tune.code += "x"
            return tune
        }
        try within(40) { try store.save(changed) }
        #expect(try store.fetch(Tune.self).search("again").count == 1_000)
        #expect(try store.verify().isSound)
    }

    @Test func changingAThousandByQuery() throws {
        let late = store.fetch(Tune.self).where { $0.year >= 1980 }
        #expect(try within(40) { try late.update { $0.rating = 4 } } == 1_000)
        #expect(try within(40) { try late.update { $0.year += 1 } } == 1_000)
        #expect(try store.fetch(Tune.self).where { $0.rating == 4 }.count() >= 1_000)
        #expect(try store.verify().isSound)
    }

    @Test func deletingAThousandByQuery() throws {
        #expect(try within(40) { try store.fetch(Tune.self).where { $0.year >= 1980 }.delete() } == 1_000)
        #expect(try store.fetch(Tune.self).count() == 4_000)
        #expect(try store.verify().isSound)
    }

    @Test func verifying() throws {
        // Four indexes and the documents of one of words: 25,000 entries, one trip for 500 of them.
        #expect(try within(25_000 / 500 + 40) { try store.verify() }.isSound)
    }

    /// New objects in any order: each is looked up, and so is its unique value. What the highest id is was asked for each of them.
    @Test func savingInAnyOrder() throws {
        let new = (10_000..<10_064).map(Self.tune)
        for order in [Array(new.reversed()), new.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) + new.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)] {
            let trips = try backend.trips { try store.write { transaction in for tune in order { try transaction.save(tune) } } }
            #expect(trips.total <= 2 * 64 + 12 && trips[.scan] <= 2, "\(trips)")
            #expect(try store.fetch(Tune.self).where { $0.id.isIn(new.map(\.id)) }.delete() == 64)
        }
    }

    /// Sixty-four tasks that save at once pay for the indexes of the group, not each for its own.
    @Test func aGroupWritesItsIndexesOnce() async throws {
        let new = (10_000..<10_064).map(Self.tune)
        let store = store
        // The first write holds the queue, so that the others gather.
        let (isHeld, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let holder = Task {
            try await store.write { _ in
                isHeld.signal()
                try mayGoOn.waitPatiently()
            }
        }
        try await isHeld.signalled()
        backend.reset()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // In the order of their ids: one that is above all others is known to be new, any other is looked up.
            for (number, tune) in new.enumerated() {
                group.addTask { try await store.save(tune) }
                try await waitUntil("the waiting save") { store.writeQueue.waitingCount == number + 1 }
            }
            mayGoOn.signal()
            try await group.waitForAll()
        }
        try await holder.value
        let trips = backend.trips
        #expect(trips.total <= 64 + 12, "\(trips)")
        #expect(trips[.commit] == 1)
        let found = try await store.fetch(Tune.self, ids: new.map(\.id))
        #expect(found.count == 64)
        #expect(try await store.verify().isSound)
    }
}
