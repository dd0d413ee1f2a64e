import Foundation
import TestSupport
import Trove

/// Blobs that processes of a crowd store piece by piece, over several transactions, while others use the store. One is there whole or not at all, and never of two uploads.
enum CrowdUpload {
    private static let prefix = "upload "
    private static let pieceCount = 6
    private static let pieceSize = 1 << 20

    /// Whether a blob is one of these.
    static func isOne(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Stores a blob that others store too, and reads it again.
    static func run(in store: ObjectStore, _ generator: inout SeededGenerator) throws {
        let name = prefix + String(Int.random(in: 0..<2, using: &generator))
        let content = UInt8.random(in: 0...UInt8.max, using: &generator)
        try store.setBlob(from: (0..<pieceCount).lazy.map { _ in Data(repeating: content, count: pieceSize) }, named: name, durability: .relaxed)
        do {
            var bytes = Data()
            try store.forEachBlobChunk(named: name) { bytes.append($0) }
            try check(bytes, name)
        } catch TroveError.blobChanged, TroveError.noSuchBlob {
            // Another process has stored it meanwhile, or deleted it.
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { try store.deleteBlob(named: name, durability: .relaxed) }
    }

    /// - Throws: ``ContentsError`` when a blob is not as one of them was stored.
    static func check(_ bytes: Data, _ name: String) throws {
        guard bytes.count == pieceCount * pieceSize, bytes == Data(repeating: bytes[0], count: bytes.count) else {
            throw ContentsError("the blob '\(name)' of \(bytes.count) bytes is not one of those that were stored")
        }
    }
}
