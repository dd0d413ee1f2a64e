import Synchronization

/// The delegate of an open store.
final class DelegateHolder: Sendable {
    private let held = Mutex<(any StoreDelegate)?>(nil)

    var delegate: (any StoreDelegate)? {
        get { held.withLock { $0 } }
        set {
            // The one before is let go outside of the lock: its deinit may write to the store, which asks for the delegate.
            let before = held.withLock { held in
                defer { held = newValue }
                return held
            }
            withExtendedLifetime(before) {}
        }
    }
}
