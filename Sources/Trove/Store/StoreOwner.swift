import Synchronization

/// The store that a core belongs to, without keeping it alive: for what is made in a transaction and outlives it.
final class StoreOwner: Sendable {
    private struct Reference: Sendable {
        weak var store: ObjectStore?
    }

    private let reference = Mutex(Reference())

    /// The store; nil when it is gone, or while it is being opened.
    var store: ObjectStore? {
        get { reference.withLock { $0.store } }
        set { reference.withLock { $0.store = newValue } }
    }
}
