extension LiveResults {
    /// The changes of the list: at first everything is inserted, then what is different from the state before.
    ///
    /// ```swift
    /// for await changes in songs.changes {
    ///     table.delete(changes.removed.map(\.position))
    ///     …
    /// }
    /// ```
    ///
    /// Each iterator compares for itself. Nothing is queued: one that is slow gets all changes since its last state in one. The sequence ends when the list or
    /// its context is gone, so keep both, and when the task is cancelled. Errors of readings do not end it; see ``error``.
    public var changes: LiveResultChanges<Object> { LiveResultChanges(shown: shown) }
}

/// The changes of a live list, see ``LiveResults/changes``.
///
/// ``ResultChanges/updated`` has the objects whose values or records have changed since, also those that were set and set back.
public struct LiveResultChanges<Object: LiveModel>: AsyncSequence, Sendable {
    public typealias Element = ResultChanges<Object>
    public typealias Failure = Never

    let shown: ShownResults<Object>

    /// Begins with an empty list: the first element inserts everything.
    public func makeAsyncIterator() -> Iterator { Iterator(waiter: ResultWaiter(shown)) }

    /// Waits for changes and compares.
    public struct Iterator: AsyncIteratorProtocol {
        let waiter: ResultWaiter<Object>
        private var former: ResultSnapshot<Object>?

        init(waiter: ResultWaiter<Object>) { self.waiter = waiter }

        /// The changes since the element before; nil when the list or its context is gone, or the task is cancelled.
        public mutating func next() async -> ResultChanges<Object>? {
            while (try? await waiter.wakeUp.next()) != nil {
                let (snapshot, isEnded) = waiter.shown.last
                let changes = snapshot.result.changes(from: former?.result ?? ObservedResult(rows: []))
                let isNew = former == nil || !changes.isEmpty
                former = snapshot
                // It is asked once more, to hear of the end.
                if isEnded { waiter.wakeUp.note() }
                if isNew { return changes }
                if isEnded { return nil }
            }
            return nil
        }
    }
}

/// One who waits for changes of a live list, as long as its iterator lives.
final class ResultWaiter<Object: LiveModel>: Sendable {
    let shown: ShownResults<Object>
    let wakeUp = WakeUp(isDue: true)

    init(_ shown: ShownResults<Object>) {
        self.shown = shown
        shown.add(wakeUp)
    }

    deinit { shown.remove(wakeUp) }
}
