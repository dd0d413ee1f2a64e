extension Lazy {
    /// The value in the snapshot of a transaction, whichever fetch the object is from.
    ///
    /// ```swift
    /// try store.write { transaction in
    ///     if try photo.image.load(in: transaction).isEmpty { try transaction.delete(photo) }
    /// }
    /// ```
    ///
    /// - Throws: as ``load()-swift.method``; ``TroveError/transactionFinished`` after the transaction.
    public func load(in transaction: ReadTransaction) throws -> Value {
        try box.value { annex, body in
            if annex.isOf(transaction.core) { try transaction.withAnnex(annex, body) } else { try annex.withBytes(body) }
        }
    }
}
