import TestSupport
import Testing

@testable import Trove

/// What verification finds, and what searches do with damage.
@Suite struct IndexVerificationTests {
    private static let fields = FullTextFields("title", "notes")

    private func fixture(_ engine: Engine, blockSize: Int = 60) throws -> IndexFixture {
        let fixture = try IndexFixture(engine, Self.fields, blockSize: blockSize)
        var random = RandomTexts(seed: 5)
        try fixture.change((0..<120).map { ([1, UInt8($0)], random.texts(2)) })
        try fixture.change(
            (0..<40).map { number -> ([UInt8], [String?]?) in
                let texts: [String?]? = number % 4 == 0 ? nil : random.texts(2)
                return ([1, UInt8(number * 3)], texts)
            })
        return fixture
    }

    private func differences(_ fixture: IndexFixture, _ documents: [[UInt8]: [String?]]) throws -> [IndexDifference] {
        var differences: [IndexDifference] = []
        try fixture.backend.read { reader in
            let verifier = try InvertedIndexVerifier(fixture.index.inverted, reader) { differences.append($0) }
            for (key, texts) in documents { try verifier.check(key.span.bytes, texts) }
            try verifier.finish()
        }
        return differences
    }

    @Test(arguments: Engine.allCases) func agreement(engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect(try differences(fixture, fixture.oracle.documents) == [])
        try fixture.change(fixture.oracle.documents.keys.map { ($0, nil) })
        #expect(try differences(fixture, [:]) == [])
        // Nothing is left of what was removed.
        try fixture.backend.read { reader in
            let postings = try #require(try reader.keyspace(named: fixture.index.inverted.postingsName))
            #expect(try reader.count(in: postings) == 0)
        }
    }

    /// Whoever waits for the end is told of each entry.
    @Test(arguments: Engine.allCases) func everyEntryIsCounted(engine: Engine) throws {
        let fixture = try fixture(engine)
        let inverted = fixture.index.inverted
        try fixture.backend.read { reader in
            let verifier = try InvertedIndexVerifier(inverted, reader) { _ in }
            for (key, texts) in fixture.oracle.documents { try verifier.check(key.span.bytes, texts) }
            var count = 0
            try verifier.finish { count += 1 }
            let keyspaces = try [inverted.postingsName, inverted.documentsName].map { try #require(try reader.keyspace(named: $0)) }
            #expect(try count > 0 && count == keyspaces.reduce(0) { try $0 + reader.count(in: $1) })
        }
    }

    @Test func disagreement() throws {
        let fixture = try fixture(.memory)
        var documents = fixture.oracle.documents
        let (removed, changed, moved): ([UInt8], [UInt8], [UInt8]) = ([1, 1], [1, 2], [1, 4])
        documents[removed] = nil
        documents[changed] = ["something else", nil]
        let texts = try #require(documents[moved])
        documents[moved] = [texts[1] ?? "x y", (texts[0] ?? "") + " end"]
        documents[[9]] = ["new", nil]
        let found = Set(try differences(fixture, documents))
        #expect(found.contains(.missing(recordKey: [9])))
        #expect(found.contains(.stale(recordKey: removed)))
        for key in [changed, moved] { #expect(found.contains(.wrong(recordKey: key, reason: "the index holds other words"))) }
        #expect(found.count == 4)
    }

    /// Every bit of the index, flipped: searches tell the truth or throw a typed error, and verification finds it.
    @Test func flippedBitsAreFound() throws {
        let fixture = try fixture(.memory, blockSize: 200)
        let inverted = fixture.index.inverted
        var random = RandomTexts(seed: 6)
        let queries = (0..<6).map { _ in random.query(Self.fields) }
        for name in [inverted.postingsName, inverted.documentsName, inverted.keysName] {
            var entries: [(key: [UInt8], value: [UInt8])] = []
            try fixture.backend.read { reader in
                let keyspace = try #require(try reader.keyspace(named: name))
                try reader.scan(in: keyspace) {
                    entries.append(([UInt8](copying: $0), [UInt8](copying: $1)))
                    return .next
                }
            }
            for (key, value) in entries {
                for _ in 0..<2 {
                    var damaged = value
                    damaged[Int.random(in: 0..<value.count, using: &random.generator)] ^= 1 << UInt8.random(in: 0..<8, using: &random.generator)
                    try put(damaged, key, name, fixture)
                    try checkSearches(fixture, queries)
                    #expect(try differences(fixture, fixture.oracle.documents) != [], "\(name) \(key)")
                }
                try put(value, key, name, fixture)
            }
        }
        #expect(try differences(fixture, fixture.oracle.documents) == [])
    }

    private func put(_ value: [UInt8], _ key: [UInt8], _ name: String, _ fixture: IndexFixture) throws {
        try fixture.backend.write(.relaxed) { try $0.put(key, value, in: $0.createKeyspace(named: name)) }
    }

    private func checkSearches(_ fixture: IndexFixture, _ queries: [FullTextQuery]) throws {
        for query in queries {
            do {
                let found = try fixture.search { try $0.recordKeys(matching: query) }
                #expect(found == fixture.oracle.matches(query))
            } catch TroveError.corruptIndex(_, let name, let reason) {
                #expect(name == fixture.index.inverted.name && !reason.isEmpty)
            }
        }
    }

    @Test(arguments: Engine.allCases) func changesThatDoNotGoWithTheIndex(engine: Engine) throws {
        let fixture = try fixture(engine)
        let key: [UInt8] = [1, 1]
        let texts = try #require(fixture.oracle.documents[key])
        for (old, new): ([String?]?, [String?]?) in [(nil, texts), (["x", nil], nil)] {
            #expect(throws: TroveError.self) {
                try fixture.backend.write(.relaxed) { storage in
                    let writer = InvertedIndexWriter(fixture.index.inverted)
                    let wrong: [UInt8] = old == nil ? key : [200]
                    try writer.replace(wrong.span.bytes, old: old, new: new)
                    try writer.flush(into: storage)
                }
            }
        }
        let writer = InvertedIndexWriter(fixture.index.inverted)
        try writer.replace(key.span.bytes, old: texts, new: nil)
        #expect(throws: TroveError.self) { try writer.replace(key.span.bytes, old: texts, new: nil) }
        #expect(try differences(fixture, fixture.oracle.documents) == [])
    }

    @Test(arguments: Engine.allCases) func dropping(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.backend.write(.relaxed) { storage in
            for name in try storage.keyspaceNames() {
                if let keyspace = try storage.keyspace(named: name) { try storage.dropKeyspace(keyspace) }
            }
        }
        var names: [String]?
        try fixture.backend.read { names = try $0.keyspaceNames() }
        #expect(names == [])
        #expect(try fixture.search { try $0.recordKeys(matching: .not(.word("none"))) }.isEmpty)
        try fixture.change([])
        #expect(try differences(fixture, [:]) == [])
    }

    @Test func anotherDefinitionIsNoticed() throws {
        let fixture = try fixture(.memory)
        let other = try FullTextIndex(name: "7", fields: Self.fields, options: FullTextOptions(stemming: .english))
        #expect(throws: TroveError.self) {
            try fixture.backend.read { _ = try FullTextSearch(index: other, reader: $0).count(.word("a")) }
        }
    }
}
