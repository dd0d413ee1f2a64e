import Foundation
import TestSupport
import Testing

@testable import Trove

/// Conditions on references and through them, compared with plain Swift on the same objects.
@Suite struct ReferenceQueryTests {
    private typealias Expected = @Sendable (Piece, PlainLibrary) -> Bool
    private typealias Asked = @Sendable (Fields<Piece>) -> Condition

    private static let someone = Reference<Composer>(id: "a")
    private static let somewhere = Reference<Disc>(id: 2)

    private static let references: [(String, Asked, Expected)] = [
        ("equal", { $0.album == somewhere }, { piece, _ in piece.album == somewhere }),
        ("not equal", { $0.album != somewhere }, { piece, _ in piece.album != somewhere }),
        ("nil", { $0.album == nil }, { piece, _ in piece.album == nil }),
        ("in", { $0.album.isIn([somewhere, nil]) }, { piece, _ in piece.album == somewhere || piece.album == nil }),
        ("member", { $0.writers.contains(someone) }, { piece, _ in piece.writers.contains(someone) }),
        ("in a set", { $0.guests.contains(someone) }, { piece, _ in piece.guests.contains(someone) }),
        ("by name", { $0.roles["p"] == someone }, { piece, _ in piece.roles["p"] == someone }),
        ("at a position", { $0.writers[1] == someone }, { piece, _ in piece.writers.dropFirst().first == someone }),
        ("id at a position", { $0.writers[0].id > "b" }, { piece, _ in piece.writers.first.map { Array($0.id.utf8).lexicographicallyAbove("b") } ?? false }),
        ("value", { $0.roles.values.contains(someone) }, { piece, _ in piece.roles.values.contains(someone) }),
        ("composite", { $0.edition == Reference(id: PrintingID("w", 1)) }, { piece, _ in piece.edition?.id == PrintingID("w", 1) }),
        ("required", { $0.original == Reference(id: 7) }, { piece, _ in piece.original.id == 7 }),
        ("any model", { $0.about == AnyReference(somewhere) }, { piece, _ in piece.about == AnyReference(somewhere) }),
        ("of any model", { $0.links.contains(AnyReference(someone)) }, { piece, _ in piece.links.contains(AnyReference(someone)) }),
        ("id", { $0.album.id == 2 }, { piece, _ in piece.album?.id == 2 }),
        ("ids in order", { $0.album.id < 2 }, { piece, _ in ordered(piece.album?.id, <, 2) }),
        ("ids of members", { $0.writers.any { $0.id > "b" } }, { piece, _ in piece.writers.contains { Array($0.id.utf8).lexicographicallyAbove("b") } }),
        ("empty", { $0.writers.isEmpty && !$0.links.isEmpty }, { piece, _ in piece.writers.isEmpty && !piece.links.isEmpty }),
    ]

