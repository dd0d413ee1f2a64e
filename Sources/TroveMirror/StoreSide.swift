import Synchronization
import Trove

/// What the store has, read again only when somebody may have changed it.
final class StoreSide: Sendable {
    private struct State {
        var contents: MirroredContents?
        /// The last look at the store, before the contents were read.
        var look: CommitLook
        var signals: [String: CommitSignal] = [:]
    }

    private let store: ObjectStore
    private let state: Mutex<State>

    init(_ store: ObjectStore) {
        self.store = store
        state = Mutex(State(look: store.commitLook()))
    }

    /// What the store has now.
    func contents() throws -> MirroredContents {
        try state.withLock { state in
            // Signals tell of commits in this process, the look of those in others. Both are asked before the store is read: a commit in
            // between is read twice, and none is missed.
            let isSame = try takeSignals(&state.signals)
            if try !state.look.hasNews(), isSame, let contents = state.contents { return contents }
            state.contents = nil
            let contents = try store.read { try MirroredContents($0) }
            state.contents = contents
            return contents
        }
    }

    /// Whether no model tells of a commit since this was asked last.
    private func takeSignals(_ signals: inout [String: CommitSignal]) throws -> Bool {
        let names = try store.layouts().mirroredNames
        var isSame = names == Set(signals.keys)
        signals = signals.filter { names.contains($0.key) }
        for name in names {
            if let signal = signals[name] {
                if signal.take() { isSame = false }
                continue
            }
            isSame = false
            // A model that tells nothing of its commits lacks its signal the next time too: everything is read then.
            guard let signal = try? store.commitSignal(of: name) else { continue }
            _ = signal.take()
            signals[name] = signal
        }
        return isSame
    }
}
