extension ObjectStore {
    /// The delegate that is told of each change of the store's objects, and asked before it; nil for none.
    ///
    /// The store holds it until it gets another, so it must not hold the store.
    ///
    /// A transaction that runs keeps to the delegate there was when it began. Changes that other processes or other open stores on the same file make are not told.
    public var delegate: (any StoreDelegate)? {
        get { core.delegates.delegate }
        set { core.delegates.delegate = newValue }
    }
}
