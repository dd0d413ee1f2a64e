import Foundation
import TestSupport
import Testing

@testable import Trove

/// Conditions and sorts that ignore accents, and the indexes that answer them.
@Suite struct IgnoringAccentsTests {
    private static let both: TextFolding = [.case, .diacritics]

    private static let names = [
        "Café Noir", "cafe noir", "CAFÉ NOIR", "Cafe\u{301} Noir", "caffè", "Über", "uber", "ÜBER", "Łódź", "lodz", "", "Straße", "STRASSE", "école", "Ecole", "noir café",
    ]

    private static let indexes: [Index<Tune>] = [
        Index([.ignoringCase(\.artist)], name: "case"), Index([.ascending(\.artist, ignoring: both)], name: "both"),
        Index([.descending(\.artist, ignoring: .diacritics)], name: "accents"), .substring(\.artist, ignoresDiacritics: true, name: "parts"),
    ]

    private func fixture(_ engine: Engine, _ indexes: [Index<Tune>], _ names: [String] = names) throws -> (StoreFixture, [Tune]) {
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) } }
        let tunes = names.enumerated().map { Tune(artist: $1, year: $0, rating: nil, tags: [$1, "live"], title: $1, seconds: Int32($0)) }
        try fixture.store.save(tunes)
        return (fixture, tunes.sorted { $0.id < $1.id })
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        text.count >= part.count && (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }

    @Test(arguments: Engine.allCases) func answersAreThoseOfPlainSwift(engine: Engine) throws {
        let plain = try fixture(engine, [])
        let indexed = try fixture(engine, Self.indexes)
        defer { withExtendedLifetime((plain, indexed)) {} }
        for (fixture, tunes) in [plain, indexed] {
            let fetch = fixture.store.fetch(Tune.self)
            for ignoring in TextFolding.every {
                func folded(_ text: String) -> [UInt8] { Array(PlainFolding.folded(text, ignoring).utf8) }
                func ids(_ passes: (Tune) -> Bool) -> [ObjectID] { tunes.filter(passes).map(\.id) }
                for text in ["café", "NOIR", "Lódz", "e\u{301}co", "ss", "\u{301}"] {
                    let sought = folded(text)
                    let note: Comment = "\(text)\(ignoring.phrase)"
                    #expect(try fetch.where { $0.artist.contains(text, ignoring: ignoring) }.ids() == ids { Self.contains(folded($0.artist), sought) }, note)
                    #expect(try fetch.where { $0.artist.hasPrefix(text, ignoring: ignoring) }.ids() == ids { folded($0.artist).starts(with: sought) }, note)
                    #expect(
                        try fetch.where { $0.artist.hasSuffix(text, ignoring: ignoring) }.ids() == ids { folded($0.artist).reversed().starts(with: sought.reversed()) }, note)
                    #expect(try fetch.where { $0.artist.equals(text, ignoring: ignoring) }.ids() == ids { folded($0.artist) == sought }, note)
                    #expect(try fetch.where { $0.tags.any { $0.equals(text, ignoring: ignoring) } }.ids() == ids { $0.tags.contains { folded($0) == sought } }, note)
                }
                let list = ["uber", "ECOLE", "x"]
                #expect(try fetch.where { $0.artist.isIn(list, ignoring: ignoring) }.ids() == ids { list.map(folded).contains(folded($0.artist)) })
                #expect(try fetch.where { $0.artist.equals($0.title, ignoring: ignoring) }.count() == tunes.count)
                let sorted = tunes.sorted {
                    let (left, right) = (folded($0.artist), folded($1.artist))
                    return left == right ? $0.id < $1.id : left.lexicographicallyPrecedes(right)
                }
                #expect(try fetch.sorted(by: \.artist, ignoring: ignoring).ids() == sorted.map(\.id))
                #expect(try fetch.sorted(by: { $0.artist }, ignoring: ignoring).limit(4).ids() == sorted.prefix(4).map(\.id))
            }
        }
        #expect(try indexed.0.store.verify().isSound)
    }

    // MARK: - Plans

    /// 300 tunes of 100 artists, in three spellings each.
    private func many(_ indexes: [Index<Tune>]) throws -> StoreFixture {
        try fixture(.memory, indexes, (0..<100).flatMap { ["Àrtist \($0) é", "artist \($0) e", "ARTIST \($0) É"] }).0
    }

    /// The indexes that find the tunes of an artist, and how many these are.
    private func found(_ fixture: StoreFixture, ignoring: TextFolding) throws -> (indexes: [String], checks: Bool, count: Int) {
        let fetch = fixture.store.fetch(Tune.self).where { $0.artist.equals("artist 7 é", ignoring: ignoring) }
        let explanation = try fetch.explain()
        return (explanation.indexes, explanation.steps.contains { $0.kind == .check }, try fetch.count())
    }

    @Test func anIndexAnswersWhatIgnoresTheSameOrLess() throws {
        let both = try many([Index([.ascending(\.artist, ignoring: Self.both)], name: "both")])
        #expect(try found(both, ignoring: Self.both) == (["both"], false, 3))
        #expect(try found(both, ignoring: .case) == (["both"], true, 1), "what is found is checked")
        #expect(try found(both, ignoring: .diacritics) == (["both"], true, 1))
        #expect(try found(both, ignoring: []) == (["both"], true, 0))
        let prefix = both.store.fetch(Tune.self).where { $0.artist.hasPrefix("ÀRTIST 17", ignoring: Self.both) }
        #expect(try prefix.explain().indexes == ["both"] && prefix.count() == 3)
        // Below in one order is not below in the other.
        let below = both.store.fetch(Tune.self).where(.comparison(.path("artist"), .less, .value(.string("artist 1")), ignoring: .case))
        #expect(try below.explain().indexes == [])
    }

    @Test func anIndexThatIgnoresLessIsNotAsked() throws {
        for index in [Index<Tune>([.ignoringCase(\.artist)], name: "case"), Index([.ascending(\.artist, ignoring: .diacritics)], name: "accents"), Index(\.artist)] {
            let fixture = try many([index])
            let found = try found(fixture, ignoring: Self.both)
            #expect(found.indexes == [] && found.count == 3, "\(index.name ?? "artist")")
        }
        let ofCase = try many([Index([.ignoringCase(\.artist)], name: "case")])
        #expect(try found(ofCase, ignoring: .diacritics).indexes == [])
        let accents = try many([Index([.ascending(\.artist, ignoring: .diacritics)], name: "accents")])
        #expect(try found(accents, ignoring: .case).indexes == [])
    }

    @Test func anIndexIsTheOrderOfWhatIgnoresTheSame() throws {
        let fixture = try many([Index([.ascending(\.artist, ignoring: Self.both)], name: "both")])
        for ignoring in TextFolding.every {
            let explanation = try fixture.store.fetch(Tune.self).sorted(by: \.artist, ignoring: ignoring).limit(5).explain()
            #expect(explanation.sorts == (ignoring != Self.both), "\(ignoring.phrase)")
        }
        let explained = try fixture.store.fetch(Tune.self).sorted(by: \.title, ignoring: Self.both).explain().description
        #expect(explained.contains("title ignoring case and accents"))
    }

    @Test func partsOfTextsWithoutAccents() throws {
        func indexes(_ fixture: StoreFixture, _ ignoring: TextFolding) throws -> [String] {
            let fetch = fixture.store.fetch(Tune.self).where { $0.artist.contains("tist 77 é", ignoring: ignoring) }
            #expect(try fetch.count() == (ignoring == Self.both ? 3 : ignoring.isEmpty ? 1 : 2), "\(ignoring.phrase)")
            return try fetch.explain().indexes
        }
        let marked = try many([.substring(\.artist)])
        let plain = try many([.substring(\.artist, ignoresDiacritics: true)])
        let two = try many([.substring(\.artist, ignoresDiacritics: true), .substring(\.artist)])
        for ignoring in TextFolding.every {
            let heedsAccents = !ignoring.contains(.diacritics)
            #expect(try indexes(marked, ignoring) == (heedsAccents ? ["parts of artist"] : []))
            #expect(try indexes(plain, ignoring) == ["parts of artist ignoring accents"])
            #expect(try indexes(two, ignoring) == [heedsAccents ? "parts of artist" : "parts of artist ignoring accents"])
        }
    }

    // MARK: - Keeping

    @Test(arguments: Engine.allCases) func aUniqueIndexTakesSpellingsForOne(engine: Engine) throws {
        let (fixture, tunes) = try fixture(engine, [Index([.ascending(\.artist, ignoring: Self.both)], unique: true, name: "once")], ["Café", "Über"])
        let store = fixture.store
        var other = tunes[0]
        other.id = ObjectID()
        other.artist = tunes[0].artist == "Café" ? "CAFE" : "uber"
        #expect { try store.save(other) } throws: { error in
            guard case TroveError.uniqueViolation("Tune", "once", let values, _, _) = error else { return false }
            return values == "artist = \(other.artist)"
        }
        // The object itself may change its spelling.
        other.id = tunes[0].id
        try store.save(other)
        #expect(try store.fetch(Tune.self).where { $0.artist.equals(tunes[0].artist, ignoring: Self.both) }.first()?.artist == other.artist)
        #expect(try store.fetch(Tune.self).count() == 2 && store.verify().isSound)
        withExtendedLifetime(fixture) {}
    }

    /// An index that ignores more than before is another one, which is built anew.
    @Test(arguments: Engine.allCases) func aChangedDeclarationIsBuiltAnew(engine: Engine) throws {
        let (fixture, _) = try fixture(engine, [Index([.ignoringCase(\.artist)], name: "artist"), .substring(\.title, name: "title")])
        try Tune.$declared.withValue([Index([.ascending(\.artist, ignoring: Self.both)], name: "artist"), .substring(\.title, ignoresDiacritics: true, name: "title")]) {
            try fixture.reopenStore()
        }
        try fixture.store.buildIndexes()
        let fetch = fixture.store.fetch(Tune.self)
        #expect(try fetch.where { $0.artist.equals("cafe noir", ignoring: Self.both) }.count() == 4)
        #expect(try fetch.where { $0.title.contains("CAFÉ", ignoring: Self.both) }.count() == 5)
        let schemas = try fixture.store.indexStatistics().map(\.schema)
        #expect(schemas.first { $0.name == "artist" }?.parts.first?.ignoring == Self.both)
        #expect(schemas.first { $0.name == "title" }?.parts.first?.ignoring == .diacritics)
        #expect(try fixture.store.verify().isSound)
        withExtendedLifetime(fixture) {}
    }

    /// A place in one order is none in another.
    @Test(arguments: Engine.allCases) func aPageGoesOnInItsOwnOrder(engine: Engine) throws {
        let (fixture, _) = try fixture(engine, [])
        let fetch = fixture.store.fetch(Tune.self).sorted(by: \.artist, ignoring: Self.both)
        let page = try fetch.page(5)
        #expect(try page.objects.map(\.id) + fetch.after(page.next).ids() == fetch.ids())
        #expect { try fixture.store.fetch(Tune.self).sorted(by: \.artist, ignoringCase: true).after(page.next).ids() } throws: { error in
            if case TroveError.invalidToken = error { true } else { false }
        }
        withExtendedLifetime(fixture) {}
    }
}
