extension WriteTransaction {
    /// The delegate that is told of this transaction's changes.
    package var delegate: (any StoreDelegate)? { delegateNotes?.delegate }

    /// Tells another delegate of this transaction's changes than the store's. Of a transaction that has changed nothing yet: a model that was changed before goes on telling the one before.
    package func setDelegate(_ delegate: any StoreDelegate) { replaceDelegate(DelegateNotes(delegate)) }
}
