import TestSupport
import Testing

@testable import Trove

/// Searches of the index against the oracle, on every engine.
@Suite struct FullTextSearchTests {
    private static let fields = FullTextFields([("title", weight: 3), ("notes", weight: 1), ("tags", weight: 0.5)])

    @Test(arguments: TestShare.trials([UInt64(1), 2, 3])) func randomChangesAndQueries(engine: Engine, seed: UInt64) throws {
        let fixture = try IndexFixture(engine, Self.fields, blockSize: [900, 24, 60][Int(seed) - 1])
        var random = RandomTexts(seed: seed)
        for round in 0..<8 {
            var changes: [([UInt8], [String?]?)] = []
            let known = fixture.oracle.documents.keys.sorted { $0.lexicographicallyPrecedes($1) }
            for _ in 0..<Int.random(in: 1...(round == 0 ? 120 : 40), using: &random.generator) {
                let key = Bool.random(using: &random.generator) ? known.randomElement(using: &random.generator) ?? random.key() : random.key()
                let removes = Int.random(in: 0..<4, using: &random.generator) == 0
                changes.append((key, removes ? nil : random.texts(3)))
            }
            try fixture.change(changes, memoryLimit: round % 3 == 0 ? 1 : .max)
            if round % 4 == 3 { try fixture.reopen() }
            try check(fixture, queries: (0..<15).map { _ in random.query(Self.fields) })
        }
    }

    @Test(arguments: Engine.allCases) func keysInOrderOfArrival(engine: Engine) throws {
        let fixture = try IndexFixture(engine, Self.fields, blockSize: 40)
        var random = RandomTexts(seed: 9)
        for batch in 0..<4 {
            try fixture.change((0..<100).map { ([UInt8(batch), UInt8($0)], random.texts(3)) })
            try fixture.change((0..<10).map { ([UInt8(batch), UInt8($0 * 7)], nil) })
            try check(fixture, queries: (0..<15).map { _ in random.query(Self.fields) })
        }
    }

    /// Planning looks at the end of each list, not along it.
    @Test(arguments: Engine.allCases) func estimatesReadTheEndsOfLists(engine: Engine) throws {
        let fixture = try IndexFixture(engine, Self.fields, blockSize: 40)
        let texts = (0..<600).map { "alpha alphabet \($0 % 2 == 0 ? "alpine beta" : "gamma")" }
        try fixture.change(texts.enumerated().map { number, text in ([UInt8(number / 256), UInt8(number % 256)], [text, nil, nil]) })
        let cases: [(FullTextQuery, Int)] = [
            (.word("beta"), 300), (.prefix("al"), 600), (.prefix("alpi"), 300), (.phrase("beta alpha"), 300), (.all([.word("alpha"), .word("nothing")]), 0),
            (.any([.word("beta"), .word("gamma")]), 600), (.all([.prefix("al"), .not(.word("beta"))]), 600), (.not(.word("alpha")), 600),
        ]
        try fixture.search { search in
            let reader = CountedReader(search.reader)
            let counted = FullTextSearch(index: search.index, reader: reader)
            for (query, estimate) in cases {
                reader.reset()
                let found = try counted.estimate(query)
                #expect(found == estimate, "\(query)")
                #expect(reader.visits < 12, "\(query): \(reader.visits)")
            }
        }
    }

