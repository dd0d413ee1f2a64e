extension ObjectSource {
    /// All references to objects that are not stored, by model and field. For many of them there is ``forEachDanglingReference(_:)``.
    public func danglingReferences() throws -> [DanglingReference] {
        var found: [DanglingReference] = []
        try forEachDanglingReference { reference, _ in found.append(reference) }
        return found
    }

    /// Calls `body` with each reference to an object that is not stored, by model and field, until it sets `stop`.
    ///
    /// It reads the indexes of all references side by side with the records they point at, in the order of their keys, and keeps none of them in memory.
    public func forEachDanglingReference(_ body: (_ reference: DanglingReference, _ stop: inout Bool) throws -> Void) throws {
        try read { transaction in
            for relationship in try transaction.relationshipsAndMemberships {
                var stop = false
                try transaction.forEachDanglingReference(of: relationship) {
                    try body($0, &stop)
                    return stop ? .stop : .next
                }
                if stop { return }
            }
        }
    }
}

extension Fetch {
    /// The objects that no reference of any object points at.
    ///
    /// ```swift
    /// try store.fetch(Song.self).unreferenced().delete()
    /// ```
    ///
    /// - Complexity: one look-up for each object and relationship that may point at it.
    public func unreferenced() -> Fetch { `where`(.isUnreferenced) }

    /// The objects with a reference to an object that is not stored.
    ///
    /// - Complexity: one look-up for each reference of an object; ``ObjectSource/danglingReferences()`` of all models takes less.
    public func withDanglingReferences() -> Fetch { `where`(.hasDanglingReferences) }
}
