import TestSupport
import Testing

@testable import Trove

/// Full text and substrings through the store: kept in step, planned, combined with other conditions, ranked.
@Suite struct WordQueryTests {
    private static let words = ["autumn", "leaves", "connection", "connected", "blue", "train", "Straße", "naïve", "so", "what", "live"]

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Article.self) }
    }

    private func article(_ random: inout some RandomNumberGenerator) -> Article {
        func text(_ count: Int) -> String {
            (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
        }
        return Article(
            title: text(2), body: text(Int.random(in: 0...6, using: &random)),
            code: String((0..<6).map { _ in "abcAB".randomElement(using: &random) ?? "a" }), year: Int.random(in: 1950...1960, using: &random), note: nil)
    }

    /// What a query finds is what the matcher tells of each object's texts, whatever was saved, changed, deleted and rolled back before.
    @Test(arguments: Engine.allCases) func answersAreThoseOfAScan(engine: Engine) throws {
        let fixture = try fixture(engine)
        var random = SeededGenerator(seed: 2024)
        var articles: [Article] = []
        for round in 0..<6 {
            let fresh = (0..<40).map { _ in article(&random) }
            try fixture.store.save(fresh)
            articles += fresh
            for _ in 0..<10 {
                let index = articles.indices.randomElement(using: &random) ?? 0
                articles[index].title = article(&random).title
                articles[index].note = "changed"
                try fixture.store.save(articles[index])
            }
            let gone = articles.remove(at: 3)
            try fixture.store.delete(gone)
            #expect(throws: TroveError.self) {
                try fixture.store.write { transaction in
                    try transaction.save(article(&random))
                    throw TroveError.transactionFinished
                }
            }
            if round == 2 { try fixture.reopenStore() }
            articles.sort { $0.id < $1.id }
            try check(articles, fixture.store)
        }
        #expect(try fixture.store.verify().isSound)
    }

    /// Indexes of words count their objects, and every index is told in a line.
    @Test(arguments: Engine.allCases) func statistics(engine: Engine) throws {
        let fixture = try fixture(engine)
        var random = SeededGenerator(seed: 7)
        try fixture.store.save((0..<12).map { _ in article(&random) })
        let statistics = try fixture.store.indexStatistics().filter { !$0.schema.kind.isOrdered }
        #expect(!statistics.isEmpty)
        for index in statistics {
            #expect(index.entries == 12)
            #expect("\(index)" == "Article: the index '\(index.schema.name)', ready, 12 objects of \(index.bytes) bytes, used 0 times")
        }
    }

    private func check(_ articles: [Article], _ store: ObjectStore) throws {
        let fields = FullTextFields([("title", weight: 3), ("body", weight: 1)])
        let index = try FullTextIndex(name: "oracle", fields: fields, options: FullTextOptions(stemming: .english))
        for text in ["autumn leaves", "connect*", "\"blue train\"", "autumn OR NOT live", "title:strasse", "NAIVE -blue", "nothing"] {
            let matcher = try FullTextMatcher(FullTextQuery(text), index)
            let expected = articles.filter { matcher.matches([$0.title, $0.body]) }
            #expect(try store.fetch(Article.self).where { $0.hasWords(text) }.all() == expected, "\(text)")
            #expect(try store.fetch(Article.self).where { $0.hasWords(text) }.count() == expected.count)
            let late = expected.filter { $0.year > 1955 }
            #expect(try store.fetch(Article.self).where { $0.hasWords(text) && $0.year > 1955 }.all() == late)
            #expect(try store.fetch(Article.self).where { !$0.hasWords(text) }.count() == articles.count - expected.count)
            let ranked = try store.fetch(Article.self).where { $0.year > 1955 }.search(text)
            #expect(Set(ranked.map(\.object)) == Set(late))
            #expect(zip(ranked, ranked.dropFirst()).allSatisfy { $0.score > $1.score || ($0.score == $1.score && $0.object.id < $1.object.id) })
            #expect(try store.fetch(Article.self).where { $0.year > 1955 }.offset(1).limit(3).search(text).map(\.object) == ranked.dropFirst().prefix(3).map(\.object))
        }
        let matcher = try FullTextMatcher(FullTextQuery("title:blue"), index)
        #expect(try store.fetch(Article.self).where { $0.title.hasWords("blue") }.all() == articles.filter { matcher.matches([$0.title, $0.body]) })
        for part in ["abc", "ABA", "bca", "a", "cabcab", ""] {
            #expect(try store.fetch(Article.self).where { $0.code.contains(part) }.all() == articles.filter { $0.code.contains(part) || part.isEmpty })
            let folded = part.lowercased()
            #expect(
                try store.fetch(Article.self).where { $0.code.hasPrefix(part, ignoringCase: true) }.all()
                    == articles.filter { $0.code.lowercased().hasPrefix(folded) })
            #expect(try store.fetch(Article.self).where { $0.code.hasSuffix(part) }.all() == articles.filter { $0.code.hasSuffix(part) })
        }
    }

    @Test(arguments: Engine.allCases) func plansUseTheIndexes(engine: Engine) throws {
        let fixture = try fixture(engine)
        var random = SeededGenerator(seed: 5)
        try fixture.store.save((0..<600).map { _ in article(&random) })
        try fixture.store.save(Article(title: "unheard word", body: "", code: "zyxwvu", year: 1955, note: nil))
        let words = try fixture.store.fetch(Article.self).where { $0.hasWords("unheard") }.explain()
        #expect(words.indexes == ["text of title, body"])
        let parts = try fixture.store.fetch(Article.self).where { $0.code.contains("YXW", ignoringCase: true) }.explain()
        #expect(parts.indexes == ["parts of code"])
        #expect(try fixture.store.fetch(Article.self).where { $0.code.contains("YXW", ignoringCase: true) }.all().count == 1)
        let both = try fixture.store.fetch(Article.self).where { $0.hasWords("unheard") || $0.code.contains("xwv") }.explain()
        #expect(Set(both.indexes) == ["text of title, body", "parts of code"])
    }

    @Test(arguments: Engine.allCases) func aTransactionSearchesItsOwnChanges(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.write { transaction in
            try transaction.save(Article(title: "Autumn Leaves", body: "", code: "abcdef", year: 1959, note: nil))
            #expect(try transaction.fetch(Article.self).search("leaf").isEmpty)
            #expect(try transaction.fetch(Article.self).search("leaves").count == 1)
            #expect(try transaction.fetch(Article.self).where { $0.code.contains("cde") }.count() == 1)
            #expect(try transaction.fetch(Article.self).where { $0.hasWords("autumn") }.delete() == 1)
            #expect(try transaction.fetch(Article.self).search("leaves").isEmpty)
        }
    }

    /// What has begun is carried out, its planning too.
    @Test(arguments: Engine.allCases) func aWriteSearchesThoughItsTaskIsCancelled(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let run: @Sendable () throws -> [Int] = {
            try store.write { transaction in
                for number in 0..<20 {
                    try transaction.save(Article(title: "Autumn \(number)", body: "late autumn leaves", code: "abcdef", year: 1959, note: nil))
                }
                withUnsafeCurrentTask { $0?.cancel() }
                #expect(Task.isCancelled)
                let fetch = transaction.fetch(Article.self)
                return [
                    try fetch.where { $0.hasWords("a*") }.count(), try fetch.where { $0.hasWords("\"autumn leaves\"") }.all().count,
                    try fetch.where { $0.code.contains("bcd") }.count(),
                ]
            }
        }
        let found = await Task { Result { try run() } }.value
        #expect(try found.get() == [20, 20, 20])
        #expect(try await store.fetch(Article.self).count() == 20)
    }

    @Test(arguments: Engine.allCases) func hitsShowWhereTheWordsStand(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.save(Article(title: "Connected Trains", body: "A blue train", code: "abc", year: 1957, note: nil))
        let hit = try #require(try fixture.store.fetch(Article.self).search("train connection").first)
        #expect(hit.score > 0)
        #expect(hit.highlighted(\.title) == "[Connected] [Trains]")
        #expect(hit.snippet(of: \.body, words: 2) == "…[blue] train" || hit.snippet(of: \.body, words: 2) == "…blue [train]")
        #expect(hit.highlighted(\.code) == "abc")
    }

    /// What stands for the same words has the same score: a word's rarity is that of all fields, and what an object does not meet adds nothing.
    @Test(arguments: Engine.allCases) func scoresOfTheSameWords(engine: Engine) throws {
        let fixture = try fixture(engine)
        func save(_ title: String, _ body: String) throws {
            try fixture.store.save(Article(title: title, body: body, code: "abc", year: 1957, note: nil))
        }
        try save("solar green", "moon")
        try save("moon", "green solar")
        try save("autumn", "solar greenish")
        try save("moon", "moon")
        try save("moon", "autumn")
        func scores(_ words: String) throws -> [ObjectID: Double] {
            Dictionary(uniqueKeysWithValues: try fixture.store.fetch(Article.self).search(words).map { ($0.object.id, $0.score) })
        }
        for (word, other) in [
            ("title:solar", "title:solar*"), ("body:solar", "body:sola*"), ("solar", "solar*"), ("title:\"solar green\"", "title:\"solar green\"*"),
            ("body:gre* AND solar", "solar AND body:gree*"), ("solar", "solar OR (moon AND nothing)"),
        ] {
            let (expected, found) = (try scores(word), try scores(other))
            #expect(!expected.isEmpty && expected.values.allSatisfy { $0 > 0 })
            if word.hasPrefix("title:\"") {
                // The last word is a prefix of more: two objects have "green", and three have words that begin so.
                #expect(expected.keys == found.keys && found.allSatisfy { $0.value < expected[$0.key] ?? 0 }, "\(other)")
            } else {
                #expect(expected.keys == found.keys && found.allSatisfy { abs($0.value - (expected[$0.key] ?? 0)) < 1e-12 }, "\(other)")
            }
        }
        #expect(try scores("NOT solar").values.sorted() == [0, 0])
    }

    @Test(arguments: Engine.allCases) func criteriaText(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.save(Article(title: "Autumn Leaves", body: "blue", code: "abc", year: 1957, note: nil))
        for criteria in ["has words 'blue autumn'", "title has words '\"autumn leaves\"' and year < 1960", "not body has words 'autumn'"] {
            let filter = try Filter(criteria: criteria)
            #expect(try fixture.store.fetch(Article.self).where(filter).count() == 1, "\(criteria)")
            #expect(try Filter(criteria: "\(filter)") == filter, "\(filter)")
        }
    }

    @Model fileprivate struct Leaflet {
        var id: Int
        @Attribute(.fullText) var title: String
        @Attribute(.fullText) var body: String
    }

    @Test func oneOfSeveralIndexesIsNamed() throws {
        let store = try ObjectStore(MemoryBackend(), durability: .relaxed, models: Leaflet.self)
        try store.save(Leaflet(id: 1, title: "jazz", body: ""))
        #expect { try store.fetch(Leaflet.self).search("jazz") } throws: { "\($0)".contains("search(\"…\", in: \\.title)") }
        #expect(try store.fetch(Leaflet.self).search("jazz", in: \.title).map(\.object.id) == [1])
        try store.close()
    }

    @Test(arguments: Engine.allCases) func mistakesAreNamed(engine: Engine) throws {
        let fixture = try fixture(engine)
        let fetch = fixture.store.fetch(Article.self)
        #expect { try fetch.where { $0.hasWords("\"open") }.all() } throws: { error in
            guard case TroveError.invalidFullTextQuery = error else { return false }
            return true
        }
        #expect { try fetch.where { $0.code.hasWords("x") }.all() } throws: { error in
            guard case TroveError.invalidQuery(let reason) = error else { return false }
            return reason.contains("Article.code is in no full-text index")
        }
        var random = SeededGenerator(seed: 3)
        try fixture.store.save(article(&random))
        let many = (0..<100_000).map { "word\($0)" }.joined(separator: " OR ")
        for read in [{ try fetch.where { $0.hasWords(many) }.count() }, { try fetch.search(many).count }] {
            #expect { try read() } throws: { error in
                guard case TroveError.unsupportedFullTextQuery = error else { return false }
                return true
            }
        }
        #expect { try fetch.sorted(by: \.year).search("x") } throws: { error in
            guard case TroveError.invalidQuery = error else { return false }
            return true
        }
    }

    /// An empty search box is an error, finds nothing or finds all, as the condition says.
    @Test(arguments: Engine.allCases) func blankTextMeansWhatIsSaid(engine: Engine) throws {
        let fixture = try fixture(engine)
        var random = SeededGenerator(seed: 7)
        try fixture.store.save((0..<5).map { _ in article(&random) })
        let articles = fixture.store.fetch(Article.self)
        for blank in ["", "  \n"] {
            #expect(try articles.where { $0.title.hasWords(blank, ifBlank: .findsNothing) }.count() == 0)
            #expect(try articles.where { $0.title.hasWords(blank, ifBlank: .findsAll) }.count() == 5)
            #expect(try articles.where { $0.hasWords(blank, ifBlank: .findsNothing) }.count() == 0)
            #expect(try articles.where { $0.hasWords(blank, ifBlank: .findsAll) && $0.year > 0 }.count() == 5)
            #expect(throws: TroveError.self) { try articles.where { $0.hasWords(blank) }.count() }
            #expect(throws: TroveError.self) { try articles.where { $0.title.hasWords(blank) }.count() }
        }
        // Without a word, whether or not it can be read.
        for blank in ["!!!", "…", "*", ")", "(", "\"", "\"!\"", "(&)", "- -", ":", "title:&", "& OR !"] {
            #expect(try articles.where { $0.title.hasWords(blank, ifBlank: .findsNothing) }.count() == 0, "\(blank)")
            #expect(try articles.where { $0.title.hasWords(blank, ifBlank: .findsAll) }.count() == 5, "\(blank)")
            #expect(try articles.where { $0.hasWords(blank, ifBlank: .findsAll) && $0.year > 0 }.count() == 5, "\(blank)")
        }
        #expect(try articles.where { $0.hasWords("!!!") }.count() == 0)
        #expect(throws: TroveError.self) { try articles.where { $0.hasWords("*") }.count() }
        #expect(try articles.where { $0.hasWords("unheard !!!", ifBlank: .findsAll) }.count() == 0)
        for open in ["\"open", "blue AND", "x)"] {
            #expect(throws: TroveError.self) { try articles.where { $0.title.hasWords(open, ifBlank: .findsAll) }.count() }
        }
    }
}
