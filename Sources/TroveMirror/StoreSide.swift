import Synchronization
import Trove
import TroveBackendKit

/// What the store has, read again only when somebody may have changed it.
final class StoreSide: Sendable {
    private struct State {
        var contents: StoreContents?
        var stamp: StoreStamp?
        var signals: [String: CommitSignal] = [:]
    }

    private let store: ObjectStore
    private let state = Mutex(State())

    init(_ store: ObjectStore) { self.store = store }

    /// What the store has in a transaction's state.
    func contents(_ transaction: ReadTransaction) throws -> StoreContents {
        let names = try Set(transaction.layouts().filter { !$0.isRetired && !$0.modelName.hasPrefix("$") }.map(\.modelName))
        return try state.withLock { state in
            // Signals tell of commits in this process, the stamp of those in others. What comes while the contents are read is seen by the next run.
            var isSame = names == Set(state.signals.keys)
            for name in state.signals.keys where !names.contains(name) { state.signals[name] = nil }
            for name in names {
                if let signal = state.signals[name] {
                    if signal.take() { isSame = false }
                } else {
                    // Of a model that tells nothing of its commits everything is read each time.
                    guard let signal = try? store.commitSignal(of: name) else {
                        isSame = false
                        continue
                    }
                    _ = signal.take()
                    state.signals[name] = signal
                    isSame = false
                }
            }
            let stamp = StoreStamp(ofStoreAt: store.path)
            if isSame, stamp == state.stamp, stamp.isSettled, let contents = state.contents { return contents }
            let contents = try StoreContents(transaction)
            (state.contents, state.stamp) = (contents, stamp)
            return contents
        }
    }
}
