extension ObjectSource {
    /// All references that point at what is not stored, by models and fields. For many of them there is ``forEachDanglingReference(_:)``.
    public func danglingReferences() throws -> [DanglingReference] {
        var found: [DanglingReference] = []
        try forEachDanglingReference { reference, _ in found.append(reference) }
        return found
    }

    /// Calls `body` with each reference that points at what is not stored, by models and fields, until it sets `stop`.
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
