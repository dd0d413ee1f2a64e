import AllocationCounter
import Foundation
import TestSupport
import Testing

@testable import Trove

/// What forged files take of memory, counted where the reading thread allocates it: at most 64 MB and ten times the file.
///
/// `TROVE_FORGED_MEMORY=1` prints each case's file and peak.
@Suite(.enabled(if: allocation_counter_works())) struct ForgedMemoryTests {
    static let prints = ProcessInfo.processInfo.environment["TROVE_FORGED_MEMORY"] != nil

    /// The most that `body` has allocated at one time.
    static func peak<Result>(_ body: () throws -> Result) rethrows -> Int {
        allocation_peak_begin()
        defer { _ = allocation_peak_end() }
        // What it makes is freed within, so it counts with the rest.
        _ = try body()
        return Int(allocation_peak_end())
    }

    static func bound(_ file: Int) -> Int { 64 << 20 + 10 * file }

    /// The measure sees what is held at one time, and no more.
    @Test func theMeasureSees() {
        let large = Self.peak { [UInt8](repeating: 1, count: 80 << 20).count }
        #expect(large >= 80 << 20 && large < 81 << 20)
        let twice = Self.peak { for _ in 0..<8 { _ = [UInt8](repeating: 1, count: 10 << 20).count } }
        #expect(twice < 11 << 20)
    }

    /// Few bytes that tell of many documents, members and names.
    enum Volume: String, CaseIterable, Sendable {
        case postings = "a block of postings, a byte a document"
        case trigrams = "a block of a substring index, a byte a document"
        case totals = "a block of postings and totals that agree with it"
        case lengths = "lengths, a byte a document"
        case recordKeys = "record keys, two bytes a document"
        case nils = "a list of nils"
        case counts = "a member count of 2^31"
        case layouts = "layouts of the model"
    }

    private static let documents = 1_500_000

    /// The entries to be put into the store, by keyspace.
    private static func entries(_ volume: Volume, words: InvertedIndex, parts: InvertedIndex) throws -> [(keyspace: String, key: [UInt8], value: [UInt8])] {
        switch volume {
        case .postings, .trigrams, .totals:
            let index = volume == .trigrams ? parts : words
            let key = Array("two".utf8) + [0, OrderedNumber.infinity]
            var value = ByteWriter()
            value.append(PostingBlock.tailFlag)
            for number in [documents, documents, 2_000] { value.append(varint: UInt64(number)) }
            let postings = (index.postingsName, key, PostingCheck.sealed(value.bytes() + [UInt8](repeating: 0, count: documents - 1), key: key))
            return volume == .totals ? [postings, (words.documentsName, IndexTotals.key, totals(of: words))] : [postings]
        case .lengths:
            return (1...documents / LengthBlock.size).map { group in
                let key = DocumentKey.lengths(group: UInt64(group))
                return (words.documentsName, key, PostingCheck.sealed([1] + [UInt8](repeating: 1, count: LengthBlock.size), key: key))
            }
        case .recordKeys:
            return (100..<100 + documents / RecordKeyBlock.size / 4).map { block in
                let key = DocumentKey.recordKeys(block: UInt64(block))
                return (words.documentsName, key, PostingCheck.sealed([1, 255, 255, 255, 255] + [UInt8](repeating: 7, count: RecordKeyBlock.size), key: key))
            }
        case .nils, .counts:
            let count = volume == .nils ? documents : 1 << 31
            var list = ByteWriter()
            list.append(tag: .array)
            list.append(varint: UInt64(count))
            list.append(UInt32(documents).littleEndian)
            var record: [UInt8] = [RecordFormat.version, 1, 1, 0, 0, 0, 0, 0]
            let size = UInt32(list.count + documents)
            for end in [0, size] { withUnsafeBytes(of: end.littleEndian) { record += $0 } }
            record += list.bytes() + [UInt8](repeating: 0, count: documents)
            RecordCheck.repair(&record, key: 3.keyBytes)
            return [("ForgedNote", 3.keyBytes, record)]
        case .layouts:
            return try (UInt16(2)...4_000).map { number in
                let layout = RecordLayout(number: number, modelName: "ForgedNote", version: 1, fields: [("text", .date)])
                let entry = LayoutEntry(layout, id: IDSchema(Int.self), attributes: [FieldAttributes(FieldSchema("text", type: .date))])
                return (Catalogue.keyspaceName, Array(LayoutEntry.name(number).utf8), try entry.encode())
            }
        }
    }

    /// Totals that tell of as many documents as the block of postings.
    private static func totals(of index: InvertedIndex) -> [UInt8] {
        var value = ByteWriter()
        value.append(FullTextFormat.version)
        value.append(FullTextFormat.analysis)
        value.append(index.fingerprint.littleEndian)
        for number in [documents, 2 * documents, documents] { value.append(varint: UInt64(number)) }
        value.append(UInt8(1))
        return PostingCheck.sealed(value.bytes(), key: IndexTotals.key)
    }

    @Test(arguments: Volume.allCases) func fewBytesThatTellOfMuch(volume: Volume) throws {
        let backend = MemoryBackend(name: UUID().uuidString)
        let sound = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self)
        try sound.save([ForgedNote(id: 1, text: "one two"), ForgedNote(id: 2, text: "two two", numbers: [1, nil])])
        let directory = try backend.read { try IndexDirectory.entries($0) }.filter { !$0.schema.kind.isOrdered && $0.modelName == "ForgedNote" }
        func inverted(_ kind: (IndexSchema.Kind) -> Bool) throws -> InvertedIndex {
            let entry = try #require(directory.first { kind($0.schema.kind) })
            return InvertedIndex(
                name: IndexCatalogueEntry.keyspaceName(entry.number), model: "ForgedNote", title: entry.schema.name, terms: .trigrams(ignoring: .case), fieldCount: 1)
        }
        let words = try inverted { if case .fullText = $0 { true } else { false } }
        let parts = try inverted { if case .substring = $0 { true } else { false } }
        var file = 0
        try backend.write(.relaxed) { writer in
            for (keyspace, key, value) in try Self.entries(volume, words: words, parts: parts) {
                try writer.put(key, value, in: writer.createKeyspace(named: keyspace))
                file += key.count + value.count
            }
        } as Void
        func check(_ what: String, _ body: () throws -> Void) {
            let peak = Self.peak { do { try body() } catch { _ = "\(error)" } }
            if Self.prints { print("FORGED | \(volume.rawValue) | \(what) | \(file / 1_000) kB | \(peak / 1_000) kB") }
            #expect(peak <= Self.bound(file), "\(volume.rawValue), \(what): \(peak) bytes of a file of \(file)")
        }
        check("open") { _ = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self) }
        let store = try ObjectStore(backend, durability: .relaxed, models: ForgedNote.self)
        check("verify") { if try store.verify().isSound { #expect(volume == .nils || volume == .layouts) } }
        check("search") { _ = try store.fetch(ForgedNote.self).limit(10).search("two") }
        check("search without a limit") { _ = try store.fetch(ForgedNote.self).search("two") }
        if [.postings, .totals].contains(volume) {
            #expect { try store.fetch(ForgedNote.self).search("two") } throws: { if case TroveError.corruptIndex = $0 { true } else { false } }
        }
        check("part of a text") { _ = try store.fetch(ForgedNote.self).where { $0.text.contains("two") }.all() }
        check("all") { _ = try store.fetch(ForgedNote.self).forEach { _, _ in } }
        check("sum of members") { _ = try store.fetch(ForgedNote.self).where { $0.numbers.contains(1) }.count() }
        check("by name") { try store.read { try $0.forEachStoredRecord(of: "ForgedNote") { _, _ in } } }
        check("save") { try store.save(ForgedNote(id: 9, text: "two")) }
    }
}
