// Sorts and different values by paths. For models too, these would take from a misspelt key path the message that names it.
extension Fetch where Object == Document {
    /// The documents in the order of the values at a path, after the sort criteria so far.
    ///
    /// Ascending, documents without a value there come first; values of several kinds sort in the order that `docs/search.md` tells.
    public func sorted(by path: DocumentPath, _ direction: SortDirection = .ascending, ignoringCase: Bool = false) -> Fetch {
        changing { $0.sort.append(SortKey(Object.path(at: path), direction, ignoringCase: ignoringCase)) }
    }

    /// The different values at a path, ascending, with nil first when a document has none.
    public func distinct(_ path: DocumentPath) throws -> [StoredValue] {
        try source.read(of: draft) { try $0.groups(by: [Object.path(at: path)], [], of: Object.self, draft) }.map { $0.keys[0] }
    }
}

extension Fetch where Object == Document, Source == ObjectStore {
    /// The different values at a path, ascending, with nil first when a document has none.
    public func distinct(_ path: DocumentPath) async throws -> [StoredValue] {
        let fetch = self
        return try await source.read { try $0.fetch(as: fetch).distinct(path) }
    }
}
