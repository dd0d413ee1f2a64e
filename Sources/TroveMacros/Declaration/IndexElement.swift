/// One part of an index: a property, perhaps with a direction.
struct IndexElement {
    /// The part as written, `\.year` or `.descending(\.year)`.
    let source: String
    /// The part in words, `year descending`: equal for parts that are the same, however they are written.
    let meaning: String
    /// Whether it is a call such as `.descending(\.year)` and not a plain key path.
    let isKey: Bool
}
