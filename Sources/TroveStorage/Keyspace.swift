/// A handle on a keyspace, valid inside the transaction that gave it.
///
/// It is a number, so that passing it costs nothing; names are resolved once a transaction.
public struct Keyspace: Sendable, Hashable {
    /// The backend's own number for the keyspace.
    public let number: UInt32

    /// The serial number of the transaction that the handle belongs to.
    public let transaction: UInt64

    /// Makes a handle. Only backends do.
    @inlinable
    public init(number: UInt32, transaction: UInt64) {
        self.number = number
        self.transaction = transaction
    }
}
