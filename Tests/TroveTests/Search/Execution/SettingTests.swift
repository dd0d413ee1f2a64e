import Foundation
import TestSupport
import Testing
import Trove

/// One property of all objects of a query set, against the same done to plain values.
@Suite struct SettingTests {
    enum Kind: String, Codable, Sendable { case vinyl, disc }

    @Model struct Disc: Equatable {
        let id: Int
        @Attribute(.indexed) var year: Int
        @Attribute(.indexed) var rating: Double?
        var plays: Int8
        var kind: Kind
        var tags: [String]
        @Attribute(.unique) var code: Int
        @Attribute(.writeOnce) var created: Int
        @Attribute(.fullText) var title: String
    }

    private static func fixture(_ engine: Engine) throws -> (StoreFixture, [Disc]) {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Disc.self) }
        let discs = (0..<40).map {
            Disc(
                id: $0, year: 1950 + $0, rating: $0 % 3 == 0 ? nil : Double($0 % 5), plays: Int8($0), kind: .vinyl, tags: ["a"], code: $0, created: $0,
                title: "old \($0)")
        }
        try fixture.store.save(discs)
        return (fixture, discs)
    }

    @Test(arguments: Engine.allCases) func valuesOfAllKinds(engine: Engine) throws {
        var (fixture, discs) = try Self.fixture(engine)
        let early = fixture.store.fetch(Disc.self).where { $0.year < 1960 }
        func change(_ change: (inout Disc) -> Void) {
            for index in discs.indices where discs[index].year < 1960 { change(&discs[index]) }
        }
        #expect(try early.update(\.rating, to: 5) == 10)
        change { $0.rating = 5 }
        #expect(try early.update(\.kind, to: .disc) == 10)
        change { $0.kind = .disc }
        #expect(try early.update(\.tags, to: ["b", "c"]) == 10)
        change { $0.tags = ["b", "c"] }
        #expect(try early.update(\.plays, adding: 3) == 10)
        change { $0.plays += 3 }
        #expect(try early.update(\.title, to: "new words") == 10)
        change { $0.title = "new words" }
        #expect(try early.update(\.plays, adding: -1) == 10)
        change { $0.plays -= 1 }
        #expect(try early.update(\.created, to: 7) == 10)
        change { $0.created = 7 }
        #expect(try fixture.store.fetch(Disc.self).all() == discs)
        #expect(try fixture.store.fetch(Disc.self).where { $0.rating == 5 }.ids() == discs.filter { $0.rating == 5 }.map(\.id))
        #expect(try fixture.store.fetch(Disc.self).where { $0.title.hasWords("new") }.count() == 10)
        #expect(try early.update(\.rating, to: nil) == 10)
        change { $0.rating = nil }
        #expect(try fixture.store.fetch(Disc.self).update(\.rating, adding: 0.5) == 40)
        for index in discs.indices { discs[index].rating = discs[index].rating.map { $0 + 0.5 } }
        #expect(try fixture.store.fetch(Disc.self).all() == discs)
        // The query's own property moves objects out of its results while they are changed.
        #expect(try early.update(\.year, adding: 100) == 10)
        change { $0.year += 100 }
        #expect(try fixture.store.fetch(Disc.self).all() == discs)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let (fixture, discs) = try Self.fixture(engine)
        let early = fixture.store.fetch(Disc.self).where { $0.year < 1960 }
        #expect(try await early.update(\.title, to: "new words") == 10)
        #expect(try await early.update(\.plays, adding: -1) == 10)
        try await early.update(\.rating, adding: 1)
        let expected = discs.map { disc in
            var disc = disc
            if disc.year < 1960 { (disc.title, disc.plays, disc.rating) = ("new words", disc.plays - 1, disc.rating.map { $0 + 1 }) }
            return disc
        }
        #expect(try await fixture.store.fetch(Disc.self).all() == expected)
    }

    @Test(arguments: Engine.allCases) func whatCannotBeIsRefusedAndNothingIsChanged(engine: Engine) throws {
        let (fixture, discs) = try Self.fixture(engine)
        let all = fixture.store.fetch(Disc.self)
        #expect { try all.update(\.plays, adding: 100) } throws: { error in
            if case TroveError.encodingFailed("Disc", "plays", let reason) = error { reason.contains("does not fit Int8") } else { false }
        }
        #expect { try all.update(\.code, to: 1) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        #expect { try all.update(\.id, to: 1) } throws: { if case TroveError.invalidQuery = $0 { true } else { false } }
        #expect { try all.update(\.title.count, adding: 1) } throws: { if case TroveError.unsupportedKeyPath = $0 { true } else { false } }
        #expect(try all.all() == discs)
        #expect(try fixture.store.verify().isSound)
    }
}
