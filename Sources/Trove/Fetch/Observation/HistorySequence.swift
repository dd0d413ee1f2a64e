/// The entries of a store's history, one after the other, those that are there and those that come; see ``ObjectStore/followHistory(after:of:)``.
///
/// It ends only by an error: that of a reading, ``StorageError/closed(_:)`` when the store is closed, or `CancellationError`. Whoever is slow misses nothing:
/// what it was not asked for is in the store.
public struct HistorySequence: AsyncSequence, Sendable {
    public typealias Failure = any Error

    let store: ObjectStore
    let token: HistoryToken?
    let models: [any Model.Type]?

    /// Begins at the place of the sequence.
    public func makeAsyncIterator() -> Iterator { Iterator(store: store, models: models, token: token) }

    /// Reads entries, and waits for commits where there are none.
    public struct Iterator: AsyncIteratorProtocol {
        /// How many entries are read at once.
        private static let size = 100

        let store: ObjectStore
        let models: [any Model.Type]?
        private var token: HistoryToken?
        private var waiting: ArraySlice<HistoryEntry> = []
        private var registration: ObserverRegistration?

        init(store: ObjectStore, models: [any Model.Type]?, token: HistoryToken?) {
            self.store = store
            self.models = models
            self.token = token
        }

        /// The next entry; never nil.
        ///
        /// - Throws: what ``ObjectStore/history(after:of:limit:)`` throws; ``StorageError/closed(_:)``; `CancellationError`.
        public mutating func next() async throws -> HistoryEntry? {
            try Task.checkCancellation()
            if let entry = waiting.popFirst() { return entry }
            let registration = if let registration { registration } else { try register() }
            self.registration = registration
            while true {
                // Noted before it reads, what is committed meanwhile lets it read once more.
                _ = registration.observer.wakeUp.take()
                let (entries, next) = try await store.history(after: token, of: models, limit: Self.size)
                token = next
                waiting = entries[...]
                if let entry = waiting.popFirst() { return entry }
                try await registration.observer.wait()
            }
        }

        private func register() throws -> ObserverRegistration {
            let filter = try CompiledFilter(.constant(true), in: store.core.bags.binding)
            return ObserverRegistration(Observer(filters: [HistorySpace.keyspaceName: filter]), store.core.observers)
        }
    }
}

extension ObjectStore {
    /// The entries of the history behind a place, those that are there and then each one that comes, in the order of the commits and without a gap.
    ///
    /// ```swift
    /// for try await entry in store.followHistory(after: token) {
    ///     try await send(entry)
    ///     try keep(entry.token)
    /// }
    /// ```
    ///
    /// Commits of other stores on the same file in this process wake it at once, and those of other processes where the store was opened with
    /// ``OtherProcessObservation/every(_:)``; otherwise their entries come before the next one of this process.
    ///
    /// - Parameters:
    ///   - token: the place where to begin; nil for the first entry that the store still has.
    ///   - models: those whose changes are given; nil for all. Entries without changes of them are left out.
    public func followHistory(after token: HistoryToken? = nil, of models: [any Model.Type]? = nil) -> HistorySequence {
        HistorySequence(store: self, token: token, models: models)
    }
}