    private static let paths: [(String, Asked, Expected)] = [
        ("one hop", { $0.album.title == "Blue" }, { $1.disc($0.album)?.title == "Blue" }),
        ("not", { $0.album.title != "Blue" }, { $1.disc($0.album)?.title != "Blue" }),
        ("negated", { !($0.album.title == "Blue") }, { !($1.disc($0.album)?.title == "Blue") }),
        ("nil at the end", { $0.album.year == nil }, { $1.disc($0.album)?.year == nil }),
        ("not nil at the end", { $0.album.year != nil }, { $1.disc($0.album)?.year != nil }),
        ("order", { $0.album.year < 1959 }, { ordered($1.disc($0.album)?.year, <, 1959) }),
        ("not below", { !($0.album.year < 1959) }, { !ordered($1.disc($0.album)?.year, <, 1959) }),
        ("between", { $0.album.year.isIn(1958...1959) }, { ordered($1.disc($0.album)?.year, >=, 1958) && ordered($1.disc($0.album)?.year, <=, 1959) }),
        ("list", { $0.album.title.isIn(["Blue", "Red"]) }, { ["Blue", "Red"].contains($1.disc($0.album)?.title) }),
        ("list with nil", { $0.album.year.isIn([1959, nil]) }, { [1959, nil].contains($1.disc($0.album)?.year) }),
        ("text", { $0.album.title.hasPrefix("bl", ignoringCase: true) }, { $1.disc($0.album)?.title == "Blue" }),
        ("pattern", { $0.album.title.matches("^.e") }, { $1.disc($0.album)?.title == "Red" }),
        ("two hops", { $0.album.artist.name == "A" }, { $1.composer($1.disc($0.album)?.artist)?.name == "A" }),
        ("two hops, not", { $0.album.artist.name != "A" }, { $1.composer($1.disc($0.album)?.artist)?.name != "A" }),
        ("two hops to a reference", { $0.album.artist == someone }, { $1.disc($0.album)?.artist == someone }),
        ("three hops", { $0.album.artist.mentor.born == 1921 }, { $1.composer($1.composer($1.disc($0.album)?.artist)?.mentor)?.born == 1921 }),
        ("composite", { $0.edition.printed > 2 }, { ordered($1.printing($0.edition)?.printed, >, 2) }),
        ("composite, further", { $0.edition.of.title == "Red" }, { $1.disc($1.printing($0.edition)?.of)?.title == "Red" }),
        ("to itself", { $0.original.title == "Solar" }, { $1.piece($0.original)?.title == "Solar" }),
        ("to itself twice", { $0.original.original.rank == 1 }, { $1.piece($1.piece($0.original)?.original)?.rank == 1 }),
        ("by name", { $0.roles["p"].name == "B" }, { $1.composer($0.roles["p"])?.name == "B" }),
        ("at a position", { $0.writers[0].name == "A" }, { $1.composer($0.writers.first)?.name == "A" }),
        ("not at a position", { $0.writers[1].name != "A" }, { $1.composer($0.writers.dropFirst().first)?.name != "A" }),
        ("at a position, further", { $0.writers[0].mentor.name == "C" }, { $1.composer($1.composer($0.writers.first)?.mentor)?.name == "C" }),
        (
            "at a position behind a reference", { $0.original.writers[0].born > 1921 },
            { ordered($1.composer($1.piece($0.original)?.writers.first)?.born, >, 1921) }
        ),
        ("any", { $0.writers.any { $0.name == "A" } }, { piece, all in piece.writers.contains { all.composer($0)?.name == "A" } }),
        ("all", { $0.writers.all { $0.name == "A" } }, { piece, all in piece.writers.allSatisfy { all.composer($0)?.name == "A" } }),
        ("none", { $0.writers.none { $0.name == "A" } }, { piece, all in !piece.writers.contains { all.composer($0)?.name == "A" } }),
        ("any not", { $0.writers.any { $0.name != "A" } }, { piece, all in piece.writers.contains { all.composer($0)?.name != "A" } }),
        ("any missing", { $0.writers.any { $0.name == nil } }, { piece, all in piece.writers.contains { all.composer($0) == nil } }),
        ("set", { $0.guests.any { $0.born > 1921 } }, { piece, all in piece.guests.contains { ordered(all.composer($0)?.born, >, 1921) } }),
        ("values", { $0.roles.values.any { $0.name.isIn(["A", "a"]) } }, { piece, all in piece.roles.values.contains { ["A", "a"].contains(all.composer($0)?.name) } }),
        (
            "several of one", { $0.writers.any { $0.name == "A" && $0.born > 1921 || $0 == someone } },
            { piece, all in
                piece.writers.contains { all.composer($0)?.name == "A" && ordered(all.composer($0)?.born, >, 1921) || $0 == someone }
            }
        ),
        (
            "members behind a reference", { $0.album.labels.contains("x") }, { $1.disc($0.album)?.labels.contains("x") ?? false }
        ),
        ("no members behind a reference", { $0.album.labels.none { $0 == "x" } }, { !($1.disc($0.album)?.labels.contains("x") ?? false) }),
        ("references behind a reference", { $0.original.writers.contains(someone) }, { $1.piece($0.original)?.writers.contains(someone) ?? false }),
        (
            "quantifier behind a reference", { $0.original.writers.any { $0.mentor.name == "C" } },
            { piece, all in all.piece(piece.original)?.writers.contains { all.composer(all.composer($0)?.mentor)?.name == "C" } ?? false }
        ),
        (
            "all behind a reference", { $0.original.writers.all { $0.name == "C" } },
            { piece, all in all.piece(piece.original)?.writers.allSatisfy { all.composer($0)?.name == "C" } ?? true }
        ),
        (
            "with own fields", { $0.rank > 0 && $0.album.title == "Blue" && $0.album.year > 1957 },
            { $0.rank > 0 && $1.disc($0.album)?.title == "Blue" && ordered($1.disc($0.album)?.year, >, 1957) }
        ),
        (
            "either", { $0.album.title == "Blue" || $0.album.year == nil || $0.rank == 2 },
            { $1.disc($0.album)?.title == "Blue" || $1.disc($0.album)?.year == nil || $0.rank == 2 }
        ),
        (
            "neither", { !($0.album.title == "Blue" || $0.edition.printed == 1) },
            { !($1.disc($0.album)?.title == "Blue" || $1.printing($0.edition)?.printed == 1) }
        ),
        ("fields of one object", { $0.original.title == $0.original.title }, { _, _ in true }),
    ]

