import Foundation

/// The bytes of a blob, in pieces: see ``ObjectStore/blobChunks(named:)``.
public struct BlobChunks: AsyncSequence, Sendable {
    let store: ObjectStore
    let name: String

    public func makeAsyncIterator() -> Iterator { Iterator(walk: BlobWalk(name: name), store: store) }

    /// The progress of reading a blob.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var walk: BlobWalk
        fileprivate let store: ObjectStore

        /// The next bytes; nil at the end.
        ///
        /// - Throws: ``TroveError/noSuchBlob(name:)``, ``TroveError/blobChanged(name:)``, ``TroveError/corruptBlob(name:)``;
        ///   `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> Data? {
            let walk = walk
            let (next, data) = try await store.read { try walk.step($0) }
            self.walk = next
            return data
        }
    }
}

/// Reads a blob piece by piece, each in a transaction of its own.
private struct BlobWalk: Sendable {
    private static let pieceSize = 16 * BlobSpace.chunkSize

    let name: String
    /// What was there when the first piece was read.
    private var header: BlobHeader?
    private var position = 0
    private var isAtEnd = false

    init(name: String) { self.name = name }

    /// Where the reading stands after the next piece, and the piece; nil at the end. A read that begins again begins with this value.
    func step(_ transaction: ReadTransaction) throws -> (walk: BlobWalk, data: Data?) {
        var walk = self
        let data = try walk.next(transaction)
        return (walk, data)
    }

    private mutating func next(_ transaction: ReadTransaction) throws -> Data? {
        if isAtEnd { return nil }
        let current = try transaction.blobHeader(named: name)
        if let header {
            guard current?.number == header.number else { throw TroveError.blobChanged(name: name) }
        } else {
            guard let current else {
                // A small one is one piece.
                guard let data = try transaction.blob(named: name) else { throw TroveError.noSuchBlob(name: name) }
                isAtEnd = true
                return data.isEmpty ? nil : data
            }
            header = current
        }
        guard let header else { return nil }
        let range = position..<min(position + Self.pieceSize, header.size)
        position = range.upperBound
        isAtEnd = position == header.size
        return try transaction.blob(header, named: name, in: range)
    }
}

extension ObjectStore {
    /// The bytes of a named blob, in pieces of up to 1 MiB.
    ///
    /// ```swift
    /// for try await piece in store.blobChunks(named: "film.mp4") { try await response.write(piece) }
    /// ```
    ///
    /// Each piece is read when it is asked for, in a view of its own, so that a slow receiver holds no snapshot open. A blob that is replaced or deleted
    /// meanwhile ends it with ``TroveError/blobChanged(name:)``; it never mixes two.
    public func blobChunks(named name: String) -> BlobChunks { BlobChunks(store: self, name: name) }

    /// Calls `body` with the bytes of a named blob, in pieces of up to 1 MiB, each read in its own snapshot.
    ///
    /// - Throws: ``TroveError/noSuchBlob(name:)``, ``TroveError/blobChanged(name:)``, ``TroveError/corruptBlob(name:)``; what `body` throws.
    public func forEachBlobChunk(named name: String, _ body: (Data) throws -> Void) throws {
        var walk = BlobWalk(name: name)
        while true {
            let (next, data) = try read { try walk.step($0) }
            guard let data else { return }
            walk = next
            try body(data)
        }
    }

    /// Writes the bytes of a named blob to a new file, which appears once it is complete and on the disk.
    ///
    /// - Throws: ``StorageError/destinationExists(_:)``, ``StorageError/noSuchDirectory(_:)``, ``StorageError/inputOutput(_:)``;
    ///   ``TroveError/noSuchBlob(name:)``, ``TroveError/blobChanged(name:)``, ``TroveError/corruptBlob(name:)``.
    public func saveBlob(named name: String, to path: String) throws {
        let file = try TransferFile.create(path)
        do {
            try forEachBlobChunk(named: name) { data in try data.withUnsafeBytes { try file.write($0) } }
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Writes the bytes of a named blob to a new file, on the maintenance thread, which runs one task at a time.
    public func saveBlob(named name: String, to path: String) async throws {
        try await maintenanceQueue.run { try self.saveBlob(named: name, to: path) }
    }
}
