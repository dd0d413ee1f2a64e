import Foundation

@testable import Trove

/// A small store in memory with one entry that is not as it was written, whose checksum fits: what a forger, a program with a bug or a chance
/// of one in four thousand million would leave. Opened, verified, read, searched and written to.
enum StoreCheck {
    struct Entry {
        let keyspace: String
        var key: [UInt8]
        var value: [UInt8]
    }

    /// What a store is made of, and which of its keyspaces are of full-text and substring indexes.
    struct Contents {
        var entries: [Entry] = []
        var inverted: Set<String> = []
    }

    static let contents = Result { () -> Contents in
        let backend = MemoryBackend()
        let store = try ObjectStore(backend, durability: .relaxed, models: FuzzedModel.self)
        try store.save((0..<8).map(FuzzedModel.init(sample:)))
        try store.setBlob(Data([1, 2, 3]), named: "blob")
        try store.setBlob(Data(repeating: 5, count: BlobSpace.chunkSize + 3), named: "large")
        try store.write { transaction in
            let part = Data(repeating: 6, count: 10)
            _ = try transaction.store(part, of: BlobUpload(number: 7, name: "left", source: .transfer, date: .now))
        }
        let bag = Bag(named: "bag", in: store)
        bag.add(FuzzedModel(sample: 1))
        try bag.save()
        try store.createIndex("made later", on: FuzzedModel.self, \.date, \.small)
        try store.documents("notes").save([["title": "one", "lines": [["price": 1.5], ["price": "none"]]], ["title": 2, "é": ["e\u{301}": .null]]])
        var contents = Contents()
        try backend.read { reader in
            for name in try reader.keyspaceNames() {
                guard let keyspace = try reader.keyspace(named: name) else { continue }
                try reader.scan(in: keyspace) { key, value in
                    contents.entries.append(Entry(keyspace: name, key: [UInt8](copying: key), value: [UInt8](copying: value)))
                    return .next
                }
            }
            for entry in try IndexDirectory.entries(reader) where !entry.schema.kind.isOrdered {
                let name = IndexCatalogueEntry.keyspaceName(entry.number)
                contents.inverted.formUnion([name, name + "/documents", name + "/keys"])
            }
        } as Void
        try store.close()
        return contents
    }

    /// An input is two bytes for the entry, one for what is done to it, and the bytes to do it with.
    static func run(_ input: inout FuzzInput) throws {
        let contents = try contents.get()
        let number = (Int(input.byte()) | Int(input.byte()) << 8) % contents.entries.count
        var entries = contents.entries
        let mode = input.choice(5)
        switch mode {
        case 0, 1:
            entries[number].value = input.rest()
            if mode == 1 { seal(&entries[number], contents) }
        case 2:
            let edits = input.rest()
            for edit in stride(from: 0, to: edits.count - 2, by: 3) where !entries[number].value.isEmpty {
                entries[number].value[(Int(edits[edit]) | Int(edits[edit + 1]) << 8) % entries[number].value.count] = edits[edit + 2]
            }
            seal(&entries[number], contents)
        case 3:
            entries.remove(at: number)
        default:
            let key = input.chunk()
            entries.append(Entry(keyspace: entries[number].keyspace, key: key.isEmpty ? [0] : key, value: input.rest()))
            seal(&entries[entries.count - 1], contents)
        }
        try check(entries)
    }

    /// Inputs that change each entry in one place.
    static func seeds() throws -> [[UInt8]] {
        let entries = try contents.get().entries
        return entries.enumerated().map { number, entry in
            // The body after a checksum at the beginning, or before one at the end.
            let place = [Catalogue.keyspaceName, PathDictionary.keyspaceName].contains(entry.keyspace) ? entry.value.count / 2 : min(8, max(0, entry.value.count - 1))
            return [UInt8(number & 0xFF), UInt8(number >> 8), 2, UInt8(place & 0xFF), UInt8(place >> 8), 0x41]
        }
    }

    /// Gives an entry the checksum of its bytes, where its keyspace has one.
    static func seal(_ entry: inout Entry, _ contents: Contents) {
        switch entry.keyspace {
        case Catalogue.keyspaceName:
            entry.value = CatalogueCheck.sealed(Array(entry.value.dropLast(8)), name: String(decoding: entry.key, as: UTF8.self))
        case BlobSpace.keyspaceName:
            entry.value = BlobSpace.encode(Data(entry.value.dropFirst(8)), name: String(decoding: entry.key, as: UTF8.self))
        case BlobSpace.headersName:
            entry.value = sealedBlob(entry.value, seed: BlobSpace.seed(String(decoding: entry.key, as: UTF8.self)))
        case BlobSpace.chunksName: entry.value = sealedBlob(entry.value, seed: Checksum.hash(entry.key))
        case BlobSpace.uploadsName:
            entry.value = sealedBlob(entry.value, seed: BlobKey.parts(entry.key.span.bytes)?.number ?? 0)
        case PathDictionary.keyspaceName:
            entry.value = CatalogueCheck.sealed(Array(entry.value.dropLast(8)), name: PathDictionary.entryName(entry.key))
        case _ where contents.inverted.contains(entry.keyspace):
            entry.value = PostingCheck.sealed(Array(entry.value.dropFirst(4)), key: entry.key)
        case _ where IndexSample.isOfIndexes(entry.keyspace): break
        default: RecordCheck.repair(&entry.value, key: entry.key)
        }
    }

