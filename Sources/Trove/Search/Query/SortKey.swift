/// One criterion of a sort.
///
/// Ascending, nil comes first, then values, numbers before NaN; text goes by its UTF-8 bytes or those of its case folding.
public struct SortKey: Sendable, Hashable {
    public let path: FieldPath
    public let direction: SortDirection
    /// Whether text sorts by its full Unicode case folding.
    public let ignoringCase: Bool

    public init(_ path: FieldPath, _ direction: SortDirection = .ascending, ignoringCase: Bool = false) {
        self.path = path
        self.direction = direction
        self.ignoringCase = ignoringCase
    }
}
