/// Seals what a store gives out to get back later, such as tokens of pages, so that nobody who holds it can read the values in it or make one.
///
/// The backend of an encrypted store has one; see ``StorageBackend/tokenSealer``.
public protocol TokenSealer: Sendable {
    /// A token, sealed. No two calls return the same.
    ///
    /// - Throws: ``StorageError/closed(_:)``.
    func seal(_ token: [UInt8]) throws -> [UInt8]

    /// A token that was sealed for this store, also by an earlier process; nil for all other bytes.
    ///
    /// - Throws: ``StorageError/closed(_:)``.
    func open(_ sealed: [UInt8]) throws -> [UInt8]?
}
