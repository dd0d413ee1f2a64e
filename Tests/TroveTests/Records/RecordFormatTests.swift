import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// The bytes of a record are those that docs/format.md draws; a change of them is a change of the format.
@Suite struct RecordFormatTests {
    @Model struct Sample {
        var id: UInt16
        var year: Int32
        var rating: Double?
        var title: String
        var note: String?
        var tags: [String]
    }

    private func record(_ sample: Sample) throws -> [UInt8] {
        let store = try ObjectStore(MemoryBackend(), models: Sample.self)
        try store.save(sample)
        return try #require(try store.bytes(of: "Sample", key: sample.id.keyBytes))
    }

    @Test func isAsDrawn() throws {
        let bytes = try record(Sample(id: 0x0102, year: 1959, rating: nil, title: "Blue", note: "", tags: ["a", "jazz"]))
        #expect(Array(bytes[0..<4]) == [1, 0, 1, 0])  // format, flags, layout 1
        #expect(bytes[8] == 0b01)  // rating is nil, note is not
        #expect(Array(bytes[9..<13]) == [0xA7, 0x07, 0, 0])  // 1959
        #expect(Array(bytes[13..<21]) == Array(repeating: 0, count: 8))  // the place of rating
        #expect(Array(bytes[21..<27]) == [4, 0, 4, 0, 17, 0])  // ends of title, note, tags
        let tags: [UInt8] = [0x10, 2, 7, 0, 0, 0, 0x41, 0x61, 0x44] + Array("jazz".utf8)
        #expect(Array(bytes[27...]) == Array("Blue".utf8) + tags)
        let checksum = bytes.withUnsafeBytes { record in
            [UInt8]([0x01, 0x02]).withUnsafeBytes { RecordChecksum.hash(.init(rebasing: record[8...]), key: $0, head: 0x0001_0001) }
        }
        #expect(Array(bytes[4..<8]) == withUnsafeBytes(of: checksum.littleEndian) { Array($0) })
    }

    /// Fuzzing found that a record with a sound checksum whose array is no array was read by name as what it is, and could then not be saved.
    @Test func aCollectionHasToBeOne() throws {
        let store = try ObjectStore(MemoryBackend(), models: Sample.self)
        try store.save(Sample(id: 1, year: 1, rating: nil, title: "", note: nil, tags: []))
        let key = UInt16(1).keyBytes
        var record = try #require(try store.bytes(of: "Sample", key: key))
        // The empty array is a tag, a count and a length; now there is a text of five bytes.
        record.replaceSubrange(record.count - 6..<record.count, with: [0x45] + Array("hello".utf8))
        let checksum = record.withUnsafeBytes { record in key.withUnsafeBytes { RecordFormat.checksum(of: record, key: $0) } }
        withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(4..<8, with: $0) }
        try store.core.backend.write { writer in
            try writer.put(key, record, in: try writer.createKeyspace(named: "Sample"))
        } as Void
        #expect {
            _ = try store.read { try $0.storedRecord(of: "Sample", key: key) }
        } throws: { error in
            if case TroveError.corruptRecord = error { true } else { false }
        }
    }

    /// Over 65,535 variable bytes the table of ends gets four bytes an entry.
    @Test(arguments: [65_530, 65_535, 65_536, 70_000, 300_000]) func wideRecords(size: Int) throws {
        let store = try ObjectStore(MemoryBackend(), models: Sample.self)
        let sample = Sample(id: 1, year: 0, rating: 1, title: String(repeating: "x", count: size), note: "n", tags: [])
        try store.save(sample)
        let bytes = try #require(try store.bytes(of: "Sample", key: sample.id.keyBytes))
        #expect((bytes[1] & 1 == 1) == (size + 1 + 6 > 65_535))
        let stored = try #require(try store.fetch(Sample.self, id: 1))
        #expect(stored.title.utf8.count == size && stored.note == "n")
    }

    /// Every changed bit of a record, and a record under another key, is an error.
    @Test func everyFlippedBitIsNoticed() throws {
        let store = try ObjectStore(MemoryBackend(), models: Sample.self)
        let sample = Sample(id: 9, year: 1959, rating: 4.5, title: "So What", note: nil, tags: ["modal"])
        try store.save(sample)
        let bytes = try #require(try store.bytes(of: "Sample", key: sample.id.keyBytes))
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            try store.setBytes(damaged, of: "Sample", key: sample.id.keyBytes)
            #expect(throws: TroveError.self, "bit \(bit)") { try store.fetch(Sample.self, id: 9) }
            #expect(try store.verify().problems.count == 1)
        }
        for length in 0..<bytes.count {
            try store.setBytes(Array(bytes.prefix(length)), of: "Sample", key: sample.id.keyBytes)
            #expect(throws: TroveError.self, "\(length) bytes") { try store.fetch(Sample.self, id: 9) }
        }
        try store.setBytes(bytes, of: "Sample", key: UInt16(10).keyBytes)
        #expect(throws: TroveError.self) { try store.fetch(Sample.self, id: 10) }
        try store.setBytes(bytes, of: "Sample", key: sample.id.keyBytes)
        #expect(try store.fetch(Sample.self, id: 9)?.title == "So What")
    }

    /// Bytes with a right checksum but a wrong structure end in an error too: the checksum is no defence against a forger.
    @Test(arguments: 0..<20) func forgedRecordsAreErrorsOrValues(seed: UInt64) throws {
        let store = try ObjectStore(MemoryBackend(), models: Sample.self)
        var random = SeededGenerator(seed: seed)
        let sample = Sample(id: 9, year: 1959, rating: 4.5, title: "So What", note: "n", tags: ["modal", "cool"])
        try store.save(sample)
        let key = sample.id.keyBytes
        let bytes = try #require(try store.bytes(of: "Sample", key: key))
        for _ in 0..<200 {
            var forged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                forged[Int.random(in: 8..<forged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let checksum = forged.withUnsafeBytes { forged in key.withUnsafeBytes { RecordFormat.checksum(of: forged, key: $0) } }
            withUnsafeBytes(of: checksum.littleEndian) { forged.replaceSubrange(4..<8, with: $0) }
            try store.setBytes(forged, of: "Sample", key: key)
            do {
                _ = try store.fetch(Sample.self, id: 9)
            } catch is TroveError {}
            do {
                _ = try store.read { try $0.storedRecord(of: "Sample", key: key) }
            } catch is TroveError {}
        }
    }
}
