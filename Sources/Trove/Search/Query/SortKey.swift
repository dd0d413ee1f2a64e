/// One criterion of a sort.
///
/// Ascending, nil comes first, then values, numbers before NaN; text goes by its UTF-8 bytes or those of its case folding.
public struct SortKey: Sendable, Hashable {
    /// Where the value is that objects are sorted by.
    public let path: FieldPath
    /// Whether the least or the greatest value comes first.
    public let direction: SortDirection
    /// Whether text sorts by its full Unicode case folding.
    public let ignoringCase: Bool

    /// A sort by a path's value.
    ///
    /// ```swift
    /// store.fetch(Song.self).sorted(by: [SortKey(FieldPath("year"), .descending), SortKey(FieldPath("title"), ignoringCase: true)])
    /// ```
    public init(_ path: FieldPath, _ direction: SortDirection = .ascending, ignoringCase: Bool = false) {
        self.path = path
        self.direction = direction
        self.ignoringCase = ignoringCase
    }
}
