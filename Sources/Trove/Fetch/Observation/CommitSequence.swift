/// The commits of a store over time, in their order; see ``ObjectStore/commits(of:bufferLimit:)``.
///
/// Each iterator listens for itself, from its making until its end: what it was not asked for yet waits in its buffer. So whoever makes one, then reads
/// the store, then asks it, misses nothing. It ends with nil when the store is closed or let go, after what was committed until then, and at once when
/// its task is cancelled. It does not keep the store; a commit that waits does, when its objects have lazy values.
public struct CommitSequence: AsyncSequence, Sendable {
    public typealias Failure = Never

    let audience: StoreAudience
    /// The names of the models; nil for all.
    let models: Set<String>?
    let bufferLimit: Int

    /// Begins to listen: the iterator gives the commits of the transactions that begin from now on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(registration: CommitRegistration(in: audience, of: models, limit: bufferLimit))
    }

    /// Waits for commits.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let registration: CommitRegistration

        /// The next commit with changes of the models; nil when the store is closed or gone, and when the task is cancelled.
        public mutating func next() async -> StoreCommit? { await registration.reader.next() }
    }
}

extension ObjectStore {
    /// The commits that change objects of these models, in the order in which they are made.
    ///
    /// ```swift
    /// for await commit in try store.commits(of: [Song.self, Album.self]) {
    ///     for change in commit.changes { print(change.kind, change.reference) }
    /// }
    /// ```
    ///
    /// Any number of loops may listen at the same time, each at its own pace and with its own buffer. When more commits wait for a loop than `bufferLimit`,
    /// the oldest of them goes, and the next one says how many are missing: ``StoreCommit/missedCommits``. Nobody waits for a loop, so it may read and
    /// write the store; one that answers each commit by another never ends.
    ///
    /// Commits of this store object are told. Those of other processes, and of other open stores on the same file, are not.
    ///
    /// - Parameters:
    ///   - models: the models that it listens to. A change of another one is left out.
    ///   - bufferLimit: how many commits wait at the most, 1 or more. A commit keeps the bytes of its records, before and after, until it is let go.
    /// - Throws: ``TroveError/unknownModel(_:)`` for a model that was not named when the store was opened.
    public func commits(of models: [any Model.Type], bufferLimit: Int = 256) throws -> CommitSequence {
        let names = try models.map { try core.binding(for: $0).schema.name }
        return CommitSequence(audience: core.audience, models: Set(names), bufferLimit: bufferLimit)
    }

    /// The commits that change any object, in the order in which they are made: also of bags, of documents, and of models that the program does not have.
    ///
    /// ```swift
    /// for await commit in store.commits() { log(commit.changes.map(\.reference)) }
    /// ```
    ///
    /// - Parameter bufferLimit: how many commits wait at the most, 1 or more; see ``commits(of:bufferLimit:)``.
    public func commits(bufferLimit: Int = 256) -> CommitSequence {
        CommitSequence(audience: core.audience, models: nil, bufferLimit: bufferLimit)
    }
}
