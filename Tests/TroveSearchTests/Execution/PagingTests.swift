import TestSupport
import Testing
@testable import Trove

/// Pages, tokens and streams while others write.
@Suite struct PagingTests {
    @Test(arguments: Engine.allCases, [IndexSet.none, .year, .artistDown, .title, .all])
    func writersBetweenPagesNeitherDoubleNorHideObjects(_ engine: Engine, _ indexes: IndexSet) throws {
        var random = SeededGenerator(seed: 77)
        let (fixture, tracks) = try indexes.fixture(engine, count: 120, &random)
        for sort in [[], [SortKey("year", .ascending)], [SortKey("artist", .descending), SortKey("year", .ascending)], [SortKey("title", .descending)]] {
            let fetch = fixture.store.fetch(Tune.self).sorted(using: sort)
            let old = Set(try fetch.ids())
            var (found, deleted): ([ObjectID], Set<ObjectID>) = ([], [])
            var next: ContinuationToken?
            repeat {
                let page = try fetch.page(13, after: next)
                found += page.objects.map(\.id)
                next = page.next
                // The last object of the page goes, so the token's own place is empty; others come and go.
                if let last = page.objects.last { try fixture.store.delete(last) }
                let rest = old.subtracting(found).subtracting(deleted)
                if let victim = rest.min() {
                    try fixture.store.delete(Tune.self, id: victim)
                    deleted.insert(victim)
                }
                try fixture.store.save(Tune.random(&random))
            } while next != nil
            #expect(Set(found).count == found.count, "no object comes twice")
            #expect(old.subtracting(deleted).isSubset(of: found), "none is left out")
            #expect(deleted.isDisjoint(with: found))
        }
        #expect(try fixture.store.fetch(Tune.self).count() != tracks.count)
    }

    @Test(arguments: Engine.allCases, [IndexSet.none, .year, .all])
    func streamsAreInTheQuerysOrder(_ engine: Engine, _ indexes: IndexSet) async throws {
        var random = SeededGenerator(seed: 3)
        let (fixture, tracks) = try indexes.fixture(engine, count: 90, &random)
        for _ in 0..<8 {
            let query = OracleQuery.random(&random, tracks)
            var found: [ObjectID] = []
            for try await track in query.fetch(fixture.store.fetch(Tune.self)).stream(batchSize: 7) { found.append(track.id) }
            #expect(found == query.answer(tracks).map(\.id), "\(query)")
        }
    }

