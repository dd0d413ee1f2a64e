/// How the result of an observed query changed.
///
/// Applied in this order they make the new result of the old: take out what was removed or moved, from the last to the first; then put in what was
/// inserted or moved, from the first to the last; then replace what was updated.
public struct ResultChanges<Object: Model>: Sendable {
    /// An object that is in the result now.
    public struct Placed: Sendable {
        /// Its position in the new result.
        public let position: Int
        /// The object as it is now.
        public let object: Object
    }

    /// An object that is not in the result any more.
    public struct Removed: Sendable {
        /// Its position in the old result.
        public let position: Int
        /// The id of the object, which may be deleted or no longer pass the filter.
        public let id: Object.ID
    }

    /// An object whose place among the others changed.
    public struct Moved: Sendable {
        /// Its position in the old result.
        public let oldPosition: Int
        /// Its position in the new result.
        public let position: Int
        /// The object as it is now.
        public let object: Object
    }

    /// What came into the result, ascending by position. At first everything.
    public let inserted: [Placed]
    /// What left the result, ascending by old position.
    public let removed: [Removed]
    /// What has another place among the objects that stayed, ascending by position.
    public let moved: [Moved]
    /// What stayed in the result and has other values, moved or not, ascending by position.
    public let updated: [Placed]

    /// Whether the result is the same.
    public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && moved.isEmpty && updated.isEmpty }
}
