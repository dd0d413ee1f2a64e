/// A value in a program: how long it is, and a number that its bytes are made of.
public struct ProgramValue: Hashable, Sendable, Codable {
    /// The length in bytes.
    public var size: Int
    /// The seed of its bytes.
    public var seed: Int

    /// A value of `size` bytes.
    public init(size: Int, seed: Int) {
        self.size = size
        self.seed = seed
    }

    /// The value itself.
    public var bytes: [UInt8] { .pattern(size, seed: seed) }

    /// Shorter values.
    var simplerForms: [ProgramValue] { size > 1 ? [ProgramValue(size: 1, seed: seed), ProgramValue(size: size / 2, seed: seed)] : [] }
}
