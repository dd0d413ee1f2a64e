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

    @Model struct Balance: Equatable {
        let id: Int
        var amount: Decimal
        var share: Float
        var rate: Double?
        var day: Double
    }

    @Model final class Box {
        var label: String
        @Relationship var balls: [Ball]
        init(label: String) { (self.label, balls) = (label, []) }
    }

    @Model final class Ball {
        var colour: String
        init(colour: String) { self.colour = colour }
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

    /// A sum that no finite number of the type is, is refused as one that no integer is.
    @Test(arguments: Engine.allCases) func sumsThatAreNoNumbers(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Balance.self) }
        let balances = [
            Balance(id: 1, amount: 1, share: 1, rate: nil, day: .infinity),
            Balance(id: 2, amount: Decimal.greatestFiniteMagnitude, share: .greatestFiniteMagnitude, rate: .greatestFiniteMagnitude, day: .nan),
        ]
        try fixture.store.save(balances)
        let all = fixture.store.fetch(Balance.self)
        func expectRefused(_ field: String, _ body: () throws -> Void) {
            #expect {
                try body()
            } throws: { error in
                if case TroveError.encodingFailed("Balance", field, let reason) = error { reason.contains("does not fit") } else { false }
            }
        }
        expectRefused("amount") { try all.update(\.amount, adding: .greatestFiniteMagnitude) }
        expectRefused("share") { try all.update(\.share, adding: .greatestFiniteMagnitude) }
        expectRefused("rate") { try all.update(\.rate, adding: .greatestFiniteMagnitude) }
        #expect(try all.all().map { [$0.amount, Decimal(Double($0.share))] } == balances.map { [$0.amount, Decimal(Double($0.share))] })
        // What is infinite or no number already stays so, and what one asks for may be.
        #expect(try all.update(\.day, adding: 1) == 2)
        let days = try all.all().map(\.day)
        #expect(days[0] == .infinity && days[1].isNaN)
        #expect(try all.update(\.share, adding: .infinity) == 2)
        #expect(try all.all().map(\.share) == [.infinity, .infinity])
    }

    /// What a list of live objects is set with instead is told, and does it.
    @Test(arguments: Engine.allCases) func listsOfObjects(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Box.self, Ball.self) }
        let context = ObjectContext(fixture.store)
        let (box, ball) = (Box(label: "one"), Ball(colour: "red"))
        try context.insert([box, ball])
        try context.save()
        let boxes = fixture.store.fetch(Box.self)
        #expect { try boxes.update(\.balls, to: [ball]) } throws: { error in
            if case TroveError.invalidQuery(let reason) = error { reason.contains("update { $0.balls = … }") } else { false }
        }
        try boxes.update { $0.balls = [ball] }
        let fresh = ObjectContext(fixture.store)
        let colours = try withExtendedLifetime(fresh) { try fresh.fetch(Box.self).all().map { $0.balls.map(\.colour) } }
        #expect(colours == [["red"]])
    }
}
