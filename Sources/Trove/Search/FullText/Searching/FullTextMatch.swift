/// An object that a ranked full-text search found.
struct FullTextMatch: Sendable, Hashable {
    /// The engine's key of the object's record.
    let recordKey: [UInt8]
    /// How well it fits: BM25, above 0; higher is better, and only comparable within one search.
    let score: Double
}
