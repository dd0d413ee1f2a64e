import Foundation
import TestSupport
import Testing

@testable import Trove

/// Stores that a forger has made to take long or much memory: few bytes that tell of many things, and many entries where some are expected.
@Suite struct ForgedVolumeTests {
    private func catalogue(_ backend: MemoryBackend, _ name: String, _ edit: (inout [String: StoredValue]) -> Void) throws {
        try backend.write(.relaxed) { writer in
            let keyspace = try writer.createKeyspace(named: Catalogue.keyspaceName)
            var values: [String: StoredValue] = [:]
            if let bytes = try writer.value(of: Array(name.utf8), in: keyspace), case .object(let found) = try CatalogueEntry.decode(bytes, name: name) {
                values = found.dictionary
            }
            edit(&values)
            try writer.put(Array(name.utf8), CatalogueEntry.encode(.object(values), name: name), in: keyspace)
        } as Void
    }

    private func store() throws -> MemoryBackend {
        let backend = MemoryBackend(name: UUID().uuidString)
        let store = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self)
        try store.save([ForgedNote(id: 1, text: "one two"), ForgedNote(id: 2, text: "two two", numbers: [1, nil])])
        return backend
    }

    private func isCorruptCatalogue(_ error: any Error) -> Bool { if case TroveError.corruptCatalogue = error { true } else { false } }

    /// Layouts that the model cannot read and that no record has are looked for in the records once, not once each.
    @Test func manyLayouts() throws {
        let backend = try store()
        try backend.write(.relaxed) { writer in
            for number in UInt16(2)...8_000 {
                let layout = RecordLayout(number: number, modelName: "ForgedNote", version: 1, fields: [("text", .date)])
                try Catalogue.write(LayoutEntry(layout, id: IDSchema(Int.self), attributes: [FieldAttributes(FieldSchema("text", type: .date))]), writer)
            }
        } as Void
        let store = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self)
        #expect(try store.fetch(ForgedNote.self).count() == 2)
        #expect(try store.verify().isSound)
    }

    /// Indexes that are being removed are removed together, and there is a limit to how many there are.
    @Test(arguments: [2_000, IndexCatalogueEntry.maxCount]) func manyIndexes(count: Int) throws {
        let backend = try store()
        try catalogue(backend, IndexDirectory.name) { $0["next"] = .int(1_000_000) }
        try backend.write(.relaxed) { writer in
            let keyspace = try writer.createKeyspace(named: Catalogue.keyspaceName)
            for number in 100..<100 + count {
                let entry = IndexCatalogueEntry(
                    number: number, modelName: "ForgedNote", version: 1, schema: IndexSchema("forged \(number)", parts: []), types: [], state: .dropping)
                try writer.put(Array(IndexCatalogueEntry.name(number).utf8), entry.encode(), in: keyspace)
            }
        } as Void
        if count == IndexCatalogueEntry.maxCount {
            #expect(performing: { try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self) }, throws: isCorruptCatalogue)
        } else {
            let store = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self)
            #expect(try store.indexStatistics().count == 3)
            #expect(try store.verify().isSound)
        }
    }

    /// Paths of documents are as deep as documents; their texts would take the square of their number.
    @Test func aChainOfPaths() throws {
        let name = UUID().uuidString
        let backend = MemoryBackend(name: name)
        let store = try ObjectStore(MemoryBackend(name: name), durability: .relaxed)
        try store.documents("notes").save(["a": 1])
        let number = try #require(try store.read { try $0.indexTable.entries.first }).number
        try store.close()
        try backend.write(.relaxed) { writer in
            var table = PathTable(.all)
            try PathDictionary.load(&table, of: number, writer)
            let start = table.count
            for _ in 0..<9_000 { Array("name".utf8).withUnsafeBytes { _ = table.add(UInt32(table.count - 1), $0, isElement: false) } }
            try PathDictionary.write(table, from: start, of: number, writer)
        } as Void
        let forged = try ObjectStore(backend, durability: .relaxed)
        #expect(performing: { try forged.documents("notes").attributes() }, throws: isCorruptCatalogue)
        #expect(performing: { try forged.documents("notes").save(["b": 2]) }, throws: isCorruptCatalogue)
    }

    @Test(arguments: [.max, 0, -1, .min, 2, 1 << 32] as [Int64]) func nextNumberOfIndexes(next: Int64) throws {
        let backend = try store()
        try catalogue(backend, IndexDirectory.name) { $0["next"] = .int(next) }
        // Numbers that are none, and those that indexes have already.
        #expect(performing: { try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self) }, throws: isCorruptCatalogue)
    }

    @Test(arguments: ["Int64" + String(repeating: "?", count: 1_000_000), String(repeating: "[", count: 1_000_000), "Codable<" + String(repeating: "<", count: 1_000_000)])
    func deepTypes(type: String) throws {
        let backend = try store()
        try catalogue(backend, LayoutEntry.name(1)) { $0["fields"] = .array([.object(["name": .string("text"), "type": .string(type)])]) }
        #expect(performing: { try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self) }, throws: isCorruptCatalogue)
    }

    /// A nil takes one byte in a list and sixteen in memory, so the number of members has a limit.
    @Test func millionsOfNils() throws {
        let backend = try store()
        let store = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self)
        let count = NestedTag.maxMembers + 1
        #expect {
            try store.save(ForgedNote(id: 3, numbers: [Int?](repeating: nil, count: count)))
        } throws: { if case TroveError.encodingFailed = $0 { true } else { "\($0)".contains("members") } }
        var list = ByteWriter()
        list.append(tag: .array)
        list.append(varint: UInt64(count))
        list.append(UInt32(count).littleEndian)
        var record: [UInt8] = [RecordFormat.version, 1, 1, 0, 0, 0, 0, 0]
        let size = UInt32(list.count + count)
        for end in [0, size] { withUnsafeBytes(of: end.littleEndian) { record += $0 } }
        record += list.bytes() + [UInt8](repeating: 0, count: count)
        RecordCheck.repair(&record, key: 3.keyBytes)
        try backend.write(.relaxed) { try $0.put(3.keyBytes, record, in: $0.createKeyspace(named: "ForgedNote")) } as Void
        for read in [{ _ = try store.fetch(ForgedNote.self, id: 3) }, { _ = try store.read { try $0.storedRecord(of: "ForgedNote", key: 3.keyBytes) } }] {
            #expect(performing: read, throws: { if case TroveError.corruptRecord = $0 { true } else { false } })
        }
        #expect(try store.verify().problems.count >= 1)
    }

    /// A count of a block takes five bytes however high it is.
    @Test func billionsOfOccurrences() throws {
        let backend = try store()
        let index = InvertedIndex(
            name: try name(of: "text", backend), model: "ForgedNote", title: "text", terms: .words(FullTextOptions(keepsPositions: false)), fieldCount: 1)
        let key = Array("two".utf8) + [0, OrderedNumber.infinity]
        var value = ByteWriter()
        value.append(PostingBlock.tailFlag | PostingBlock.countsFlag)
        for number: UInt64 in [2, 2, 0, 0, (1 << 31) << 1, ((1 << 31) - 1) << 1] { value.append(varint: number) }
        try backend.write(.relaxed) {
            try $0.put(key, PostingCheck.sealed(value.bytes(), key: key), in: $0.createKeyspace(named: index.postingsName))
        } as Void
        let store = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self)
        #expect(try store.verify().isSound == false)
        #expect(try store.fetch(ForgedNote.self).search("two").count == 2)
    }

    /// Totals, numbers of documents and groups at the maximum end in `corruptIndex` where they are used, and in problems where they are verified.
    @Test(arguments: [.max, .max - 1, 1 << 63, FullTextFormat.numberLimit + 1] as [UInt64]) func highestTotals(number: UInt64) throws {
        let backend = try store()
        let name = try name(of: "text", backend)
        try backend.write(.relaxed) { writer in
            let documents = try writer.createKeyspace(named: name + "/documents")
            let stored = try #require(try writer.value(of: IndexTotals.key, in: documents))
            var value = ByteWriter()
            stored[4..<14].withUnsafeBytes { value.append($0) }
            for total in [number, number, number] { value.append(varint: total) }
            value.append(UInt8(1))
            try writer.put(IndexTotals.key, PostingCheck.sealed(value.bytes(), key: IndexTotals.key), in: documents)
        } as Void
        let store = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self)
        #expect(performing: { try store.save(ForgedNote(id: 9, text: "three")) }, throws: { if case TroveError.corruptIndex = $0 { true } else { false } })
        #expect(try !store.verify().isSound)
    }

    /// Foundation stops the process when it describes a date that is not a number; messages that name one do not ask it to.
    @Test func datesThatAreNotNumbers() throws {
        func shown<ID: StorableKey>(_ id: ID) -> String { id.shownInErrors }
        let none = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(!shown(none).isEmpty && shown(Date(timeIntervalSinceReferenceDate: 0)).contains("2001"))
        #expect(StoredValue.date(none).shownInErrors.contains("not a number"))
        // Nor has it a text for one beyond its calendar.
        for seconds in [Double.infinity, -1e300, 1e17] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(StoredValue.date(date).shownInErrors == "the date \(seconds) s after 2001-01-01" && !shown(date).contains("unavailable"))
        }
        let store = try ObjectStore(MemoryBackend(), durability: .relaxed, models: Day.self)
        try store.save(Day(id: none, start: none))
        #expect(throws: TroveError.self) { try store.save(Day(id: Date(timeIntervalSinceReferenceDate: 5), start: none)) }
        let report = try store.verify()
        for problem in report.problems { #expect(!"\(problem)".isEmpty) }
    }

    private struct Day: Model {
        var id: Date
        var start: Date

        static let schema = ModelSchema("Day", fields: [FieldSchema("start", \Day.start)])
        static let indexes: [Index<Day>] = [Index(unique: [\.start])]

        init(id: Date, start: Date) { (self.id, self.start) = (id, start) }

        init(from record: inout RecordDecoder) throws {
            start = try record.decode()
            id = try record.decodeID()
        }

        func encode(into record: inout RecordEncoder) throws { try record.encode(start) }
    }

    private func name(of field: String, _ backend: MemoryBackend) throws -> String {
        let entries = try backend.read { try IndexDirectory.entries($0) }
        let entry = try #require(entries.first { !$0.schema.kind.isOrdered && $0.modelName == "ForgedNote" })
        return IndexCatalogueEntry.keyspaceName(entry.number)
    }
}
