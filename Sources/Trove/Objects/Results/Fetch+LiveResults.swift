import Dispatch

extension Fetch where Source == ObjectContext, Object: LiveModel {
    /// A list of the context's objects that pass the filter, in the query's order, which stays so: it changes with the context and with the store.
    ///
    /// ```swift
    /// let songs = try context.fetch(Song.self).where { $0.year > 1950 }.sorted(by: \.title).results()
    /// print(songs.count, songs.first?.title ?? "")
    /// ```
    ///
    /// The first reading is done by this thread, so the list is filled when it is returned. All others are done later; see ``LiveResults``. Keep the
    /// list and the context as long as the list is used.
    ///
    /// - Parameter queue: a serial queue on which the list changes and tells of its changes: `.main` for a list that is shown, so that it stays as it is
    ///   while the main thread draws. By default these are done by a thread of the context.
    /// - Throws: what ``all()`` throws; ``TroveError/contextMisuse(reason:)`` inside ``ObjectContext/perform(_:)``, a read, or a transaction of
    ///   the store.
    /// - Complexity: O(*n*) for the first reading, as a fetch of all objects; the list keeps its objects in memory.
    public func results(on queue: DispatchQueue? = nil) throws -> LiveResults<Object> {
        try source.checkMayWait("make a live list")
        let results = try LiveResults(self, queue)
        try results.readFirst()
        return results
    }

    /// A list of the context's objects that pass the filter, in the query's order, which stays so. The first reading is done by a reader thread; see
    /// ``results(on:)``.
    ///
    /// - Throws: what ``results(on:)`` throws, and `CancellationError`.
    public func results(on queue: DispatchQueue? = nil) async throws -> LiveResults<Object> {
        try await source._onReader { try self.results(on: queue) }
    }

    @available(*, unavailable, message: "make the list, and its sections of that: 'results().sectioned(by: \\.artist)'")
    public func results<Value>(sectionedBy value: @escaping @Sendable (Object) -> Value) throws -> SectionedResults<Object, Value> {
        try results().sectioned(by: value)
    }
}
