import Crypto
import Foundation
import Synchronization

/// The keys of write transactions, and those of encrypted properties: derived from a data key and random bytes.
///
/// With a key of its own a transaction may count its nonces, also in a store that was restored, copied or resumed from an image: the copies draw
/// other random bytes. Random nonces under one key would be used up after 2³² values.
final class Subkeys: Sendable {
    private struct Name: Hashable {
        let keyNumber: UInt32
        let salt: [UInt8]
    }

    private let purpose: KeyPurpose
    private let known: Mutex<Generations<Name, SymmetricKey>>

    /// - Parameter capacity: how many keys are remembered at the most, as deriving one takes longer than opening a node.
    init(_ purpose: KeyPurpose, capacity: Int) {
        self.purpose = purpose
        known = Mutex(Generations(capacity: capacity))
    }

    static func derive(_ purpose: KeyPurpose, from key: SymmetricKey, salt: [UInt8], store: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, info: Array(purpose.label.utf8) + store, outputByteCount: 32)
    }

    func key(_ keyNumber: UInt32, salt: [UInt8], store: [UInt8], dataKey: SymmetricKey) -> SymmetricKey {
        let name = Name(keyNumber: keyNumber, salt: salt)
        if let key = known.withLock({ $0.find(name) }) { return key }
        let key = Self.derive(purpose, from: dataKey, salt: salt, store: store)
        known.withLock { $0.add(key, name, size: 1) }
        return key
    }

    func forget() { known.withLock { $0.removeAll() } }
}