    /// Of many objects with one score, the first by key are the best; not all of them are kept or judged until the end.
    @Test(arguments: Engine.allCases) func manyTies(engine: Engine) throws {
        let fixture = try IndexFixture(engine, Self.fields)
        var random = RandomTexts(seed: 11)
        let keys = (0..<8_000).map { number -> [UInt8] in
            let random = UInt64.random(in: 0 ... .max, using: &random.generator)
            return withUnsafeBytes(of: random.bigEndian) { Array($0) } + [UInt8(number >> 8), UInt8(number & 255)]
        }
        // Two are better than the others, and come late.
        let better = [keys[7_000], keys[7_900]]
        try fixture.change(keys.map { ($0, [better.contains($0) ? "autumn autumn" : "autumn leaves", nil, nil]) })
        try fixture.search { search in
            let sorted = keys.filter { !better.contains($0) }.sorted { $0.lexicographicallyPrecedes($1) }
            let expected = better.sorted { $0.lexicographicallyPrecedes($1) } + sorted
            let all = try search.best(5, of: .word("autumn")).map(\.recordKey)
            #expect(all == Array(expected.prefix(5)))
            var asked = 0
            let judged = try search.best(5, offset: 2, of: .word("autumn")) { _ in
                asked += 1
                return true
            }
            #expect(judged.map(\.recordKey) == Array(expected[2..<7]))
            #expect(asked < 5_000, "\(asked)")
            let odd = try search.best(5, of: .word("autumn")) { key in key.unsafeLoad(fromByteOffset: 9, as: UInt8.self) % 2 == 1 }
            #expect(odd.map(\.recordKey) == Array(expected.filter { $0[9] % 2 == 1 }.prefix(5)))
        }
    }

