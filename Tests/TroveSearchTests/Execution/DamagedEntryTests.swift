import TestSupport
import Testing
import TroveStorage

@testable import Trove

/// Entries whose bytes somebody changed: what is read of them alone is refused, by the name of the index.
@Suite struct DamagedEntryTests {
    /// An entry as the engine has it: its parts, the record's key, and the value behind its first byte.
    private struct Pieces {
        var parts: [UInt8]
        var recordKey: [UInt8]
        var covered: [UInt8]

        init(_ key: [UInt8], _ value: [UInt8]) {
            parts = Array(key.prefix(Int(value[0])))
            recordKey = Array(key.dropFirst(parts.count))
            covered = Array(value.dropFirst())
        }
    }

    /// - `isInPart`: whether it is the first part that is damaged.
    private static let damages: [(name: Comment, isInPart: Bool, change: @Sendable (inout Pieces) -> Void)] = [
        ("bytes behind the covered values", false, { $0.covered.append(0x21) }),
        ("covered values that end too soon", false, { $0.covered.removeLast() }),
        ("an open escape", true, { $0.parts.insert(~1, at: $0.parts.count - 1) }),
        ("a bad escape", true, { $0.parts.insert(contentsOf: [~1, ~5], at: 2) }),
        ("no text", true, { $0.parts[2] = ~0xC3 }),
        ("bytes behind the parts", false, { $0.parts.append(7) }),
        ("neither nil nor a value", true, { $0.parts[0] = ~5 }),
    ]

