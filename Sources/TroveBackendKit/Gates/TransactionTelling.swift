/// An engine that knows which threads are inside of its transactions. ``StorageBackend/sharedEngine`` may be one.
package protocol TransactionTelling: AnyObject, Sendable {
    /// Whether the calling thread is inside of a transaction, so that its backends refuse to be closed.
    var isInsideTransaction: Bool { get }
}
