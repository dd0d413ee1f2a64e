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

    /// A key of `lengths` bytes from few byte values, so that keys share beginnings.
    mutating func key(_ lengths: ClosedRange<Int>) -> [UInt8] {
        let alphabet: [UInt8] = [0x00, 0x01, 0x61, 0x7F, 0x80, 0xFE, 0xFF]
        return (0..<Int.random(in: lengths, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? 0 }
    }

    /// A value of `lengths` bytes.
    mutating func value(_ lengths: ClosedRange<Int>) -> [UInt8] {
        .pattern(Int.random(in: lengths, using: &self), seed: Int(truncatingIfNeeded: next()))
    }
}
