import Foundation
import TestSupport
import Testing

@testable import Trove

/// Sums and averages of decimals, compared with additions of their digits.
@Suite struct DecimalSumTests {
    @Model struct Item {
        #Index<Item>([\.shop], aggregates: [.count, .sum(\.price)])

        var id: Int
        var shop: String = ""
        @Attribute(.indexed) var price: Decimal
    }

    private func fixture(_ engine: Engine, _ prices: [Decimal]) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        try fixture.store.save(prices.enumerated().map { Item(id: $0, price: $1) })
        return fixture
    }

    private func expectOverflow(_ body: () throws -> Void) {
        #expect { try body() } throws: { if case TroveError.sumOverflow(model: "Item", path: "price") = $0 { "\($0)".contains("38 digits") } else { false } }
    }

    private func decimal(_ text: String) -> Decimal { Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? .nan }

    @Test(arguments: Engine.allCases) func oneAmount(engine: Engine) throws {
        for (text, number) in [("0.07", 0.07), ("-0.07", -0.07), ("1234567890.123456789", 1234567890.123456789), ("1e-30", 1e-30), ("3e50", 3e50), ("0", 0)] {
            let fixture = try fixture(engine, [decimal(text)])
            let items = fixture.store.fetch(Item.self)
            #expect(try items.sum(\.price) == decimal(text))
            #expect(try items.average(\.price) == number)
            #expect(try items.grouped(by: \.shop).aggregate(.average(\.price)).map(\.values) == [number as Double?])
        }
    }

    /// A sum on the way may be one that no `Decimal` holds.
    @Test(arguments: Engine.allCases) func theOrderDoesNotMatter(engine: Engine) throws {
        let big = decimal("99999999999999999999999999999999999999")
        let small = decimal("0.1")
        for prices in [[big, -big, small], [big, small, -big], [small, big, -big], [small, -big, big]] {
            let fixture = try fixture(engine, prices)
            let items = fixture.store.fetch(Item.self)
            #expect(try items.sum(\.price) == small, "\(prices)")
            // By the entries of an index, by those with conditions, and by the sums that an index keeps.
            #expect(try items.where { $0.price != 5 }.sum(\.price) == small, "\(prices)")
            #expect(try items.where { $0.id >= 0 }.sum(\.price) == small, "\(prices)")
            #expect(try items.grouped(by: \.shop).aggregate(.sum(\.price)).map(\.values) == [small], "\(prices)")
            #expect(try items.average(\.price) == 1.0 / 30, "\(prices)")
            #expect(try fixture.store.verify().isSound, "\(prices)")
            try fixture.store.rebuildIndexes(of: Item.self)
            #expect(try items.grouped(by: \.shop).aggregate(.sum(\.price)).map(\.values) == [small], "\(prices)")
        }
    }

    @Test(arguments: Engine.allCases) func onlyTheEndOverflows(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
        let store = fixture.store
        // In two shops, since an index keeps the sum of each.
        try store.save([Item(id: 1, shop: "a", price: decimal("1e30")), Item(id: 2, shop: "b", price: decimal("1e-30"))])
        let items = store.fetch(Item.self)
        #expect(try items.average(\.price) == 5e29)
        expectOverflow { _ = try items.sum(\.price) }
        expectOverflow { try store.save(Item(id: 3, shop: "a", price: decimal("1e-30"))) }
        // Nobody asked for a sum there, so the error says which one it is.
        #expect { try store.save(Item(id: 3, shop: "a", price: decimal("1e-30"))) } throws: { "\($0)".contains("a sum that an index keeps") }
        #expect(try items.count() == 2)
        #expect(try store.verify().isSound)
        // 39 digits, which a Decimal just holds, and one more.
        try store.deleteAll(Item.self)
        let greatest = Decimal.greatestFiniteMagnitude
        try store.save([Item(id: 1, shop: "a", price: greatest), Item(id: 2, shop: "b", price: greatest)])
        #expect(try items.limit(1).sum(\.price) == greatest)
        expectOverflow { _ = try items.sum(\.price) }
        #expect(try items.average(\.price) == Double("3.40282366920938463463374607431768211455e165"))
    }

    @Test(arguments: Engine.allCases) func notANumber(engine: Engine) throws {
        let fixture = try fixture(engine, [1, .nan, decimal("2.5")])
        let items = fixture.store.fetch(Item.self)
        #expect(try items.sum(\.price).isNaN)
        #expect(try items.average(\.price)?.isNaN == true)
        #expect(try items.grouped(by: \.shop).aggregate(.sum(\.price)).map(\.values.isNaN) == [true])
        #expect(try items.where { $0.id != 1 }.sum(\.price) == decimal("3.5"))
    }

    @Test(arguments: Engine.allCases) func sumsOfDocuments(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let bills = fixture.store.documents("bills")
        let prices: [Document] = [["price": .decimal(decimal("0.07"))], ["price": .decimal(decimal("12345678901234567890.01"))], ["price": 2]]
        try bills.save(prices)
        let (sum, average) = try bills.fetch().aggregate(.sum("price"), .average("price"))
        #expect(sum == .decimal(decimal("12345678901234567892.08")))
        #expect(average == 4115226300411522630.6933333333)
        let half: Document = ["price": 0.5]
        try bills.save(half)
        #expect(try bills.fetch().aggregate(.sum("price")) == .double(12345678901234567892.58))
    }

    /// Random decimals of many kinds: the sum is the sum of their digits, and the average lies nearer to the exact one than any other `Double`.
    @Test(arguments: Engine.allCases) func randomDecimals(engine: Engine) throws {
        var random = SeededGenerator(seed: 1_107)
        for round in 0..<24 {
            let prices = (0..<Int.random(in: 1...40, using: &random)).map { _ -> Decimal in
                let sign = Bool.random(using: &random) ? "" : "-"
                switch round % 4 {
                case 0: return decimal("\(sign)\(Int.random(in: 0...99_999, using: &random))e-2")
                case 1: return decimal("\(sign)\(UInt64.random(in: 0 ... .max, using: &random))e\(Int.random(in: -9...0, using: &random))")
                case 2: return decimal("\(sign)\(Int.random(in: 0...999, using: &random))e\(Int.random(in: -16...16, using: &random))")
                default: return decimal("\(sign)\(Int.random(in: 0...9, using: &random))e\(Int.random(in: -60 ... -30, using: &random))")
                }
            }
            let fixture = try fixture(engine, prices)
            let exact = prices.reduce(into: FixedPoint("0")) { $0.add(FixedPoint("\($1)"), times: 1) }
            let (sum, average) = try fixture.store.fetch(Item.self).aggregate(.sum(\.price), .average(\.price))
            var difference = exact
            difference.add(FixedPoint("\(sum)"), times: -1)
            #expect(difference.signum == 0, "round \(round): \(prices)")
            let found = try #require(average)
            for (neighbour, sign) in [(found.nextUp, 1), (found.nextDown, -1)] {
                // Twice the sum, less what twice the middle of two doubles would make of all the prices.
                var distance = exact
                distance.add(exact, times: 1)
                for double in [found, neighbour] { distance.add(FixedPoint(String(format: "%.400f", double)), times: -prices.count) }
                #expect(distance.signum * sign <= 0, "round \(round): \(found) of \(prices)")
            }
        }
    }

    /// A number by its decimal digits, 400 of them behind the point.
    private struct FixedPoint {
        /// The least first; each may be any number.
        private var digits = [Int](repeating: 0, count: 500)

        init(_ text: String) {
            let sides = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
            let sign = text.hasPrefix("-") ? -1 : 1
            for (place, digit) in sides[0].reversed().enumerated() { digits[400 + place] = sign * (digit.wholeNumberValue ?? 0) }
            if sides.count > 1 { for (place, digit) in sides[1].enumerated() { digits[399 - place] = sign * (digit.wholeNumberValue ?? 0) } }
        }

        mutating func add(_ other: FixedPoint, times factor: Int) {
            for place in digits.indices { digits[place] += other.digits[place] * factor }
        }

        var signum: Int {
            var rest = 0
            var isZero = true
            for digit in digits {
                let sum = digit + rest
                rest = Int((Double(sum) / 10).rounded(.down))
                if sum != rest * 10 { isZero = false }
            }
            return rest < 0 ? -1 : isZero && rest == 0 ? 0 : 1
        }
    }
}
