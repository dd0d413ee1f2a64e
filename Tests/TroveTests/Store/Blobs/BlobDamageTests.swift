import Foundation
import TestSupport
import Testing

@testable import Trove

/// What is wrong with a blob in chunks is told by reading it and by verifying, and the blob can be set anew or removed.
@Suite struct BlobDamageTests {
    private static let data = BlobFixture.bytes(4 * BlobFixture.chunk + 100)

    /// Ways to damage chunks, each the third of five or the last.
    private enum Damage: CaseIterable {
        case changedByte, missingChunk, missingEnd, shortChunk, longChunk, chunkInAnothersPlace, noChecksum

        func apply(_ number: Int, _ key: [UInt8], _ value: [UInt8]) -> [([UInt8], [UInt8]?)] {
            guard number == (self == .missingEnd ? 4 : 2) else { return [] }
            switch self {
            case .changedByte: return [(key, changed(value))]
            case .missingChunk, .missingEnd: return [(key, nil)]
            case .shortChunk: return [(key, sealed(Array(value.dropFirst(8).dropLast()), key))]
            case .longChunk: return [(key, sealed(value.dropFirst(8) + [0], key))]
            case .chunkInAnothersPlace: return [(Array(key.dropLast() + [3]), value)]
            case .noChecksum: return [(key, [1, 2])]
            }
        }
    }

