/// A random generator that gives the same numbers for the same seed: SplitMix64 (Steele, Lea, Flood 2014).
///
/// ```swift
/// var generator = SeededGenerator(seed: 7)
/// let number = Int.random(in: 0..<100, using: &generator)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Begins the sequence of `seed`.
    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True in `part` of `whole` cases.
    public mutating func chance(_ part: Int, in whole: Int) -> Bool {
        Int.random(in: 0..<whole, using: &self) < part
    }

    /// One of `choices`, which must not be empty.
    public mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: Int.random(in: 0..<choices.count, using: &self))]
    }

    /// A key of `lengths` bytes from few byte values, so that keys share beginnings.
    mutating func key(_ lengths: ClosedRange<Int>) -> [UInt8] {
        let alphabet: [UInt8] = [0x00, 0x01, 0x61, 0x7F, 0x80, 0xFE, 0xFF]
        return (0..<Int.random(in: lengths, using: &self)).map { _ in pick(alphabet) }
    }

    /// A value of `lengths` bytes.
    mutating func value(_ lengths: ClosedRange<Int>) -> [UInt8] {
        .pattern(Int.random(in: lengths, using: &self), seed: Int(truncatingIfNeeded: next()))
    }
}