    @Test(arguments: Engine.allCases) func areToldByTheIndex(engine: Engine) throws {
        for damage in Self.damages {
            var opened: (any StorageBackend)?
            let fixture = try Tune.$declared.withValue([Index([.descending(\.artist)], name: "artists", covering: [\.seconds])]) {
                try StoreFixture(engine) {
                    opened = $0
                    return try ObjectStore($0, models: Tune.self)
                }
            }
            let tune = Tune(artist: "Abc", year: 1, rating: nil, tags: [], title: "", seconds: 900)
            try fixture.store.save(tune)
            let fetch = fixture.store.fetch(Tune.self)
            let selected = fetch.sorted(by: \.artist, .descending).limit(5).select(\.artist, \.seconds)
            let groups = fetch.grouped(by: \.artist)
            #expect(try selected.explain().steps.map(\.kind) == [.window, .index])
            #expect(try groups.explain(.sum(\.seconds)).steps.map(\.kind) == [.group, .index])
            #expect(try selected.all().map { "\($0)" } == [#"("Abc", 900)"#])
            #expect(try groups.aggregate(.sum(\.seconds)).map(\.values) == [900])
            #expect(try fetch.distinct(\.artist) == ["Abc"])

            try #require(opened).write(.buffered) { writer in
                let keyspace = try #require(try writer.keyspace(named: IndexCatalogueEntry.keyspaceName(1)))
                var entry: (key: [UInt8], value: [UInt8])?
                try writer.scan(in: keyspace) { key, value in
                    entry = ([UInt8](copying: key), [UInt8](copying: value))
                    return .next
                }
                let found = try #require(entry)
                var pieces = Pieces(found.key, found.value)
                damage.change(&pieces)
                #expect(try writer.delete(found.key.span.bytes, in: keyspace))
                let value = [UInt8(pieces.parts.count)] + pieces.covered
                try writer.put((pieces.parts + pieces.recordKey).span.bytes, value.span.bytes, in: keyspace)
            }
            Self.expectCorrupt(damage.name) { _ = try selected.all() }
            Self.expectCorrupt(damage.name) { _ = try groups.aggregate(.sum(\.seconds)) }
            if damage.isInPart { Self.expectCorrupt(damage.name) { _ = try fetch.distinct(\.artist) } }
        }
    }

    /// Of several indexes that find the objects of a query, the one is named whose entry has no record.
    @Test(arguments: Engine.allCases) func missingRecordsAreToldByTheIndexThatHasThem(engine: Engine) throws {
        let indexes = [Index<Tune>([.ascending(\.artist)], name: "artists"), Index<Tune>([.ascending(\.year)], name: "years")]
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) } }
        let tunes = (0..<40).map { Tune(artist: "\($0)", year: $0, rating: nil, tags: [], title: "", seconds: 1) }
        try fixture.store.save(tunes)
        let fetch = fixture.store.fetch(Tune.self).where { $0.artist == "3" || $0.year == 7 }
        #expect(try fetch.explain(running: false).indexes == ["artists", "years"])
        #expect(try fetch.count() == 2)
        try Self.removeRecord(tunes[7].id.keyBytes, of: "Tune", fixture.store)
        #expect { try fetch.all() } throws: { error in
            if case TroveError.corruptIndex(model: "Tune", index: "years", _) = error { true } else { false }
        }
    }

    /// Of an id and an index together, what the index names has to be there, also where the id is that of the same object; an id alone need not.
    @Test(arguments: Engine.allCases) func missingRecordsAreToldBesideIDs(engine: Engine) throws {
        let indexes = [Index<Tune>([.ascending(\.artist)], name: "artists")]
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) } }
        let tunes = (0..<200).map { Tune(artist: "\($0)", year: $0, rating: nil, tags: [], title: "", seconds: 1) }
        try fixture.store.save(tunes)
        let (there, other, damaged) = (tunes[3].id, ObjectID(), tunes[7])
        let fetches = [there, other, damaged.id].map { id in fixture.store.fetch(Tune.self).where { $0.id == id || $0.artist == "7" } }
        for fetch in fetches { #expect(try fetch.explain(running: false).steps.contains { $0.kind == .union }) }
        #expect(try fetches.map { try $0.all().count } == [2, 1, 1])
        try Self.removeRecord(damaged.id.keyBytes, of: "Tune", fixture.store)
        for fetch in fetches {
            #expect { try fetch.all() } throws: { error in
                if case TroveError.corruptIndex(model: "Tune", index: "artists", _) = error { true } else { false }
            }
        }
        // Nothing but ids names it here.
        let named = damaged.id
        #expect(try fixture.store.fetch(Tune.self).where { $0.id == named || $0.artist == "3" }.all() == [tunes[3]])
        #expect(try fixture.store.fetch(Tune.self).where { $0.id == named || $0.id == other }.all() == [])
    }

    /// An index of words or of parts of texts that finds an object without a record is told, and the object is not left out.
    @Test(arguments: Engine.allCases) func missingRecordsAreToldByIndexesOfTexts(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Article.self) }
        let articles = (0..<30).map { Article(title: $0 == 5 ? "autumn" : "leaves", body: "", code: $0 == 5 ? "xyzzy" : "abcab", year: 1, note: nil) }
        try fixture.store.save(articles)
        let fetches = [fixture.store.fetch(Article.self).where { $0.hasWords("autumn") }, fixture.store.fetch(Article.self).where { $0.code.contains("xyzzy") }]
        for fetch in fetches {
            #expect(try fetch.explain(running: false).indexes.count == 1)
            #expect(try fetch.all() == [articles[5]])
        }
        try Self.removeRecord(articles[5].id.keyBytes, of: "Article", fixture.store)
        for fetch in fetches {
            #expect { try fetch.all() } throws: { error in
                if case TroveError.corruptIndex(model: "Article", _, _) = error { true } else { false }
            }
        }
    }

    /// Removes a record from the engine, without the store's knowledge.
    private static func removeRecord(_ key: [UInt8], of modelName: String, _ store: ObjectStore) throws {
        try store.core.backend.write(.relaxed) { writer in
            let keyspace = try #require(try writer.keyspace(named: modelName))
            #expect(try writer.delete(key.span.bytes, in: keyspace))
        }
    }

    private static func expectCorrupt(_ damage: Comment, _ body: () throws -> Void) {
        #expect(damage) {
            try body()
        } throws: { error in
            if case TroveError.corruptIndex(model: "Tune", index: "artists", _) = error { true } else { false }
        }
    }
}
