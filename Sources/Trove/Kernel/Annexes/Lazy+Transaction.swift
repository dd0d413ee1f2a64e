extension Lazy {
    /// The value as a transaction sees it, whichever fetch the object is of.
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
