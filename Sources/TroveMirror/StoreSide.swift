import Synchronization
import Trove
import TroveBackendKit

/// What the store has, read again only when somebody may have changed it.
final class StoreSide: Sendable {
    private struct State {
        var contents: StoreContents?
        /// The file's stamp before the contents were read; nil of one that the next change may have too.
        var stamp: StoreStamp?
        var signals: [String: CommitSignal] = [:]
    }

    private let store: ObjectStore
    private let state = Mutex(State())

    init(_ store: ObjectStore) { self.store = store }

    /// What the store has now.
    func contents() throws -> StoreContents {
        try state.withLock { state in
            // Signals tell of commits in this process, the stamp of those in others. Both are asked before the store is read: a commit in
            // between is read twice, and none is missed.
            let stamp = StoreStamp(ofStoreAt: store.path)
            let isCertain = stamp.isSettled
            let isSame = try takeSignals(&state.signals)
            if isSame, let contents = state.contents, stamp == state.stamp { return contents }
            (state.contents, state.stamp) = (nil, nil)
            let contents = try store.read { try StoreContents($0) }
            (state.contents, state.stamp) = (contents, isCertain ? stamp : nil)
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
