import Crypto

/// Somebody who keeps root keys: a keychain, a hardware token, a key server.
///
/// A provider makes a key with a *reference*: bytes that stand in the store in the clear, by which it finds the key again. For a keychain that is the name of
/// the item; for a key server that hands out data keys, the key as the server has encrypted it.
///
/// ```swift
/// struct Keychain: RootKeyProvider {
///     func makeKey(forStore identity: [UInt8]) throws -> RootKey {
///         let key = SymmetricKey(size: .bits256)
///         // A new item for each key: the one before is needed until the new one is committed.
///         let reference = Array(UUID().uuidString.utf8)
///         try addItem(named: "trove-\(hexadecimal(reference))", key)
///         return RootKey(key: key, reference: reference)
///     }
///     func key(reference: [UInt8], forStore identity: [UInt8]) throws -> SymmetricKey? {
///         try item(named: "trove-\(hexadecimal(reference))")
///     }
/// }
/// ```
public protocol RootKeyProvider: Sendable {
    /// A key of 256 bits for a store, when one is made or gets this key.
    ///
    /// Each call makes a key and a reference of their own: a store may have several, and is opened with the old one when a change of the key does not come
    /// to its end.
    ///
    /// - Parameter identity: 16 bytes that tell the store from others.
    func makeKey(forStore identity: [UInt8]) throws -> RootKey

    /// The key of a reference; nil when the reference is not of this provider.
    ///
    /// - Throws: what keeps it from answering now, such as a server that is away. Opening the store then throws the same.
    func key(reference: [UInt8], forStore identity: [UInt8]) throws -> SymmetricKey?
}

/// A key, and how its provider finds it again.
public struct RootKey: Sendable {
    /// 256 bits.
    public let key: SymmetricKey
    /// Stands in the store in the clear; at most 4,096 bytes.
    public let reference: [UInt8]

    /// A key, with what its provider finds it by.
    public init(key: SymmetricKey, reference: [UInt8]) { (self.key, self.reference) = (key, reference) }

    static let maxReferenceSize = 4_096
}
