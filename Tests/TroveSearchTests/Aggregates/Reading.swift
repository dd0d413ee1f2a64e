import Foundation
import Trove

/// A measurement with a property of each kind that can be aggregated.
@Model
struct Reading: Hashable {
    var station: String
    var room: Int?
    var small: Int8
    var big: UInt64
    var level: Double
    var share: Float?
    var price: Decimal
    var cost: Decimal?
    var taken: Date
    var tags: [String] = []

    static func random(_ random: inout some RandomNumberGenerator) -> Reading {
        Reading(
            station: ["north", "south", "", "Øst"].randomElement(using: &random) ?? "",
            room: Bool.random(using: &random) ? nil : Int.random(in: -3...3, using: &random),
            small: .random(in: .min ... .max, using: &random), big: .random(in: 0...1 << 40, using: &random),
            level: Double.random(in: -1e6...1e6, using: &random) * (Bool.random(using: &random) ? 1e-9 : 1),
            share: Bool.random(using: &random) ? nil : Float.random(in: 0...1, using: &random),
            price: Decimal(Int.random(in: -9999...9999, using: &random)) / 100,
            cost: Bool.random(using: &random) ? nil : Decimal(Int.random(in: 0...9999, using: &random)) / 1000,
            taken: Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...1_000_000, using: &random))))
    }
}
