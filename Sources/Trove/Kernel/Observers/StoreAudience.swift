import Synchronization

/// Who is told of the changes of an open store: its delegates, and the readers of its commits.
final class StoreAudience: Sendable {
    struct State {
        /// The one that ``ObjectStore/delegate`` has.
        var delegate: (any StoreDelegate)?
        /// Those that were added, in their order.
        var added: [any StoreDelegate] = []
        var readers: [CommitReader] = []
        /// The number of the reader that came last.
        var lastReader = 0
        var turns = CommitTurns()
        /// Whether no commit will follow.
        var isEnded = false

        /// The delegates in the order in which they are told; one that was added and is ``delegate`` too is told once.
        var told: [any StoreDelegate] {
            guard let delegate else { return added }
            return [delegate] + added.filter { $0 !== delegate }
        }
    }

    let state = Mutex(State())
    /// The number of readers, so that the end of a transaction that tells nobody pays for one load.
    private let readerCount = Atomic<Int>(0)

    /// What a transaction that begins now has to tell; nil when nobody listens. It keeps to those who listen now.
    func notes() -> ChangeNotes? {
        state.withLock { state in
            if state.delegate == nil, state.added.isEmpty, state.readers.isEmpty { return nil }
            return ChangeNotes(state.told, state.readers, upTo: state.lastReader, self)
        }
    }
}

extension StoreAudience {
    // A delegate is let go of outside of the lock: its deinit may write to the store, which asks for the audience.

    var delegate: (any StoreDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            let before = state.withLock { state in
                defer { state.delegate = newValue }
                return state.delegate
            }
            withExtendedLifetime(before) {}
        }
    }

    /// Adds a delegate behind the others, unless it was added before.
    func add(_ delegate: any StoreDelegate) {
        state.withLock { state in
            if !state.added.contains(where: { $0 === delegate }) { state.added.append(delegate) }
        }
    }

    /// Removes a delegate, wherever it is. The caller keeps it meanwhile.
    func remove(_ delegate: any StoreDelegate) {
        state.withLock { state in
            if state.delegate === delegate { state.delegate = nil }
            state.added.removeAll { $0 === delegate }
        }
    }
}

extension StoreAudience {
    /// Whether somebody reads commits.
    var hasReaders: Bool { readerCount.load(ordering: .sequentiallyConsistent) > 0 }

    /// Adds a reader, to which the commits of all transactions are given that begin from now on.
    ///
    /// - Parameters:
    ///   - models: the names of the models that it reads of; nil for all.
    ///   - limit: how many commits wait for it at the most.
    func addReader(of models: Set<String>?, limit: Int) -> CommitReader {
        state.withLock { state in
            state.lastReader += 1
            let reader = CommitReader(number: state.lastReader, of: models, limit: limit)
            if state.isEnded, state.turns.isEmpty {
                reader.end()
            } else {
                state.readers.append(reader)
                readerCount.add(1, ordering: .sequentiallyConsistent)
            }
            return reader
        }
    }

    func remove(_ reader: CommitReader) {
        state.withLock { state in
            guard let position = state.readers.firstIndex(where: { $0 === reader }) else { return }
            state.readers.remove(at: position)
            readerCount.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Ends all readers, those of commits that are being told when these have been: the store was closed.
    func end() {
        let ended = state.withLock { state in
            state.isEnded = true
            return endReaders(&state)
        }
        for reader in ended { reader.wake() }
    }

    /// Ends all readers and lets go of the delegates, which a reader would keep otherwise: the store is gone.
    func dissolve() {
        end()
        let delegates = state.withLock { state in
            defer { (state.delegate, state.added) = (nil, []) }
            return (state.delegate, state.added)
        }
        withExtendedLifetime(delegates) {}
    }

    /// Ends the readers when there is nothing left to tell them; returns those that are to be woken.
    func endReaders(_ state: inout State) -> [CommitReader] {
        guard state.isEnded, state.turns.isEmpty else { return [] }
        for reader in state.readers { reader.end() }
        readerCount.subtract(state.readers.count, ordering: .sequentiallyConsistent)
        defer { state.readers = [] }
        return state.readers
    }
}