    @Test(arguments: Engine.allCases)
    func conditionsAgreeWithPlainSwift(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine, Library.open)
        var random = RandomLibrary(seed: 11)
        for _ in 0..<8 {
            try fixture.store.write { transaction in
                var changed = random
                for _ in 0..<8 { try changed.change(transaction) }
                random = changed
            }
            let plain = PlainLibrary(library: random)
            try fixture.store.read { snapshot throws in
                for (name, asked, expected) in Self.references + Self.paths {
                    let wanted = plain.pieces { expected($0, plain) }
                    #expect(try snapshot.fetch(Piece.self).where(asked).ids() == wanted, "\(name)")
                    #expect(try snapshot.fetch(Piece.self).where { !asked($0) }.ids() == plain.pieces { !expected($0, plain) }, "not \(name)")
                    let filter = snapshot.fetch(Piece.self).where(asked).query.filter
                    // The same condition as text.
                    let text = CriteriaWriter().text(filter)
                    if !text.isEmpty {
                        #expect(try snapshot.fetch(Piece.self).matching(text).ids() == wanted, "\(text)")
                    }
                }
            }
        }
    }

    @Test(arguments: Engine.allCases, [UInt64(21), 22])
    func randomCombinationsAgreeWithPlainSwift(_ engine: Engine, seed: UInt64) throws {
        let fixture = try StoreFixture(engine, Library.open)
        var random = RandomLibrary(seed: seed)
        try fixture.store.write { transaction in
            for _ in 0..<60 { try random.change(transaction) }
        }
        let plain = PlainLibrary(library: random)
        let all = Self.references + Self.paths
        try fixture.store.read { snapshot throws in
            for _ in 0..<120 {
                let (one, two, three) = (random.pick(all), random.pick(all), random.pick(all))
                let form = random.number(1...5)
                let limit = random.number(1...30)
                let found = try snapshot.fetch(Piece.self).where { fields in
                    let (first, second, third) = (one.1(fields), two.1(fields), three.1(fields))
                    return switch form {
                    case 1: first && second
                    case 2: first || second
                    case 3: first && !second || third
                    case 4: !(first || second) && third
                    default: !(first && !(second && third))
                    }
                }.sorted(by: \.rank).sorted(by: \.id, .descending).limit(limit).ids()
                let wanted = random.tunes.values.filter { piece in
                    let (first, second, third) = (one.2(piece, plain), two.2(piece, plain), three.2(piece, plain))
                    return switch form {
                    case 1: first && second
                    case 2: first || second
                    case 3: first && !second || third
                    case 4: !(first || second) && third
                    default: !(first && !(second && third))
                    }
                }.sorted { ($0.rank, -$0.id) < ($1.rank, -$1.id) }.map(\.id)
                #expect(found == Array(wanted.prefix(limit)), "form \(form) of \(one.0), \(two.0), \(three.0)")
            }
        }
    }

    @Test func textAndPredicatesSayTheSame() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        var random = RandomLibrary(seed: 5)
        try fixture.store.write { transaction in for _ in 0..<60 { try random.change(transaction) } }
        let plain = PlainLibrary(library: random)
        let store = fixture.store
        #expect(
            try store.fetch(Piece.self).matching("album.artist.name = 'A' or any writers (name = 'B' and born > ?)", 1921).ids()
                == plain.pieces { piece in
                    plain.composer(plain.disc(piece.album)?.artist)?.name == "A"
                        || piece.writers.contains { plain.composer($0)?.name == "B" && ordered(plain.composer($0)?.born, >, 1921) }
                })
        #expect(
            try store.fetch(Piece.self).matching("album = ? and none writers = ?", Self.somewhere, Self.someone).ids()
                == plain.pieces { $0.album == Self.somewhere && !$0.writers.contains(Self.someone) })
        #expect(try store.fetch(Piece.self).matching("roles.p.name = 'A'").ids() == plain.pieces { plain.composer($0.roles["p"])?.name == "A" })
        let unreferenced = try store.fetch(Disc.self).unreferenced().ids()
        #expect(try store.fetch(Disc.self).matching("is unreferenced").ids() == unreferenced)
        #expect(try store.fetch(Disc.self).matching("not (is unreferenced)").ids() == random.albums.keys.filter { !unreferenced.contains($0) }.sorted())
        #expect(try store.fetch(Piece.self).matching("has dangling references").ids() == store.fetch(Piece.self).withDanglingReferences().ids())
        for filter in [Filter.isUnreferenced, .hasDanglingReferences, .not(.isUnreferenced) && .hasDanglingReferences] {
            #expect(try Filter(criteria: CriteriaWriter().text(filter)) == filter)
        }
        let (album, someone) = (Self.somewhere, Self.someone)
        #expect(try store.fetch(Piece.self).where(#Predicate { $0.album == album }).ids() == plain.pieces { $0.album == album })
        #expect(try store.fetch(Piece.self).where(#Predicate { $0.album?.id == 2 }).ids() == plain.pieces { $0.album?.id == 2 })
        #expect(try store.fetch(Piece.self).where(#Predicate { $0.writers.contains(someone) }).ids() == plain.pieces { $0.writers.contains(someone) })
        #expect(try store.fetch(Piece.self).where(#Predicate { $0.writers.allSatisfy { $0.id == "a" } }).ids() == plain.pieces { $0.writers.allSatisfy { $0.id == "a" } })
    }

    @Test func indexesAnswerPaths() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        let store = fixture.store
        try store.save((0..<100).map { Disc(id: $0, title: "disc \($0)", year: Int($0)) })
        try store.save((0..<3_000).map { Piece(id: $0, title: "piece", album: Reference(id: Int16($0 % 100)), original: Reference(id: 1)) })
        let fetch = store.fetch(Piece.self).where { $0.album.title == "disc 7" }
        #expect(try fetch.count() == 30)
        let explanation = try fetch.explain().description
        #expect(explanation.contains("references of album"), "\(explanation)")
    }

    @Test func whatCannotBeAskedIsAnError() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        let store = fixture.store
        func reason(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return "no error"
        }
        #expect(reason { _ = try store.fetch(Piece.self).where { $0.album.title == $0.title }.count() }.contains("different objects"))
        #expect(reason { _ = try store.fetch(Piece.self).where { piece in piece.writers.any { $0.name == piece.title } }.count() }.contains("different objects"))
        #expect(reason { _ = try store.fetch(Piece.self).where { piece in piece.original.writers.any { $0.name == piece.title } }.count() }.contains("different objects"))
        #expect(reason { _ = try store.fetch(Piece.self).matching("album.nothing = 1").count() }.contains("nothing"))
        #expect(reason { _ = try store.fetch(Piece.self).matching("writers.name = 'A'").count() }.contains("any of its elements"))
        #expect(reason { _ = try store.fetch(Piece.self).matching("about.name = 'A'").count() }.contains("any model"))
        #expect(reason { _ = try store.fetch(Piece.self).matching("any links (name = 'A')").count() }.contains("any model"))
        #expect(reason { _ = try store.fetch(Piece.self).matching("original\(String(repeating: ".original", count: 40)).rank = 1").count() }.contains("more than 32"))
        #expect(reason { _ = try store.referencing(Reference<Composer>(id: "a"), from: Piece.self, \.album).count() }.contains("points at Disc"))
        #expect(reason { _ = try store.referencing(Reference<Composer>(id: "a"), from: Piece.self, \.title).count() }.contains("no relationship"))
        for condition in ["is unreferenced", "has dangling references", "not (is unreferenced)", "has words 'x'", "name = 'A' and is unreferenced"] {
            #expect(reason { _ = try store.fetch(Piece.self).matching("any writers (\(condition))").count() }.contains("outside of 'any'"), "\(condition)")
        }
        #expect(reason { _ = try store.fetch(Piece.self).matching("any original.writers (is unreferenced)").count() }.contains("outside of 'any'"))
        var deep = Filter.comparison(.path(FieldPath("rank")), .equal, .value(.int(1)))
        for _ in 0..<5_000 { deep = .not(deep) }
        #expect(reason { _ = try store.fetch(Piece.self).where(deep).count() }.contains("nest deeper"))
    }

    @Test(arguments: Engine.allCases)
    func observersHearOfObjectsBehindReferences(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine, Library.open)
        let store = fixture.store
        let artist = Composer(id: "e", name: "Evans")
        let piece = Piece(id: 1, title: "Solar", album: Reference(id: 4), original: Reference(id: 1))
        try await store.save(piece)
        var results = store.observe(store.fetch(Piece.self).where { $0.album.artist.name == "Evans" }).makeAsyncIterator()
        #expect(try await results.next() == [])
        try await store.save(Disc(id: 4, title: "x", artist: Reference(artist)))
        _ = try await results.next()
        try await store.save(artist)
        #expect(try await results.next() == [piece])
        var lonely = store.observe(store.fetch(Composer.self).unreferenced()).makeAsyncIterator()
        #expect(try await lonely.next() == [])
        try await store.delete(Disc.self, id: 4)
        #expect(try await lonely.next() == [artist])
    }
}

extension [UInt8] {
    fileprivate func lexicographicallyAbove(_ text: String) -> Bool { Array(text.utf8).lexicographicallyPrecedes(self) }
}