    /// Each word costs memory and maybe a cursor: of words that find nothing together few are looked up, and too many are refused.
    @Test(arguments: Engine.allCases) func manyWords(engine: Engine) throws {
        let fixture = try IndexFixture(engine, Self.fields)
        let words = (0..<1_000).map { "word\($0)" }
        try fixture.change([([1], [words.joined(separator: " "), nil, nil])])
        try fixture.search { search in
            let reader = CountedReader(search.reader)
            let counted = FullTextSearch(index: search.index, reader: reader)
            let missing = try counted.recordKeys(matching: .all((["missing"] + words.dropFirst()).map { .word($0) }))
            #expect(missing.isEmpty)
            #expect(reader.visits < 20, "\(reader.visits)")
            let all = try counted.recordKeys(matching: .all(words.map { .word($0) }))
            #expect(all == [[1]])
        }
        let more = words + ["one"]
        let queries: [FullTextQuery] = [
            .all(more.map { .word($0) }), .any(more.map { .word($0) }), .not(.any(more.map { .prefix($0) })), .phrase(more.joined(separator: " ")),
            .all([.phrase(words.joined(separator: " ")), .word("one")]),
        ]
        for query in queries {
            #expect {
                try fixture.search { try $0.count(query) }
            } throws: { error in
                guard case TroveError.unsupportedFullTextQuery(_, let reason) = error else { return false }
                return reason.contains("has 1001 words")
            }
        }
        // A text is searched for as many as there are.
        let highlighter = try FullTextHighlighter(.any(more.map { .word($0) }), fields: Self.fields)
        #expect(highlighter.ranges(in: "one two word7").count == 2)
    }

    /// A search of what does not have a word ends too when its time is over, however few documents it finds.
    @Test(arguments: Engine.allCases) func exclusionsEndInTime(engine: Engine) throws {
        let fixture = try IndexFixture(engine, Self.fields)
        try fixture.change((0..<40).map { ([UInt8($0)], ["blue", nil, nil]) })
        let limit = ReadWatch.TimeLimit(instant: .now) { .deadlineExceeded(query: "", deadline: .zero) }
        #expect(try fixture.search { try $0.count(.not(.word("green"))) } == 40)
        #expect {
            try fixture.search { try FullTextSearch(index: $0.index, reader: $0.reader, watch: ReadWatch(limit: limit)).count(.not(.word("green"))) }
        } throws: { error in
            if case TroveError.deadlineExceeded = error { true } else { false }
        }
    }

    /// The largest weight there is makes no score infinite, or no number.
    @Test(arguments: Engine.allCases) func largestWeights(engine: Engine) throws {
        let fixture = try IndexFixture(engine, FullTextFields([("title", weight: .greatestFiniteMagnitude), ("notes", weight: 1)]))
        try fixture.change([([1], [nil, "blue train"]), ([2], ["blue blue train", "blue"]), ([3], ["green", nil])])
        for query: FullTextQuery in [.word("blue"), .prefix("bl"), .phrase("blue train"), .all([.word("blue"), .prefix("t")])] {
            let found = try fixture.search { try $0.best(5, of: query) }
            #expect(found.map(\.recordKey) == [[2], [1]] && found.allSatisfy { $0.score.isFinite && $0.score > 0 }, "\(query): \(found)")
        }
    }

    /// What a prefix finds is gathered once, however often a query has it; different ones are bounded.
    @Test(arguments: Engine.allCases) func manyPrefixes(engine: Engine) throws {
        let fixture = try IndexFixture(engine, Self.fields, blockSize: 40)
        try fixture.change((0..<40).map { number in ([UInt8(number)], [(0..<20).map { "a\((number + $0) % 30)" }.joined(separator: " "), nil, nil]) })
        let (one, many) = try (FullTextQuery("a*"), FullTextQuery(String(repeating: "a* ", count: 200)))
        let inFields = try FullTextQuery(String(repeating: "title:a* OR ", count: 200) + "\"a1 a\"*")
        try fixture.search { search in
            let reader = CountedReader(search.reader)
            let counted = FullTextSearch(index: search.index, reader: reader)
            func read(_ query: FullTextQuery, _ number: (FullTextQuery) throws -> Int) throws -> Int {
                reader.reset()
                #expect(try number(query) == 40)
                return reader.visits
            }
            let visits = try read(one, counted.count)
            #expect(try read(many, counted.count) == visits)
            #expect(try read(inFields, counted.count) < 4 * visits)
            #expect(try read(many, counted.estimate) == read(one, counted.estimate))
            let best = try counted.best(3, of: one)
            let same = try counted.best(3, of: many)
            #expect(best.map(\.recordKey) == same.map(\.recordKey))
            for (one, many) in zip(best, same) { #expect(abs(many.score / one.score - 200) < 1e-6) }
        }
        let different = (0..<64).map { FullTextQuery.prefix("a\($0)") }
        #expect(try fixture.search { try $0.count(.any(different)) } == 40)
        #expect {
            try fixture.search { try $0.count(.any(different + [.prefix("b")])) }
        } throws: { error in
            guard case TroveError.unsupportedFullTextQuery(_, let reason) = error else { return false }
            return reason.contains("has 65 different words with a star")
        }
    }

    /// What is gathered is joined on the way, to the same as at the end.
    @Test func gatheredPostings() {
        var random = SeededGenerator(seed: 5)
        var (short, long) = (GatheredPostings<Double>(spare: 10) { $0 += $1 }, GatheredPostings<Double> { $0 += $1 })
        var sums: [UInt64: Double] = [:]
        for _ in 0..<1_000 {
            let (document, value) = (UInt64.random(in: 0..<20, using: &random), Double(Int.random(in: 1...9, using: &random)))
            sums[document, default: 0] += value
            short.postings.append((document, value))
            long.postings.append((document, value))
            short.joinWhenLong()
            long.joinWhenLong()
            #expect(short.postings.count <= 50)
        }
        #expect(long.postings.count == 1_000)
        short.join()
        long.join()
        for gathered in [short, long] {
            #expect(gathered.postings.map(\.document) == sums.keys.sorted())
            #expect(gathered.postings.allSatisfy { sums[$0.document] == $0.value })
        }
    }

    private func check(_ fixture: IndexFixture, queries: [FullTextQuery]) throws {
        try fixture.search { search in
            for query in queries {
                let expected = fixture.oracle.matches(query)
                #expect(try search.recordKeys(matching: query) == expected, "\(query)")
                #expect(try search.count(query) == expected.count, "\(query)")
                let matcher = try FullTextMatcher(query, fixture.index)
                #expect(fixture.oracle.documents.count { matcher.matches($0.value) } == expected.count, "\(query)")
                #expect(try search.estimate(query) >= expected.count, "\(query)")
                let best = fixture.oracle.best(.max, of: query)
                let found = try search.best(7, of: query)
                #expect(found.count == min(7, best.count), "\(query)")
                #expect(zip(found, best).allSatisfy { abs($0.score - $1.score) < 1e-9 }, "\(query)")
                // Where scores differ by rounding only, either order is right.
                let isClear = zip(best, best.dropFirst().prefix(7)).allSatisfy { $0.score == $1.score || $0.score - $1.score > 1e-9 }
                if isClear { #expect(found.map(\.recordKey) == best.prefix(7).map(\.key), "\(query)") }
            }
        }
    }
}
