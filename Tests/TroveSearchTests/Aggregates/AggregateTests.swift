import Foundation
import TestSupport
import Testing

@testable import Trove

@Suite struct AggregateTests {
    private func fixture(_ engine: Engine, _ readings: [Reading]) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Reading.self) }
        try fixture.store.save(readings)
        return fixture
    }

    private func readings(_ count: Int, seed: UInt64) -> [Reading] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Reading.random(&random) }
    }

    @Test(arguments: Engine.allCases) func totalsAreThoseOfSwift(engine: Engine) throws {
        let all = readings(700, seed: 11)
        let fixture = try fixture(engine, all)
        let wanted = all.filter { $0.small > -50 }
        let fetch = fixture.store.fetch(Reading.self).where { $0.small > -50 }
        #expect(try fetch.count() == wanted.count)
        #expect(try fetch.sum(\.small) == wanted.reduce(0) { $0 + Int($1.small) })
        #expect(try fetch.sum(\.big) == wanted.reduce(0) { $0 + $1.big })
        #expect(try fetch.sum(\.room) == wanted.compactMap(\.room).reduce(0, +))
        #expect(abs(try fetch.sum(\.level) - wanted.reduce(0) { $0 + $1.level }) < 1e-6)
        #expect(try fetch.sum(\.price) == wanted.reduce(0) { $0 + $1.price })
        #expect(try fetch.sum(\.cost) == wanted.compactMap(\.cost).reduce(0, +))
        #expect(try fetch.minimum(\.taken) == wanted.map(\.taken).min())
        #expect(try fetch.maximum(\.taken) == wanted.map(\.taken).max())
        #expect(try fetch.maximum(\.room) == wanted.compactMap(\.room).max())
        #expect(try fetch.minimum(\.cost) == wanted.compactMap(\.cost).min())
        #expect(try fetch.maximum(\.station) == "Øst")
        let rooms = wanted.compactMap(\.room)
        #expect(try fetch.average(\.room) == Double(rooms.reduce(0, +)) / Double(rooms.count))
        let (count, distinct, least) = try fetch.aggregate(.count, .countDistinct(\.room), .minimum(\.level))
        #expect(count == wanted.count)
        #expect(distinct == Set(rooms).count)
        #expect(least == wanted.map(\.level).min())
    }

    @Test(arguments: Engine.allCases) func ofNothing(engine: Engine) throws {
        let fixture = try fixture(engine, readings(5, seed: 1))
        let fetch = fixture.store.fetch(Reading.self).where { $0.station == "nowhere" }
        #expect(try fetch.sum(\.small) == 0)
        #expect(try fetch.sum(\.level) == 0)
        #expect(try fetch.sum(\.price) == 0)
        #expect(try fetch.average(\.level) == nil)
        #expect(try fetch.minimum(\.taken) == nil)
        #expect(try fetch.maximum(\.room) == nil)
        #expect(try fetch.distinct(\.room).isEmpty)
        #expect(try fetch.grouped(by: \.station).aggregate(.count).isEmpty)
        #expect(try fetch.aggregate(.count, .countDistinct(\.room)) == (0, 0))
    }

    @Test(arguments: Engine.allCases) func groupsAreThoseOfSwift(engine: Engine) throws {
        let all = readings(600, seed: 5)
        let fixture = try fixture(engine, all)
        let groups = try fixture.store.fetch(Reading.self).grouped(by: \.station, \.room)
            .aggregate(.count, .sum(\.small), .maximum(\.level), .average(\.price))
        let expected = Dictionary(grouping: all) { [$0.station, $0.room.map(String.init) ?? "nil"] }
        #expect(groups.count == expected.count)
        for group in groups {
            let members = try #require(expected[[group.key.0, group.key.1.map(String.init) ?? "nil"]])
            #expect(group.values.0 == members.count)
            #expect(group.values.1 == members.reduce(0) { $0 + Int($1.small) })
            #expect(group.values.2 == members.map(\.level).max())
            #expect(group.values.3 != nil)
        }
        let order = groups.map { (Array($0.key.0.utf8), $0.key.1 ?? .min) }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0.lexicographicallyPrecedes($1.0) })
        let large = try fixture.store.fetch(Reading.self).grouped(by: \.room).aggregate(.count) { $0.values > 50 }
        #expect(Set(large.map(\.key)) == Set(Dictionary(grouping: all, by: \.room).filter { $0.value.count > 50 }.keys))
        #expect(try fixture.store.fetch(Reading.self).distinct(\.room) == [nil, -3, -2, -1, 0, 1, 2, 3])
    }

    @Test(arguments: Engine.allCases) func limitComesBeforeTheAggregate(engine: Engine) throws {
        let all = readings(100, seed: 9)
        let fixture = try fixture(engine, all)
        let fetch = fixture.store.fetch(Reading.self).sorted(by: \.level, .descending).limit(10)
        let top = all.sorted { $0.level > $1.level }.prefix(10)
        #expect(try fetch.minimum(\.level) == top.last?.level)
        #expect(try fetch.sum(\.big) == top.reduce(0) { $0 + $1.big })
    }

    @Test(arguments: Engine.allCases) func overflowAndWrongTypesAreErrors(engine: Engine) throws {
        var all = readings(3, seed: 2)
        for index in all.indices { all[index].big = .max }
        let fixture = try fixture(engine, all)
        let fetch = fixture.store.fetch(Reading.self)
        #expect { try fetch.sum(\.big) } throws: { error in
            guard case TroveError.sumOverflow(model: "Reading", path: "big") = error else { return false }
            return true
        }
        #expect { try fetch.minimum(\.tags) } throws: { error in
            guard case TroveError.incomparable(model: "Reading", path: "tags", _) = error else { return false }
            return true
        }
        #expect(try fetch.aggregate(.average(\.big)) == Double(UInt64.max))
        #expect(try fetch.aggregate(.sum(\.big, as: Int128.self)) == 3 * Int128(UInt64.max))
        #expect(try fetch.limit(1).sum(\.big) == .max)
    }

    /// What is added on the way may be beyond the result's type; only the sum must not be.
    @Test(arguments: Engine.allCases) func sumsOfWideIntegers(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Amount.self) }
        let signed: [Int128] = [.max, .max, 1, .min, .min, -1, 7]
        try fixture.store.save(signed.enumerated().map { Amount(id: $0.offset, signed: $0.element, unsigned: .max, narrow: .max) })
        let fetch = fixture.store.fetch(Amount.self)
        #expect(try fetch.sum(\.signed) == 5)
        #expect(try fetch.where { $0.id <= 1 }.aggregate(.average(\.signed)) == Double(Int128.max))
        #expect(try fetch.where { $0.id == 3 }.sum(\.signed) == .min)
        #expect(try fetch.where { $0.id == 3 }.sum(\.unsigned) == .max)
        #expect(try fetch.where { $0.id == 3 }.sum(\.narrow) == .max)
        #expect(try fetch.aggregate(.sum(\.narrow, as: Int128.self)) == 7 * Int128(Int64.max))
        #expect(try fetch.sum(\.narrow, as: Int128.self) == 7 * Int128(Int64.max))
        for (ids, path) in [([0, 1], "signed"), ([3, 4], "signed"), ([0, 1], "unsigned"), ([0, 1], "narrow")] {
            let some = fetch.where { $0.id.isIn(ids) }
            #expect {
                switch path {
                case "signed": _ = try some.sum(\.signed)
                case "unsigned": _ = try some.sum(\.unsigned)
                default: _ = try some.sum(\.narrow)
                }
            } throws: { error in
                if case TroveError.sumOverflow(model: "Amount", path: path) = error { true } else { false }
            }
        }
        let groups = try fetch.grouped(by: \.unsigned).aggregate(.sum(\.signed))
        #expect(groups.map(\.values) == [5])
    }

    /// The average of integers is the nearest `Double`, and that of numbers whose sum is beyond all doubles is not.
    @Test(arguments: Engine.allCases) func averagesAreRoundedOnce(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Amount.self, Level.self) }
        // A third of 2^54 + 2, which is between two doubles.
        try fixture.store.save([Int64(1) << 53, 1 << 53, 2].enumerated().map { Amount(id: $0.offset, signed: Int128($0.element) << 70, unsigned: 0, narrow: $0.element) })
        let amounts = fixture.store.fetch(Amount.self)
        #expect(try amounts.average(\.narrow) == 6_004_799_503_160_662)
        #expect(try amounts.average(\.signed) == 6_004_799_503_160_662 * 0x1p70)
        try fixture.store.save((0..<3).map { Level(id: $0, height: 1e308) })
        let levels = fixture.store.fetch(Level.self)
        #expect(try levels.average(\.height) == 1e308)
        #expect(try levels.sum(\.height) == .infinity)
        #expect(try levels.grouped(by: \.height).aggregate(.average(\.height)).map(\.values) == [1e308 as Double?])
    }

    @Model struct Level {
        var id: Int
        var height: Double
    }

    @Test(arguments: Engine.allCases) func sumsOfAnotherType(engine: Engine) async throws {
        let all = readings(60, seed: 8)
        let fixture = try fixture(engine, all)
        let fetch = fixture.store.fetch(Reading.self)
        let rooms = all.compactMap(\.room)
        let (total, small) = (rooms.reduce(0) { $0 + Int128($1) }, all.reduce(0) { $0 + Int128($1.small) })
        #expect(rooms.count < all.count)
        func check(_ sum: Int128, _ expected: Int128) { #expect(sum == expected) }
        let inStep = try Self.sums(fetch)
        check(inStep.0, total)
        check(inStep.1, small)
        check(try await fetch.sum(\.room, as: Int128.self), total)
        check(try await fetch.sum(\.small, as: Int128.self), small)
        let groups = try await fetch.grouped(by: \.station).aggregate(.sum(\.room, as: Int128.self))
        check(groups.reduce(0) { $0 + $1.values }, total)
        for (room, var reading) in zip([1, nil, 200] as [Int?], readings(3, seed: 80)) {
            reading.station = "far"
            reading.room = room
            try await fixture.store.save(reading)
        }
        let far = fixture.store.fetch(Reading.self).where { $0.station == "far" }
        await #expect {
            _ = try await far.sum(\.room, as: Int8.self)
        } throws: { error in
            if case TroveError.sumOverflow(model: "Reading", path: "room") = error { true } else { false }
        }
    }

    /// Without waiting.
    private static func sums(_ fetch: Fetch<Reading, ObjectStore>) throws -> (Int128, Int128) {
        (try fetch.sum(\.room, as: Int128.self), try fetch.sum(\.small, as: Int128.self))
    }

    @Model struct Amount {
        var id: Int
        var signed: Int128
        var unsigned: UInt128
        var narrow: Int64
    }

    @Test(arguments: Engine.allCases) func asynchronousTwins(engine: Engine) async throws {
        let all = readings(50, seed: 3)
        let fixture = try fixture(engine, all)
        let (count, total) = try await fixture.store.fetch(Reading.self).aggregate(.count, .sum(\.small))
        #expect(count == 50)
        #expect(total == all.reduce(0) { $0 + Int($1.small) })
        #expect(try await fixture.store.fetch(Reading.self).sum(\.big) == all.reduce(0) { $0 + $1.big })
        let groups = try await fixture.store.fetch(Reading.self).grouped(by: \.station).aggregate(.count)
        #expect(groups.reduce(0) { $0 + $1.values } == 50)
    }
}