    private func expectCorrupt(_ name: String, _ comment: Comment, _ body: () throws -> Void) {
        #expect(comment) { try body() } throws: { error in
            guard case TroveError.corruptBlob(name) = error else { return false }
            return true
        }
    }

    @Test(arguments: Engine.allCases) func chunks(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        for what in Damage.allCases {
            try store.setBlob(Self.data, named: "film")
            try store.forgeBlobs(in: BlobSpace.chunksName) { what.apply($0, $1, $2) }
            expectCorrupt("film", "\(what)") { _ = try store.blob(named: "film") }
            expectCorrupt("film", "\(what)") { try store.forEachBlobChunk(named: "film") { _ in } }
            #expect(try store.blob(named: "film", in: 5..<BlobFixture.chunk + 5) == Self.data[5..<BlobFixture.chunk + 5], "what is sound is read: \(what)")
            let report = try store.verify()
            #expect(report.problems.contains { $0.modelName == BlobSpace.headersName && $0.key == Array("film".utf8) }, "\(what): \(report.problems)")
        }
        // A byte and its checksum changed by a forger are found by the hash of the whole, when verified.
        try store.setBlob(Self.data, named: "film")
        try store.forgeBlobs(in: BlobSpace.chunksName) { $0 == 2 ? [($1, sealed(Array(changed($2).dropFirst(8)), $1))] : [] }
        #expect(try !store.verify().isSound)
        try store.setBlob(Self.data, named: "film")
        #expect(try store.verify().isSound && store.blob(named: "film") == Self.data)
        #expect(try store.blobEntries() == [0, 1, 5, 0])
    }

    /// Without a readable header nobody knows the chunks; they go when the blob is set anew or removed, once no other header could be theirs.
    @Test(arguments: Engine.allCases) func headers(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        for name in ["a", "b", "c"] { try store.setBlob(Self.data, named: name) }
        try store.forgeBlobs(in: BlobSpace.headersName) { $0 < 2 ? [($1, Array($2.dropLast()))] : [] }
        for name in ["a", "b"] {
            expectCorrupt(name, "read") { _ = try store.blob(named: name) }
            expectCorrupt(name, "told") { _ = try store.blobInfo(named: name) }
        }
        #expect(try store.blob(named: "c") == Self.data)
        #expect(try store.verify().problems.map(\.key) == [Array("a".utf8), Array("b".utf8)])
        try store.setBlob(Self.data, named: "a")
        #expect(try store.blobEntries() == [0, 3, 20, 0], "those of 'b' may be among them")
        #expect(try store.deleteBlob(named: "b"))
        #expect(try store.blobEntries() == [0, 2, 10, 0])
        #expect(try store.verify().isSound && store.blob(named: "a") == Self.data)
    }

    /// Headers that a forger made tell of more than there is; no memory is taken for it.
    @Test(arguments: Engine.allCases) func forgedHeaders(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        try store.setBlob(Self.data, named: "film")
        let header = try #require(try store.read { try $0.blobHeader(named: "film") })
        let forged: [(Int, Int)] = [(.max, BlobFixture.chunk), (Int(UInt32.max), 1), (0, BlobFixture.chunk), (-1, BlobFixture.chunk), (5, 0), (5, -1), (5, .max), (.max, 1), (1, 1), (Self.data.count, 7)]
        for (size, chunkSize) in forged {
            let value = try BlobHeader(number: header.number, size: size, chunkSize: chunkSize, sha256: header.sha256).encode(name: "film")
            try store.forgeBlobs(in: BlobSpace.headersName) { _, key, _ in [(key, value)] }
            expectCorrupt("film", "\(size) by \(chunkSize)") { _ = try store.blob(named: "film") }
            expectCorrupt("film", "\(size) by \(chunkSize)") { try store.forEachBlobChunk(named: "film") { _ in } }
            #expect(try !store.verify().isSound)
        }
        try store.deleteBlob(named: "film")
        #expect(try store.blobEntries() == [0, 0, 0, 0])
    }

    /// Uploads that a forger made, or that cannot be read: an import does not go on from them, and the next upload that begins removes what is no upload.
    @Test(arguments: Engine.allCases) func forgedUploads(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        let places = [BlobFixture.chunk, BlobFixture.chunk << 20, BlobFixture.chunk << 33]
        try store.write { transaction in
            let uploads = try transaction.writer.createKeyspace(named: BlobSpace.uploadsName)
            for (number, size) in places.enumerated() {
                let upload = BlobUpload(number: UInt64(number), name: "film", source: .transfer, size: size, date: .now)
                try transaction.writer.put(BlobKey.upload(UInt64(number)), upload.encode(), in: uploads)
            }
            try transaction.writer.put(BlobKey.upload(9), [1, 2, 3], in: uploads)
        }
        for place in places {
            let line = #"{"$blob":"film","offset":\#(place),"size":\#(place + 3),"value":{"$data":"AAAA"}}"#
            let lines = [#"{"$trove":{"format":1,"layouts":[]}}"#, line, #"{"$end":1}"#].joined(separator: "\n")
            #expect(throws: TroveError.self) { try store.importJSON(Data(lines.utf8)) }
        }
        try store.setBlob(from: [BlobFixture.bytes(BlobUpload.batchSize + 1)], named: "another")
        #expect(try store.blobNames() == ["another"])
        #expect(try store.blobEntries() == [0, 1, 65, 2])
        #expect(try store.verify().isSound)
    }

    /// Chunks that no header names, and keys that are none.
    @Test(arguments: Engine.allCases) func chunksOfNobody(engine: Engine) throws {
        let fixture = try BlobFixture.open(engine)
        let store = fixture.store
        try store.setBlob(Self.data, named: "film")
        try store.forgeBlobs(in: BlobSpace.chunksName) { number, key, value in number < 2 ? [(Array(key.reversed()), value), ([1, 2], value)] : [] }
        let report = try store.verify()
        #expect(report.problems.count == 3 && report.problems.allSatisfy { $0.modelName == BlobSpace.chunksName }, "\(report.problems)")
        #expect(try store.blob(named: "film") == Self.data)
    }
}

private func changed(_ value: [UInt8]) -> [UInt8] {
    var value = value
    value[1_000] ^= 1
    return value
}

private func sealed(_ body: [UInt8], _ key: [UInt8]) -> [UInt8] { body.withUnsafeBytes { Checksum.sealed($0, seed: Checksum.hash(key)) } }
