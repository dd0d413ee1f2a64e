import Crypto
import Foundation
import Synchronization

/// The keys of write transactions: derived from a data key and the random bytes of the transaction.
///
/// With a key of its own a transaction may count its nonces, also in a store that was restored, copied or resumed from an image: the copies draw
/// other random bytes. Random nonces under one key would be used up after 2³² values.
final class Subkeys: Sendable {
    private struct Name: Hashable {
        let keyNumber: UInt32
        let salt: [UInt8]
    }

    private let known: Mutex<Generations<Name, SymmetricKey>>

    /// - Parameter capacity: how many keys are remembered at the most, as deriving one takes longer than opening a node.
    init(capacity: Int) { known = Mutex(Generations(capacity: capacity)) }

    static func derive(from key: SymmetricKey, salt: [UInt8], store: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, info: Array("trove sealed values".utf8) + store, outputByteCount: 32)
    }

    func key(_ keyNumber: UInt32, salt: [UInt8], store: [UInt8], dataKey: SymmetricKey) -> SymmetricKey {
        let name = Name(keyNumber: keyNumber, salt: salt)
        if let key = known.withLock({ $0.find(name) }) { return key }
        let key = Self.derive(from: dataKey, salt: salt, store: store)
        known.withLock { $0.add(key, name, size: 1) }
        return key
    }

    func forget() { known.withLock { $0.removeAll() } }
}