    private static func sealedBlob(_ value: [UInt8], seed: UInt64) -> [UInt8] {
        Array(value.dropFirst(Checksum.size)).withUnsafeBytes { Checksum.sealed($0, seed: seed) }
    }

    /// Puts the entries into a store in memory, and does with it what can be done, with the model and without.
    static func check(_ entries: [Entry]) throws {
        for models: [any Model.Type] in [[FuzzedModel.self], []] {
            let backend = MemoryBackend()
            try backend.write(.relaxed) { writer in
                for entry in entries {
                    try writer.put(entry.key, entry.value, in: try writer.createKeyspace(named: entry.keyspace))
                }
            } as Void
            let store = try valueOrTypedError("opening") {
                models.isEmpty
                    ? try ObjectStore(backend, durability: .relaxed) : try ObjectStore(backend, durability: .relaxed, models: FuzzedModel.self)
            }
            if let store { try use(store, hasModel: !models.isEmpty) }
            try backend.close()
        }
    }

    private static func use(_ store: ObjectStore, hasModel: Bool) throws {
        try verify(store, "verifying")
        _ = try valueOrTypedError("statistics") { try store.indexStatistics() }
        _ = try valueOrTypedError("records") {
            try store.read { transaction in
                for name in try transaction.modelNames() { try transaction.forEachStoredRecord(of: name) { _, _ in } }
            }
        }
        let names = try valueOrTypedError("names") { try store.read { try $0.modelNames() } } ?? []
        for fetch in [store.fetchRecords(of: names), store.fetchRecords(of: names).sorted(using: [SortKey(.id)]), store.fetchRecords(of: names).where(.not(.isNil(.id)))] {
            _ = try valueOrTypedError("records of several models") { try fetch.all() }
            _ = try valueOrTypedError("a page of them") { try fetch.page(2, after: fetch.page(1).next) }
        }
        for name in ["blob", "large"] {
            _ = try valueOrTypedError("a blob") { try store.blob(named: name) }
            _ = try valueOrTypedError("a part of a blob") { try store.blob(named: name, in: 2..<70_000) }
            _ = try valueOrTypedError("what a blob is") { try store.blobInfo(named: name) }
        }
        _ = try valueOrTypedError("a blob set anew") { try store.setBlob(from: [Data(repeating: 8, count: BlobSpace.chunkSize * 2)], named: "large") }
        _ = try valueOrTypedError("a part of an import") { try store.write { try $0.transferredUpload(of: "left", endingAt: 10) } }
        _ = try valueOrTypedError("bags") { try store.bags().map(\.members) }
        _ = try valueOrTypedError("a copy") { try store.copy(to: MemoryBackend()) }
        let notes = store.documents("notes")
        _ = try valueOrTypedError("attributes") { try notes.attributes() }
        _ = try valueOrTypedError("documents") { try notes.fetch { $0["lines[0].price"] > 1 || $0.anywhere("e\u{301}").contains(5) }.all() }
        _ = try valueOrTypedError("a document") { try notes.save(["title": "three", "more": ["x": 1]]) }
        guard hasModel else { return }
        let all = store.fetch(FuzzedModel.self)
        _ = try valueOrTypedError("all objects") { try all.all() }
        _ = try valueOrTypedError("one object") { try store.fetch(FuzzedModel.self, id: "object 1") }
        _ = try valueOrTypedError("an ordered index") { try all.where { $0.number > 5 }.sorted(by: \.number, .descending).limit(3).all() }
        _ = try valueOrTypedError("an index of members") { try all.where { $0.tags.contains("tag 1") }.count() }
        _ = try valueOrTypedError("kept sums") { try all.grouped(by: \.flag).aggregate(.count, .sum(\.number)) }
        _ = try valueOrTypedError("an index made later") { try all.where { $0.date > Date(timeIntervalSinceReferenceDate: 0) }.sorted(by: \.date).ids() }
        _ = try valueOrTypedError("words") { try all.search("leaves OR caf* OR \"running ran\"") }
        _ = try valueOrTypedError("parts of texts") { try all.where { $0.text.contains("ning") }.all() }
        _ = try valueOrTypedError("a save") { try store.save((3..<10).map { FuzzedModel(sample: $0) }) }
        _ = try valueOrTypedError("a deletion") { try store.delete(FuzzedModel.self, id: "object 1") }
        _ = try valueOrTypedError("an upgrade") { try store.upgrade(FuzzedModel.self) }
        try verify(store, "verifying again")
    }

    /// Verifying reports damage; only the catalogue, by which everything is read, may be too damaged for it.
    private static func verify(_ store: ObjectStore, _ what: String) throws {
        do {
            _ = "\(try store.verify())"
        } catch is StorageError {
        } catch TroveError.corruptCatalogue {
        } catch {
            throw FuzzFailure("\(what): \(error)")
        }
    }
}
