/// A random generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A key of few byte values, so that keys share beginnings.
    mutating func key(_ lengths: ClosedRange<Int>) -> [UInt8] {
        let alphabet: [UInt8] = [0x00, 0x01, 0x61, 0x80, 0xFF]
        let length = Int.random(in: lengths, using: &self)
        let shared = length > 20 ? length - 6 : 0
        return (0..<length).map { $0 < shared ? 0x61 : alphabet.randomElement(using: &self) ?? 0 }
    }

    mutating func bytes(_ lengths: ClosedRange<Int>) -> [UInt8] {
        let byte = UInt8.random(in: 0...255, using: &self)
        return [UInt8](repeating: byte, count: Int.random(in: lengths, using: &self))
    }
}
