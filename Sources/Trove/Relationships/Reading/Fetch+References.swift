extension Fetch {
    /// The objects at which no reference of any object points.
    ///
    /// ```swift
    /// try store.fetch(Song.self).unreferenced().delete()
    /// ```
    ///
    /// - Complexity: one look-up for each object and relationship that may point at it.
    public func unreferenced() -> Fetch { `where`(.isUnreferenced) }

    /// The objects of which a reference points at what is not stored.
    ///
    /// - Complexity: one look-up for each reference of an object; ``ObjectSource/danglingReferences()`` of all models takes less.
    public func withDanglingReferences() -> Fetch { `where`(.hasDanglingReferences) }
}
