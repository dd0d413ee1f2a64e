import Crypto
import TroveStorage

/// A root key that is to open a store from now on, made of what its owner gave.
struct NewRootKey {
    let kind: KeyWrap.Kind
    let salt: [UInt8]
    let key: SymmetricKey

    /// - Throws: ``SealedStoreError/invalidKey(_:)``; what a provider throws.
    init(_ given: StoreKey, store: [UInt8], in place: Place) throws {
        salt = SystemRandomNumberGenerator.bytes(16)
        switch given.source {
        case .raw(let raw): (kind, key) = (.raw, raw)
        case .passphrase(let text, let cost):
            guard !text.isEmpty else { throw SealedStoreError.invalidKey(place.details("a passphrase has at least one character")) }
            guard PassphraseCost.range.contains(cost.log2Rounds) else {
                throw SealedStoreError.invalidKey(
                    place.details(
                        "the cost of a passphrase is \(PassphraseCost.range.lowerBound) to \(PassphraseCost.range.upperBound), not \(cost.log2Rounds)"))
            }
            (kind, key) = (.passphrase(cost), try KeyWrap.stretch(text, cost, salt))
        case .provider(let provider):
            let made = try provider.makeKey(forStore: store)
            guard made.reference.count <= RootKey.maxReferenceSize else {
                throw SealedStoreError.invalidKey(
                    place.details("the reference of a key has at most \(RootKey.maxReferenceSize) bytes, this one \(made.reference.count)"))
            }
            (kind, key) = (.provider(reference: made.reference), made.key)
        }
        guard key.bitCount == 256 else {
            throw SealedStoreError.invalidKey(place.details("a root key has 256 bits, this one has \(key.bitCount)"))
        }
    }
}
