import TestSupport
import Testing

@testable import Trove

/// Texts that Swift's `==` takes for equal, and those whose case folding has another length: a store tells them by their UTF-8 bytes.
@Suite struct NormalFormTests {
    struct Word: Model {
        var id: String
        var text: String
        var other: String?

        static let schema = ModelSchema("Word", fields: [FieldSchema("text", \Word.text), FieldSchema("other", \Word.other)])
        @TaskLocal static var declared: [Index<Word>] = []
        static var indexes: [Index<Word>] { declared }

        init(_ text: String, _ other: String?) {
            (id, self.text, self.other) = (text + "/" + (other ?? ""), text, other)
        }

        init(from record: inout RecordDecoder) throws {
            text = try record.decode()
            other = try record.decode()
            id = try record.decodeID()
        }

        func encode(into record: inout RecordEncoder) throws {
            try record.encode(text)
            try record.encode(other)
        }
    }

    static let texts = [
        "é", "e\u{301}", "É", "E\u{301}", "Å", "\u{212B}", "A\u{30A}", "İ", "i\u{307}", "i", "ß", "ss", "SS", "ﬀ", "ff", "K", "\u{212A}", "가", "\u{1100}\u{1161}",
        "q\u{323}\u{307}", "q\u{307}\u{323}", "👩‍👩‍👧", "🇩🇪", "", "\u{301}", "x" + String(repeating: "e\u{301}", count: 400), "x" + String(repeating: "é", count: 400),
    ]

    private static let indexes: [[Index<Word>]] = [
        [], [Index(\.text), Index(\.other)], [Index([.ignoringCase(\.text)], name: "folded")], [Index(unique: [\.text, \.other])],
    ]

    private func fixture(_ engine: Engine, _ indexes: [Index<Word>]) throws -> (ObjectStore, StoreFixture, [Word]) {
        let fixture = try Word.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, models: Word.self) } }
        let words = Self.texts.enumerated().map { Word($1, $0 % 5 == 0 ? nil : Self.texts[($0 * 7) % Self.texts.count]) }
        try fixture.store.save(words)
        return (fixture.store, fixture, words.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) })
    }

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test(arguments: Engine.allCases, 0..<4) func conditionsTellTextsByTheirBytes(_ engine: Engine, _ number: Int) throws {
        let (store, fixture, words) = try fixture(engine, Self.indexes[number])
        defer { withExtendedLifetime(fixture) {} }
        var random = SeededGenerator(seed: UInt64(number))
        for round in 0..<150 {
            let sought = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.texts.randomElement(using: &random) ?? "" }
            let folds = Int.random(in: 0..<3, using: &random) == 0
            let field = Bool.random(using: &random) ? "text" : "other"
            let isNegated = Bool.random(using: &random)
            let equalities = sought.map { text -> Filter in
                .comparison(.path(FieldPath(field)), isNegated ? .notEqual : .equal, .value(.string(text)), ignoringCase: folds)
            }
            let list = Filter.membership(.path(FieldPath(field)), sought.map { .string($0) }, ignoringCase: folds)
            func value(_ text: String) -> [UInt8] { Array((folds ? CaseFolding.folded(text) : text).utf8) }
            let wanted = Set(sought.map(value))
            let expected = Self.bytes(words.filter { word in
                let isFound = (field == "text" ? word.text : word.other).map { wanted.contains(value($0)) } ?? false
                return isFound != isNegated
            }.map(\.id))
            for filter in [isNegated ? .and(equalities) : .or(equalities), isNegated ? !list : list] {
                #expect(Self.bytes(try store.fetch(Word.self).where(filter).ids()) == expected, "round \(round): \(filter)")
                #expect(try store.fetch(Word.self).where(filter).count() == expected.count)
            }
        }
    }

    @Test(arguments: Engine.allCases, 0..<4) func groupsDistinctValuesAndIDsToo(_ engine: Engine, _ number: Int) throws {
        let (store, fixture, words) = try fixture(engine, Self.indexes[number])
        defer { withExtendedLifetime(fixture) {} }
        let texts = Set(Self.bytes(words.map(\.text)))
        #expect(Set(Self.bytes(try store.fetch(Word.self).distinct(\.text))) == texts)
        #expect(try store.fetch(Word.self).aggregate(.countDistinct(\.text)) == texts.count)
        let groups = try store.fetch(Word.self).grouped(by: \.text).aggregate(.count)
        #expect(Self.bytes(groups.map(\.key)) == texts.sorted { $0.lexicographicallyPrecedes($1) })
        for word in words {
            #expect(try store.fetch(Word.self, id: word.id).map { Array($0.text.utf8) } == Array(word.text.utf8))
            #expect(try store.fetch(Word.self).where { $0.id == word.id }.ids().map { Array($0.utf8) } == [Array(word.id.utf8)])
        }
        let ids = words.map(\.id)
        #expect(try Self.bytes(store.fetch(Word.self).where { $0.id.isIn(ids) }.ids()) == Self.bytes(ids))
        #expect(try Self.bytes(store.fetch(Word.self, ids: ids).map(\.id)) == Self.bytes(ids))
    }

    @Test func valuesNamesAndConditionsAreTheirBytes() throws {
        let (composed, decomposed) = ("é", "e\u{301}")
        #expect(StoredValue.string(composed) != .string(decomposed))
        #expect(Set([StoredValue.string(composed), .string(decomposed), .string(composed)]).count == 2)
        #expect(StoredValue.object([composed: .int(1)]) != .object([decomposed: .int(1)]))
        #expect(StoredValue.array([.string(composed)]) != .array([.string(decomposed)]))
        #expect(StoredValue.dictionary([.string(composed): .int(1), .string(decomposed): .int(2)]).value(at: "x") == nil)
        #expect(FieldPath(composed) != FieldPath(decomposed))
        #expect(Filter.isNil(FieldPath(composed)) != .isNil(FieldPath(decomposed)))
        #expect(Filter.matches(.path("a"), pattern: composed) != .matches(.path("a"), pattern: decomposed))
        #expect(FullTextQuery.word(composed) != .word(decomposed))
        #expect(Query(composed) != Query(decomposed))
        #expect(Query("a", where: .not(.isNil("b"))) == Query("a", where: .not(.isNil("b"))))
    }
}
