import Crypto

/// The keys of a store, unlocked.
struct KeyRing: Sendable {
    /// The 16 bytes that tell the store from others.
    let store: [UInt8]
    /// The store's own key, which root keys wrap and which wraps the data keys.
    let storeKey: SymmetricKey
    /// The data keys by number.
    var keys: [UInt32: SymmetricKey]
    /// The data key with which is sealed from now on: the one of the highest number.
    var active: UInt32
    /// How often the record of keys was changed.
    var generation: UInt64
    /// The SHA-256 of the record of keys they are from, which the root record has too.
    var digest: [UInt8]
    /// The key of blind indexes, which a new data key leaves as it is; nil for a store that is sealed as a whole.
    var indexKey: SymmetricKey?
}
