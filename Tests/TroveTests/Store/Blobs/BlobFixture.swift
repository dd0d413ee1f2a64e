import Foundation
import TestSupport

@testable import Trove

/// What tests of blobs share: bytes, a store without models, and what is left in the keyspaces.
enum BlobFixture {
    static let chunk = BlobSpace.chunkSize
    /// Sizes around those at which something changes.
    static let sizes = [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk - 7, 17 * chunk + 3]

    static func open(_ engine: Engine) throws -> StoreFixture { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed) } }

    /// Bytes that differ from place to place and from seed to seed: a block, again and again, of a size that no chunk has.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var generator = SeededGenerator(seed: seed)
        let block = Data((0..<min(count, 65_521)).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 56) })
        var bytes = Data(capacity: count + block.count)
        while bytes.count < count { bytes.append(block) }
        return Data(bytes.prefix(count))
    }

    /// The bytes in pieces of sizes that follow one another.
    static func pieces(_ data: Data, _ sizes: [Int]) -> [Data] {
        var (pieces, position, number): ([Data], Int, Int) = ([], 0, 0)
        while position < data.count {
            let end = min(position + sizes[number % sizes.count], data.count)
            pieces.append(data[position..<end])
            (position, number) = (end, number + 1)
        }
        return pieces
    }
}

extension ObjectStore {
    /// How many entries there are of whole blobs, headers, chunks and uploads.
    func blobEntries() throws -> [Int] {
        try core.backend.read { reader in
            try [BlobSpace.keyspaceName, BlobSpace.headersName, BlobSpace.chunksName, BlobSpace.uploadsName].map { name in
                try reader.keyspace(named: name).map { try reader.count(in: $0) } ?? 0
            }
        }
    }

    /// Changes the entries of a keyspace of blobs behind the store's back; nil removes one.
    func forgeBlobs(in keyspaceName: String, _ change: (_ number: Int, _ key: [UInt8], _ value: [UInt8]) -> [([UInt8], [UInt8]?)]) throws {
        try core.backend.write(.relaxed) { writer in
            let keyspace = try writer.createKeyspace(named: keyspaceName)
            var entries: [([UInt8], [UInt8])] = []
            try writer.scan(in: keyspace) { key, value in
                entries.append(([UInt8](copying: key), [UInt8](copying: value)))
                return .next
            }
            for (number, entry) in entries.enumerated() {
                for (key, value) in change(number, entry.0, entry.1) {
                    if let value { try writer.put(key, value, in: keyspace) } else { _ = try writer.delete(key, in: keyspace) }
                }
            }
        } as Void
    }
}
