import Foundation
import TestSupport
import Testing
import Trove

/// A number in a condition means the number that is written, also of properties whose type has other digits than a `Double`.
@Suite struct WrittenNumberTests {
    @Model struct Offer {
        let id: Int
        @Attribute(.indexed) var price: Decimal
        var cost: Decimal
        @Attribute(.indexed) var weight: Float
        var size: Float
    }

    private static let numbers: [(decimal: Decimal, float: Float)] = [
        (Decimal(string: "0.1")!, 0.1), (Decimal(string: "0.2")!, 0.2), (Decimal(string: "0.3")!, 0.3), (-7, -7), (16_777_216, 16_777_216),
    ]

    /// With an index and without, alone and in lists, in text and as a parameter.
    @Test(arguments: Engine.allCases) func decimalsAndFloats(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Offer.self) }
        try fixture.store.save(Self.numbers.enumerated().map { Offer(id: $0, price: $1.decimal, cost: $1.decimal, weight: $1.float, size: $1.float) })
        func ids(_ text: String) throws -> [Int] { try fixture.store.fetch(Offer.self).matching(text).all().map(\.id).sorted() }
        for property in ["price", "cost", "weight", "size"] {
            #expect(try ids("\(property) = 0.1") == [0], "\(property)")
            #expect(try fixture.store.fetch(Offer.self).matching("\(property) = ?", 0.1).all().map(\.id) == [0], "\(property)")
            #expect(try ids("\(property) != 0.2") == [0, 2, 3, 4], "\(property)")
            #expect(try ids("\(property) in (0.1, 0.3, 0.4)") == [0, 2], "\(property)")
            #expect(try ids("\(property) between 0.1 and 0.2") == [0, 1], "\(property)")
            #expect(try ids("\(property) > 0.1") == [1, 2, 4], "\(property)")
            #expect(try ids("\(property) < 0.3") == [0, 1, 3], "\(property)")
            #expect(try ids("\(property) = -7.0") == [3], "\(property)")
            // What is written with other digits is another number, and none is rounded to one that is there.
            #expect(try ids("\(property) = 0.10000000149011612") == (property == "price" || property == "cost" ? [] : [0]), "\(property)")
            #expect(try ids("\(property) < 16777217.0") == [0, 1, 2, 3, 4], "\(property)")
            #expect(try ids("\(property) = 16777217.0") == [], "\(property)")
            #expect(try ids("\(property) < 1e300") == [0, 1, 2, 3, 4], "\(property)")
            #expect(try ids("\(property) < 1e-300") == [3], "\(property)")
        }
    }
}
