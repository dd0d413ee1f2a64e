/// The documents that a part of a query finds, by ascending number.
///
/// A new iterator is at its first document.
class DocumentIterator {
    /// The document it is at; ``end`` after the last.
    final var document: UInt64 = 0

    static let end = UInt64.max

    /// About how many documents there are, to begin with the fewest.
    var estimate: Int { 0 }

    /// Goes to the next document.
    func next() throws { document = Self.end }

    /// Goes to the first document at or above `target`, which is above the one it is at.
    func advance(to target: UInt64) throws { document = Self.end }

    /// How well the document it is at fits, for its length.
    func score(_ length: LengthNorm) throws -> Double { 0 }

    /// What it adds to the rarity of a phrase that it is a word of.
    var phraseRarity: Double { 0 }

    /// Appends where the words stand in the document it is at, ascending, to `occurrences`.
    func appendOccurrences(to occurrences: inout [UInt64]) throws {}
}
