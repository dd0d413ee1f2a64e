extension Documents {
    /// A query for the documents that are stored here and members of a bag; from a store or a write transaction it can also change them.
    ///
    /// ```swift
    /// try store.documents("notes").fetch(in: bag).where { $0["rating"] == nil }.delete()
    /// ```
    ///
    /// The members are those at the time of this call, unsaved additions and removals counted.
    public func fetch(in bag: Bag) -> Fetch<Document, Source> { source.fetch(documentsOf: name, in: bag) }
}
