/// One part of an index's key: the value at a path, or of a derived value.
public struct IndexPart: Sendable, Hashable {
    /// Where the value is. A path to an array or a set has an entry for each element, one to a dictionary an entry for each key.
    /// A derived value is a path of its name.
    public let path: FieldPath
    /// The order of the entries by this part.
    public let direction: SortDirection
    /// Whether text goes in by its full Unicode case folding.
    public let ignoringCase: Bool
    /// Whether a dictionary has an entry for each value, not for each key.
    public let indexesValues: Bool

    /// The part of a path's value.
    public init(_ path: FieldPath, _ direction: SortDirection = .ascending, ignoringCase: Bool = false, indexesValues: Bool = false) {
        self.path = path
        self.direction = direction
        self.ignoringCase = ignoringCase
        self.indexesValues = indexesValues
    }
}
