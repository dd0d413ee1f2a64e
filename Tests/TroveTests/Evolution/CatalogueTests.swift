import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Two models as a program declares them, and as another does.
enum CatalogueFirst {
    @Model("shelf") struct Shelf {
        var id: Int
        @Relationship(deleteRule: .cascade) var books: [Reference<CatalogueFirst.Book>]
    }

    @Model("book") struct Book {
        var id: Int
        @Attribute(.writeOnce) var title: String
        @Attribute(.keepIfNil, originalName: "remark") var note: String?
        @Relationship(whenTargetDeleted: .cascade, inverse: \CatalogueFirst.Shelf.books) var shelf: Reference<CatalogueFirst.Shelf>?
        var other: AnyReference?
    }
}

enum CatalogueSecond {
    @Model("shelf") struct Shelf {
        var id: Int
        @Relationship(deleteRule: .deny) var books: [Reference<CatalogueSecond.Book>]
    }

    @Model("book") struct Book {
        var id: Int
        var title: String
        @Attribute(originalName: "remark") var note: String?
        @Relationship(whenTargetDeleted: .cascade, inverse: \CatalogueSecond.Shelf.books) var shelf: Reference<CatalogueSecond.Shelf>?
        var other: AnyReference?
    }
}

/// What the catalogue keeps for later versions and for programs without the models' types.
@Suite struct CatalogueTests {
    private func open(_ backend: any StorageBackend) throws -> ObjectStore { try ObjectStore(backend, models: CatalogueFirst.Shelf.self, CatalogueFirst.Book.self) }

