import Foundation

/// What the length of a document does to its score: `k1 · (1 - b + b · length / average length)` of BM25.
struct LengthNorm {
    /// How fast more occurrences stop to count.
    static let k1 = 1.2
    /// How much the length counts, from 0 to 1.
    static let b = 0.75

    let value: Double

    init(length: UInt32, averageLength: Double) {
        value = Self.k1 * (1 - Self.b + Self.b * Double(length) / averageLength)
    }

    /// The score of a word that occurs `frequency` times, each times its field's weight.
    @inline(__always)
    func score(_ frequency: Double, rarity: Double) -> Double {
        frequency == 0 ? 0 : rarity * frequency * (Self.k1 + 1) / (frequency + value)
    }

    /// How much a word tells that `documents` of `all` documents have: ln(1 + (all - documents + ½) / (documents + ½)).
    static func rarity(documents: Int, all: Int) -> Double {
        guard documents > 0 else { return 0 }
        return log(1 + (Double(max(0, all - documents)) + 0.5) / (Double(documents) + 0.5))
    }
}
