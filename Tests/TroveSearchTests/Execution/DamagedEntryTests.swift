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

    private static func expectCorrupt(_ damage: Comment, _ body: () throws -> Void) {
        #expect(damage) {
            try body()
        } throws: { error in
            if case TroveError.corruptIndex(model: "Tune", index: "artists", _) = error { true } else { false }
        }
    }
}