    private func entries(_ store: ObjectStore) throws -> [String: LayoutEntry] {
        let entries = try store.core.backend.read { try Catalogue.entries($0) }
        return Dictionary(entries.map { ($0.layout.modelName, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A program without the types finds relationships, their rules and inverses, and what saves do.
    @Test(arguments: Engine.allCases) func relationshipsAndPoliciesAreKept(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        try fixture.reopenStore { try ObjectStore($0) }
        let found = try entries(fixture.store)
        let shelf = try #require(found["shelf"]?.attributes)
        #expect(shelf[0].relationship == StoredRelationship(RelationshipSchema([Reference<CatalogueFirst.Book>].self, .init(deleteRule: .cascade)), inverse: "shelf"))
        #expect(shelf[0].relationship?.target == "book")
        let book = try #require(found["book"]?.attributes)
        #expect(book[0].options == .writeOnce && book[0].relationship == nil)
        #expect(book[1].options == .keepIfNil && book[1].originalName == "remark" && book[1].hasDefault)
        #expect(book[2].relationship?.targetDeleteRule == .cascade && book[2].relationship?.inverse == "books")
        #expect(book[3].relationship?.target == nil && book[3].relationship?.shape == .optionalOne)

        // Other rules are written to the same layout, and only once.
        try fixture.reopenStore { try ObjectStore($0, models: CatalogueSecond.Shelf.self, CatalogueSecond.Book.self) }
        let changed = try entries(fixture.store)
        #expect(changed["shelf"]?.layout.number == found["shelf"]?.layout.number)
        #expect(changed["shelf"]?.attributes[0].relationship?.deleteRule == .deny)
        #expect(changed["book"]?.attributes[0].options == [])
    }

    /// What a later version has written into the header and a layout's entry stays when this one writes them.
    @Test(arguments: Engine.allCases) func unknownPartsAreKept(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        func addPart(_ name: String) throws -> StoredValue {
            let bytes = try #require(try fixture.store.bytes(of: "$catalogue", key: Array(name.utf8)))
            guard case .object(let parts) = try CatalogueEntry.decode(bytes, name: name) else { return .null }
            var values = parts.dictionary
            values["later"] = .string("kept")
            if case .array(let fields) = values["fields"], case .object(let first) = fields[0] {
                var field = first.dictionary
                field["sealed"] = .int(7)
                values["fields"] = .array([.object(field)] + fields.dropFirst())
            }
            try fixture.store.setBytes(try CatalogueEntry.encode(.object(values), name: name), of: "$catalogue", key: Array(name.utf8))
            return .object(values)
        }
        let layouts = try entries(fixture.store).values.map { LayoutEntry.name($0.layout.number) }.sorted()
        _ = try addPart("store")
        for name in layouts { _ = try addPart(name) }
        try fixture.reopenStore { try ObjectStore($0, models: CatalogueSecond.Shelf.self, CatalogueSecond.Book.self) }
        for name in layouts {
            let value = try CatalogueEntry.decode(#require(try fixture.store.bytes(of: "$catalogue", key: Array(name.utf8))), name: name)
            #expect(value.value(at: "later") == .string("kept"))
            #expect(value.value(at: "fields.0.sealed") == .int(7))
        }
        let copy = MemoryBackend()
        try fixture.store.copy(to: copy)
        let bytes = try copy.read { reader in try reader.keyspace(named: "$catalogue").flatMap { try reader.value(of: Array("store".utf8), in: $0) } }
        let header = try CatalogueEntry.decode(#require(bytes), name: "store")
        #expect(header.value(at: "later") == .string("kept"))
        #expect(try fixture.store.verify().isSound)
        try copy.close()
    }

    /// A copy has its original's identity and is a replica of its own.
    @Test(arguments: Engine.allCases) func copiesAreOtherReplicas(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        let copy = MemoryBackend()
        try fixture.store.copy(to: copy)
        let header = try #require(try copy.read { try Catalogue.header($0) })
        #expect(header.identity == fixture.store.identity)
        #expect(header.replica != fixture.store.core.header.replica)
        try fixture.reopenStore()
        #expect(try fixture.store.core.backend.read { try Catalogue.header($0) }?.replica == fixture.store.core.header.replica)
        try copy.close()
    }

    @Test(arguments: Engine.allCases) func unknownFeaturesAreRefused(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        let key = Array(StoreHeader.name.utf8)
        guard case .object(let parts) = try CatalogueEntry.decode(#require(try fixture.store.bytes(of: "$catalogue", key: key)), name: StoreHeader.name)
        else {
            Issue.record("the header is no keyed value")
            return
        }
        var values = parts.dictionary
        values["features"] = .array([.string("sealed")])
        try fixture.store.setBytes(try CatalogueEntry.encode(.object(values), name: StoreHeader.name), of: "$catalogue", key: key)
        #expect { try open(fixture.store.core.backend) } throws: { error in
            guard case TroveError.newerFeatures(["sealed"]) = error else { return false }
            return true
        }
    }

    /// A rule of saving that a later version has written could not be kept, and is no damage.
    @Test(arguments: Engine.allCases) func unknownRulesOfSavingAreRefused(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        let layout = try #require(try fixture.store.core.backend.read { try Catalogue.entries($0) }.first)
        let name = LayoutEntry.name(layout.layout.number)
        let key = Array(name.utf8)
        guard case .object(let parts) = try CatalogueEntry.decode(#require(try fixture.store.bytes(of: "$catalogue", key: key)), name: name),
            case .array(let list) = parts.dictionary["fields"], case .object(let field)? = list.array.first
        else {
            Issue.record("the layout is no keyed value")
            return
        }
        var (values, first, fields) = (parts.dictionary, field.dictionary, list.array)
        first["saving"] = .array([.string("neverLess")])
        fields[0] = .object(first)
        values["fields"] = .array(fields)
        try fixture.store.setBytes(try CatalogueEntry.encode(.object(values), name: name), of: "$catalogue", key: key)
        #expect { try open(fixture.store.core.backend) } throws: { error in
            guard case TroveError.newerFeatures(["neverLess"]) = error else { return false }
            return true
        }
    }

    /// A record with a flag of a later version is neither damaged nor written over.
    @Test(arguments: Engine.allCases, [8, 16, 128] as [UInt8]) func unknownFlagsAreANewerRecord(engine: Engine, flag: UInt8) throws {
        let fixture = try StoreFixture(engine, open)
        let book = CatalogueFirst.Book(id: 1, title: "a", note: nil, shelf: nil, other: nil)
        try fixture.store.save(book)
        var record = try #require(try fixture.store.bytes(of: "book", key: 1.keyBytes))
        record[1] |= flag
        // Without a checksum that fits it is damaged.
        try fixture.store.setBytes(record, of: "book", key: 1.keyBytes)
        #expect { try fixture.store.fetch(CatalogueFirst.Book.self, id: 1) } throws: { if case TroveError.corruptRecord = $0 { true } else { false } }
        let checksum = record.withUnsafeBytes { record in 1.keyBytes.withUnsafeBytes { RecordFormat.checksum(of: record, key: $0) } }
        withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(4..<8, with: $0) }
        try fixture.store.setBytes(record, of: "book", key: 1.keyBytes)
        func isNewer(_ body: () throws -> Void) {
            #expect(performing: body, throws: { if case TroveError.newerRecord(model: "book", id: _) = $0 { true } else { false } })
        }
        isNewer { _ = try fixture.store.fetch(CatalogueFirst.Book.self, id: 1) }
        isNewer { _ = try fixture.store.fetch(CatalogueFirst.Book.self).where { $0.title == "a" }.all() }
        isNewer { _ = try fixture.store.read { try $0.storedRecord(of: "book", key: 1.keyBytes) } }
        isNewer { try fixture.store.save(book) }
        let problems = try fixture.store.verify().problems
        #expect(problems.contains { if case TroveError.newerRecord = $0.error { true } else { false } })
        #expect(try fixture.store.bytes(of: "book", key: 1.keyBytes) == record)
    }

    @Model("indexed") fileprivate struct Indexed: Equatable {
        var id: Int
        @Attribute(.indexed) var title: String
    }

    @Model("plain") fileprivate struct Plain: Equatable {
        var id: Int
        var title: String
    }

    /// It was taken for damaged, and written over. A model whose saves read nothing does not meet it.
    @Test(arguments: Engine.allCases) func aNewerRecordIsReplacedOnlyUnread(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Indexed.self, Plain.self) }
        let store = fixture.store
        try store.save([Indexed(id: 1, title: "a"), Indexed(id: 2, title: "b")])
        try store.save(Plain(id: 1, title: "a"))
        func makeNewer(_ name: String) throws -> [UInt8] {
            var record = try #require(try store.bytes(of: name, key: 1.keyBytes))
            record[1] |= 8
            let checksum = record.withUnsafeBytes { record in 1.keyBytes.withUnsafeBytes { RecordFormat.checksum(of: record, key: $0) } }
            withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(4..<8, with: $0) }
            try store.setBytes(record, of: name, key: 1.keyBytes)
            return record
        }
        let newer = try makeNewer("indexed")
        func isNewer(_ body: () throws -> Void) {
            #expect(performing: body, throws: { if case TroveError.newerRecord(model: "indexed", id: _) = $0 { true } else { false } })
        }
        isNewer { try store.save(Indexed(id: 1, title: "c")) }
        isNewer { try store.save([Indexed(id: 2, title: "d"), Indexed(id: 1, title: "c")]) }
        try store.write { transaction in
            isNewer { try transaction.savepoint { try transaction.save(Indexed(id: 1, title: "c")) } }
            try transaction.save(Indexed(id: 3, title: "e"))
        }
        #expect(try store.bytes(of: "indexed", key: 1.keyBytes) == newer)
        #expect(try store.fetch(Indexed.self, id: 2)?.title == "b" && store.fetch(Indexed.self, id: 3)?.title == "e")

        _ = try makeNewer("plain")
        try store.save(Plain(id: 1, title: "b"))
        #expect(try store.fetch(Plain.self, id: 1)?.title == "b")
    }

    /// No model of a program takes a name that Trove keeps for itself, now or later.
    @Test func reservedNames() throws {
        struct Sample: Model {
            var id = 1
            // One name after the other, in this test alone.
            nonisolated(unsafe) static var name = ""
            static var schema: ModelSchema { ModelSchema(name, fields: []) }
            init(from record: inout RecordDecoder) throws { id = try record.decodeID() }
            func encode(into record: inout RecordEncoder) throws {}
        }
        for name in ["$history", "$keys", "$mirror", "$conflicts", "$paths", "$bags", "$"] {
            Sample.name = name
            #expect { try ObjectStore(MemoryBackend(), models: Sample.self) } throws: {
                if case TroveError.invalidModelName(name, _) = $0 { true } else { false }
            }
        }
    }
}
