import Foundation

/// Numbers from 0 up to a bound, small ones more often: the one at rank r about 1 / r ^ 0.99 as often as the first.
///
/// Gray and others, "Quickly generating billion-record synthetic databases", 1994, as YCSB has it.
struct Zipfian: Sendable {
    private static let exponent = 0.99

    private let bound: Double
    private let zeta: Double
    private let alpha: Double
    private let eta: Double

    init(bound: Int) {
        self.init(bound: Double(bound), zeta: (1...bound).reduce(0) { $0 + 1 / pow(Double($1), Self.exponent) })
    }

    private init(bound: Double, zeta: Double) {
        self.bound = bound
        self.zeta = zeta
        alpha = 1 / (1 - Self.exponent)
        let ofTwo = 1 + pow(0.5, Self.exponent)
        eta = (1 - pow(2 / bound, 1 - Self.exponent)) / (1 - ofTwo / zeta)
    }

    /// YCSB draws from ten thousand million, whose sum it knows, and spreads them by a hash, so that the frequent ones are anywhere.
    static let ofScrambled = Zipfian(bound: 1e10, zeta: 26.46902820178302)

    func next(_ random: inout SplitMix64) -> Int {
        let unit = Double.random(in: 0..<1, using: &random)
        let scaled = unit * zeta
        if scaled < 1 { return 0 }
        if scaled < 1 + pow(0.5, Self.exponent) { return 1 }
        return Int(bound * pow(eta * unit - eta + 1, alpha))
    }

    /// A number below `count` whose frequency is that of its hash.
    static func scrambled(below count: Int, _ random: inout SplitMix64) -> Int {
        Int(hash(UInt64(ofScrambled.next(&random))) % UInt64(count))
    }

    /// FNV-1a of the eight bytes.
    private static func hash(_ number: UInt64) -> UInt64 {
        var (hash, rest): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, number)
        for _ in 0..<8 {
            hash = (hash ^ (rest & 0xFF)) &* 0x100_0000_01B3
            rest >>= 8
        }
        return hash
    }
}
