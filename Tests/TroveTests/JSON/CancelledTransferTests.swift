import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// A transfer ends when its task is cancelled.
@Suite struct CancelledTransferTests {
    private typealias Album = Transferred.Album

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Album.self) }
    }

    /// An export of so many objects.
    private static func export(of count: Int) throws -> Data {
        let source = try fixture(.memory)
        try source.store.save((0..<count).map { Album(id: "\($0)", year: 1959) })
        var bytes = Data()
        try source.store.exportJSON(into: { bytes.append(contentsOf: $0) })
        return bytes
    }

    @Test(arguments: Engine.allCases) func importInOneTransaction(engine: Engine) async throws {
        let (fixture, text) = (try Self.fixture(engine), try Self.export(of: 3))
        let store = fixture.store
        let task = Task { try store.importJSON(text, progress: { _ in withUnsafeCurrentTask { $0?.cancel() } }) }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await store.fetch(Album.self).count() == 0)
        try store.importJSON(text)
        #expect(try await store.fetch(Album.self).count() == 3)
    }

    @Test(arguments: Engine.allCases) func importOnTheMaintenanceThread(engine: Engine) async throws {
        let (fixture, text) = (try Self.fixture(engine), try Self.export(of: 3))
        let (store, directory) = (fixture.store, try TemporaryDirectory())
        let path = directory.file("albums.jsonl")
        try text.write(to: URL(filePath: path))
        let (hasBegun, isCancelled) = (SharedFlag(), SharedFlag())
        let task = Task {
            try await store.importJSON(
                from: path,
                progress: { _ in
                    hasBegun.raise()
                    try blockUntil("the cancellation") { isCancelled.isRaised }
                })
        }
        try await waitUntil("the first piece") { hasBegun.isRaised }
        task.cancel()
        isCancelled.raise()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await store.fetch(Album.self).count() == 0)
    }

    /// The batches that were committed stay, and the import goes on behind them.
    @Test(arguments: Engine.allCases) func importInBatches(engine: Engine) async throws {
        let (fixture, text) = (try Self.fixture(engine), try Self.export(of: 40))
        let store = fixture.store
        let task = Task {
            try store.importJSON(JSONLines(text, pieceSize: 500), .inBatches, nil, .kept, .relaxed) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        let count = try await store.fetch(Album.self).count()
        #expect(count > 0 && count < 40)
        let report = try store.importJSON(text, mode: .inBatches)
        #expect(report.isComplete)
        #expect(try await store.fetch(Album.self).count() == 40)
    }
}
