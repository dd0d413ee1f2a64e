import Crypto
import Foundation

/// Seals the values of one write transaction, with a key that is its own.
final class Sealer {
    let ring: KeyRing
    private let dataKey: SymmetricKey
    private var salt: [UInt8] = []
    private var key: SymmetricKey?
    private var counter: UInt32 = 0

    init(_ ring: KeyRing, dataKey: SymmetricKey) { (self.ring, self.dataKey) = (ring, dataKey) }

    /// The bytes for the wrapped engine, and the tag that a pointer to them has.
    func seal(_ bytes: [UInt8], as kind: SealedKind, number: UInt64) throws -> (bytes: [UInt8], tag: Tag) {
        let (key, counter) = nextNonce()
        let binding = SealedValue.binding(store: ring.store, kind: kind, number: number, keyNumber: ring.active)
        let box = try AES.GCM.seal(bytes, using: key, nonce: AES.GCM.Nonce(data: SealedValue.nonce(counter)), authenticating: binding)
        var sealed: [UInt8] = []
        sealed.reserveCapacity(SealedValue.overhead + bytes.count)
        sealed.append(SealedValue.version)
        sealed.append(littleEndian: ring.active)
        sealed += salt
        sealed.append(littleEndian: counter)
        sealed += box.ciphertext
        sealed += box.tag
        let tag = sealed.withUnsafeBytes { Tag($0, at: $0.count - Tag.size) }
        return (sealed, tag)
    }

    /// A key and a counter that no other value was or will be sealed with.
    private func nextNonce() -> (SymmetricKey, UInt32) {
        if let key, counter < UInt32.max {
            counter += 1
            return (key, counter)
        }
        salt = SystemRandomNumberGenerator.bytes(SealedValue.saltSize)
        let key = Subkeys.derive(.store, from: dataKey, salt: salt, store: ring.store)
        (self.key, counter) = (key, 0)
        return (key, 0)
    }
}

extension SystemRandomNumberGenerator {
    /// Bytes from the system's generator.
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        // Eight at a time, each of which is a system call.
        while bytes.count < count { bytes.append(littleEndian: generator.next()) }
        return Array(bytes.prefix(count))
    }
}