    @Test(arguments: [Engine.memory, .lmdb])
    func manyEqualValuesReadBackwardsComeByID(_ engine: Engine) throws {
        let fixture = try Tune.$declared.withValue([Index(\.year)]) { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) } }
        let tunes = (0..<2_600).map { Tune(artist: "", year: $0 % 2, rating: nil, tags: [], title: "\($0)", seconds: 0) }
        try fixture.store.save(tunes)
        let fetch = fixture.store.fetch(Tune.self).sorted(by: \.year, .descending)
        let expected = tunes.filter { $0.year == 1 }.map(\.id) + tunes.filter { $0.year == 0 }.map(\.id)
        #expect(try fetch.limit(2_000).explain().sorts == false)
        #expect(try fetch.limit(2_000).ids() == Array(expected[..<2_000]))
        var (found, next): ([ObjectID], ContinuationToken?) = ([], nil)
        repeat {
            let page = try fetch.page(700, after: next)
            found += page.objects.map(\.id)
            next = page.next
        } while next != nil
        #expect(found == expected)
    }

    @Test func foreignAndDamagedTokensAreRefused() throws {
        var random = SeededGenerator(seed: 4)
        let (fixture, _) = try IndexSet.year.fixture(.memory, count: 30, &random)
        let fetch = fixture.store.fetch(Tune.self).sorted(by: \.year)
        let token = try #require(try fetch.page(10).next)
        #expect(try fetch.after(token).all().count == 20)
        let all = try fetch.ids()
        #expect(try fetch.after(token).limit(3).offset(1).ids() == Array(all[11..<14]))
        let five = try fetch.limit(5).page(9, after: token)
        #expect(five.objects.map(\.id) == Array(all[10..<15]))
        #expect(try fetch.after(five.next).ids() == Array(all[15...]))
        let others = [
            fixture.store.fetch(Tune.self), fixture.store.fetch(Tune.self).sorted(by: \.year, .descending),
            fetch.where(.comparison(.path("year"), .greater, .value(.int(0)))),
        ]
        for other in others { Self.expectInvalid { try other.after(token).all() } }
        var damaged = Array(token.text)
        for index in damaged.indices {
            let old = damaged[index]
            damaged[index] = old == "A" ? "B" : "A"
            // The last character may have bits that mean nothing.
            if index < damaged.count - 1 { Self.expectInvalid { try fetch.after(ContinuationToken(String(damaged))).all() } }
            damaged[index] = old
        }
        for text in ["", "a", "%%%", "AAAA", String(token.text.dropLast(6)), token.text + token.text] {
            Self.expectInvalid { try fetch.after(ContinuationToken(text)).all() }
        }
    }

    /// Tokens from when there was only case to ignore tell the same queries.
    @Test func tokensOfBeforeAccentsWereIgnored() throws {
        var random = SeededGenerator(seed: 5)
        let (fixture, _) = try IndexSet.none.fixture(.memory, count: 3, &random)
        defer { withExtendedLifetime(fixture) {} }
        let (store, path) = (fixture.store, Operand.path("title"))
        func fingerprint(_ filter: Filter) throws -> UInt64 {
            try store.read { transaction in
                let model = try transaction.open(Tune.self)
                return try QueryFingerprint.of(Query("Tune", where: filter), in: model.binding.schema, sortedBy: transaction.encoder(of: [], model).0)
            }
        }
        /// - Parameter hasValue: whether the value is an operand of its own.
        func before(_ head: String, hasValue: Bool) throws -> UInt64 {
            var bytes = ByteWriter()
            for text in ["Tune", head, "path 0", "title"] + (hasValue ? ["value"] : []) + ["a"] { bytes.append(nested: text) }
            return bytes.withBytes { Checksum.hash($0) }
        }
        for ignoresCase in [false, true] {
            let ignoring = TextFolding(ignoringCase: ignoresCase)
            #expect(try fingerprint(.comparison(path, .equal, .value(.string("a")), ignoring: ignoring)) == before("compare=\(ignoresCase)", hasValue: true))
            #expect(try fingerprint(.text(path, .contains, .value(.string("a")), ignoring: ignoring)) == before("text contains \(ignoresCase)", hasValue: true))
            #expect(try fingerprint(.membership(path, [.string("a")], ignoring: ignoring)) == before("in 1 \(ignoresCase)", hasValue: false))
        }
        let all = try TextFolding.every.map { try fingerprint(.comparison(path, .equal, .value(.string("a")), ignoring: $0)) }
        #expect(Set(all).count == 4)
    }

    @Test func impossibleNumbersAreRefused() throws {
        var random = SeededGenerator(seed: 4)
        let (fixture, _) = try IndexSet.none.fixture(.memory, count: 3, &random)
        let fetch = fixture.store.fetch(Tune.self)
        for wrong in [fetch.limit(-1), fetch.offset(-1), fetch.limit(0).offset(-7)] {
            #expect { try wrong.all() } throws: { error in
                guard case TroveError.invalidQuery = error else { return false }
                return true
            }
        }
        #expect(throws: TroveError.self) { try fetch.page(0) }
        #expect(throws: TroveError.self) { try fetch.sorted(by: \.title.count).limit(1).all() }
        #expect(try fetch.limit(0).all().isEmpty)
        #expect(try fetch.limit(.max).offset(1).count() == 2)
        #expect(try fetch.offset(.max).all().isEmpty)
    }

    private static func expectInvalid(_ body: () throws -> [Tune]) {
        #expect { try body() } throws: { error in
            guard case TroveError.invalidToken = error else { return false }
            return true
        }
    }
}
