import TestSupport
import Testing

@testable import Trove

@Suite struct FullTextOptionsTests {
    private func keys(_ fixture: IndexFixture, _ query: String) throws -> [UInt8] {
        let query = try FullTextQuery(query)
        let found = try fixture.search { try $0.recordKeys(matching: query) }
        let matcher = try FullTextMatcher(query, fixture.index)
        #expect(found == fixture.oracle.documents.filter { matcher.matches($0.value) }.map(\.key).sorted { $0.lexicographicallyPrecedes($1) })
        return found.map { $0[0] }
    }

    private static let texts = [
        "Connections in Autumn", "A connecting train", "Café Blue", "cafe\u{301} bleu", "The well-known train", "known well", "学中文", "文中", "3.14 and 3,14",
    ]

    private func fixture(_ options: FullTextOptions) throws -> IndexFixture {
        let fixture = try IndexFixture(.memory, FullTextFields("title"), options)
        try fixture.change(Self.texts.enumerated().map { ([UInt8($0)], [$1]) })
        return fixture
    }

    @Test func plain() throws {
        let fixture = try fixture(.init())
        #expect(try keys(fixture, "connect") == [])
        #expect(try keys(fixture, "connect*") == [0, 1])
        #expect(try keys(fixture, "CAFE") == [2, 3])
        #expect(try keys(fixture, "well-known") == [4])
        #expect(try keys(fixture, "中文") == [6])
        #expect(try keys(fixture, "\"the well kno\"*") == [4])
        #expect(try keys(fixture, "3.14") == [8])
        #expect(try keys(fixture, "NOT a*") == [2, 3, 4, 5, 6, 7])
        #expect(try keys(fixture, "&") == [])
        #expect(try keys(fixture, "NOT none") == Array(0...8))
    }

    @Test func stemmed() throws {
        let fixture = try fixture(.init(stemming: .english))
        #expect(try keys(fixture, "connected") == [0, 1])
        #expect(try keys(fixture, "trains") == [1, 4])
    }

    @Test func marksKept() throws {
        let fixture = try fixture(.init(ignoresDiacritics: false))
        #expect(try keys(fixture, "café") == [2, 3])
        #expect(try keys(fixture, "cafe") == [])
    }

    @Test func minimumLength() throws {
        let fixture = try fixture(.init(minimumWordLength: 4))
        #expect(try keys(fixture, "the") == [])
        #expect(try keys(fixture, "the train") == [1, 4])
        #expect(try keys(fixture, "th*") == [])
        #expect(try keys(fixture, "\"connections in autumn\"") == [0])
    }

    @Test func withoutPositions() throws {
        let fixture = try fixture(.init(keepsPositions: false))
        #expect(try keys(fixture, "train") == [1, 4])
        #expect(try keys(fixture, "well-known") == [4, 5])
        let index = fixture.index
        #expect(throws: TroveError.self) { try fixture.search { try $0.count(.phrase("well known")) } }
        #expect(try fixture.search { try $0.best(1, of: .word("train")) }.map(\.recordKey) == [[1]])
        try fixture.backend.read { reader in
            var differences: [IndexDifference] = []
            let verifier = try InvertedIndexVerifier(index.inverted, reader) { differences.append($0) }
            for (key, texts) in fixture.oracle.documents { try verifier.check(key.span.bytes, texts) }
            try verifier.finish()
            #expect(differences == [])
        }
    }

    @Test func bestOfSome() throws {
        let fixture = try fixture(.init())
        let found = try fixture.search { search in
            try search.best(2, offset: 1, of: .any([.word("train"), .word("cafe")])) { $0.byteCount == 1 }
        }
        #expect(found.count == 2)
        let even = try fixture.search { search in
            try search.best(9, of: .any([.word("train"), .word("cafe")])) { [UInt8](copying: $0)[0] % 2 == 0 }
        }
        #expect(Set(even.map { $0.recordKey[0] }) == [2, 4])
        #expect(try fixture.search { try $0.best(0, of: .word("train")) }.isEmpty)
    }
}
