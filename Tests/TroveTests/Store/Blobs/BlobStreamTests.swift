import Foundation
import TestSupport
import Testing

@testable import Trove

/// Blobs that come and go in pieces, over several transactions.
@Suite struct BlobStreamTests {
    private struct Broken: Error {}

    private static let large = BlobFixture.bytes(2 * BlobUpload.batchSize + 12_345)

    private static func stream(_ pieces: [Data], then error: (any Error)? = nil) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish(throwing: error)
        }
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try BlobFixture.open(engine)
        for data in [Data(), BlobFixture.bytes(10), Self.large] {
            let info = try await fixture.store.setBlob(from: Self.stream(BlobFixture.pieces(data, [300_001, 1])), named: "film")
            #expect(info.size == data.count)
            #expect(try await fixture.store.blobInfo(named: "film") == info)
            var read = Data()
            for try await piece in fixture.store.blobChunks(named: "film") {
                #expect(!piece.isEmpty && piece.count <= 1 << 20)
                read.append(piece)
            }
            #expect(read == data)
        }
        #expect(try fixture.store.blobEntries().last == 0)
    }

    /// What has been stored is not held in memory, whatever the size of the pieces.
    @Test func memoryDoesNotGrow() {
        var receiver = BlobReceiver(name: "film")
        let piece = Data(count: BlobUpload.batchSize / 2 + 1)
        var size = 0
        for _ in 0..<3 {
            receiver.take(piece)
            while let part = receiver.nextPart() { size += part.count }
            #expect(receiver.rest.startIndex == 0)
        }
        let last = receiver.end().part.count
        #expect(size + last == 3 * piece.count)
    }

    /// A source that fails, and a task that is cancelled, leave what was there, and nothing else.
    @Test(arguments: Engine.allCases) func whatBreaksOffLeavesTheOldBlob(engine: Engine) async throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        let old = BlobFixture.bytes(3 * BlobFixture.chunk, seed: 9)
        try await store.setBlob(old, named: "film")
        let before = try store.blobEntries()
        await #expect(throws: Broken.self) { try await store.setBlob(from: Self.stream(BlobFixture.pieces(Self.large, [1 << 20]), then: Broken()), named: "film") }
        #expect(try store.blobEntries() == before)
        #expect(try await store.blob(named: "film") == old)
        let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        continuation.yield(Self.large)
        let task = Task { try await store.setBlob(from: stream, named: "film") }
        try await waitUntil("the first parts are stored") { try store.blobEntries()[3] == 1 }
        #expect(try await store.blob(named: "film") == old, "nobody sees what has come")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try store.blobEntries() == before)
        #expect(try await store.blob(named: "film") == old)
        #expect(try await store.verify().isSound)
    }

    /// What the thread for maintenance does for a task ends with the task.
    @Test(arguments: Engine.allCases) func aFileWhoseTaskIsCancelled(engine: Engine) async throws {
        let fixture = try BlobFixture.open(engine)
        let (store, path) = (fixture.store, fixture.directory.file("source"))
        let bytes = Data(count: 1 << 20)
        try Data(count: 0).write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        for _ in 0..<40 { try file.write(contentsOf: bytes) }
        try file.close()
        // Nothing can be stored before the task is cancelled.
        let (isHeld, mayEnd) = (SharedFlag(), SharedFlag())
        let holder = Task.detached {
            try await store.write { _ in
                isHeld.raise()
                try blockUntil("the cancellation") { mayEnd.isRaised }
            }
        }
        try await waitUntil("the writer is held") { isHeld.isRaised }
        let task = Task { try await store.setBlob(contentsOf: path, named: "film") }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        mayEnd.raise()
        try await holder.value
        await #expect(throws: CancellationError.self) { try await task.value }
        try await waitUntil("the parts are removed") { try store.blobEntries() == [0, 0, 0, 0] }
    }

    /// Two that store the same name: the one that ends last stays, whole.
    @Test(arguments: Engine.allCases) func twoAtOnce(engine: Engine) async throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        let contents = (0..<4).map { BlobFixture.bytes(BlobUpload.batchSize + 70_000 * ($0 + 1), seed: UInt64($0 + 1)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for data in contents { group.addTask { try await store.setBlob(from: Self.stream(BlobFixture.pieces(data, [500_000])), named: "film") } }
            try await group.waitForAll()
        }
        let data = try #require(try await store.blob(named: "film"))
        #expect(contents.contains(data))
        #expect(try store.blobEntries() == [0, 1, (data.count + BlobFixture.chunk - 1) / BlobFixture.chunk, 0])
    }

    /// Who reads piece by piece never gets a mixture.
    @Test(arguments: Engine.allCases) func aBlobThatChangesWhileItIsRead(engine: Engine) async throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        let changes: [(ObjectStore) throws -> Void] = [{ try $0.setBlob(Self.large, named: "film") }, { try $0.setBlob(Data([1]), named: "film") }, { try $0.deleteBlob(named: "film") }]
        for change in changes {
            try await store.setBlob(Self.large, named: "film")
            var iterator = store.blobChunks(named: "film").makeAsyncIterator()
            let first = try #require(try await iterator.next())
            #expect(first == Self.large.prefix(first.count))
            try change(store)
            await #expect { try await iterator.next() } throws: { "\($0)".contains("'film' was replaced or deleted") }
            try await store.deleteBlob(named: "film")
        }
        #expect { try store.forEachBlobChunk(named: "film") { _ in } } throws: { "\($0)".contains("there is no blob 'film'") }
    }

    /// What a killed process left is removed by an upload an hour later, and not before.
    @Test(arguments: Engine.allCases) func whatNobodyEndsIsRemoved(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        let part = BlobFixture.bytes(BlobUpload.batchSize)
        for (number, age) in [(UInt64(1), 4_000.0), (2, 3_000), (.max, 5_000)] {
            let upload = BlobUpload(number: number, name: "left", source: .stream, date: .now)
            try store.write { transaction in
                var stored = try transaction.store(part, of: upload)
                stored.date = .now - age
                try transaction.writer.put(BlobKey.upload(number), stored.encode(), in: transaction.writer.createKeyspace(named: BlobSpace.uploadsName))
            }
        }
        #expect(try store.verify().isSound)
        #expect(try store.blobNames().isEmpty)
        try store.setBlob(from: [Self.large], named: "film")
        #expect(try store.blobEntries() == [0, 1, 64 + (Self.large.count + BlobFixture.chunk - 1) / BlobFixture.chunk, 1])
        #expect(try store.blob(named: "film") == Self.large)
    }

    /// An upload that was taken for one of a process that is gone says so, and leaves nothing.
    @Test(arguments: Engine.allCases) func anUploadThatRestsForTooLong(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        let pieces = sequence(state: 0) { number -> Data? in
            number += 1
            if number == 3 { try? store.write { try $0.deleteUploads { _ in true } } }
            return number < 5 ? BlobFixture.bytes(BlobUpload.batchSize + 1) : nil
        }
        #expect { try store.setBlob(from: pieces, named: "film") } throws: { "\($0)".contains("the stored part of the blob 'film' is gone") }
        #expect(try store.blobEntries() == [0, 0, 0, 0])
    }
}
