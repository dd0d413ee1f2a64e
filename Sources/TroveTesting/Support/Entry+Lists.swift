import TroveStorage

extension Array where Element == Entry {
    /// Entries with ascending numbers as keys and values of `valueSize` bytes that differ.
    static func numbered(_ numbers: some Sequence<Int>, valueSize: Int = 20, seed: Int = 0) -> [Entry] {
        numbers.map { Entry(.number($0), .pattern(valueSize, seed: $0 &+ seed)) }
    }

    /// Entries with these keys, each with its position as value.
    static func keyed(_ keys: [[UInt8]]) -> [Entry] {
        keys.enumerated().map { Entry($1, .number($0)) }
    }

    /// The same entries in the order of their keys, the order every engine must have.
    func inKeyOrder() -> [Entry] {
        sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// The entries whose keys are in the range.
    func within(_ range: KeyRange) -> [Entry] { filter { range.contains($0.key) } }
}
