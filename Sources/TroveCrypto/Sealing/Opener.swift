import Crypto
import Foundation
import TroveStorage

/// Opens sealed values of one snapshot of a store.
struct Opener {
    let place: Place
    let ring: KeyRing
    let subkeys: Subkeys

    /// The bytes that were sealed.
    ///
    /// - Parameter expected: the tag that the pointer to the value has; nil for the root record, to which nothing points.
    /// - Throws: `corrupt` when these are not the bytes that were sealed for this place in this store.
    func open(_ bytes: RawSpan, as kind: SealedKind, number: UInt64, expecting expected: Tag?) throws -> [UInt8] {
        try bytes.withUnsafeBytes { bytes in
            guard let value = SealedValue(bytes) else { throw place.corrupt("value \(number) is no sealed value of this version") }
            if let expected, value.tag != expected { throw place.corrupt("value \(number) is not the version that belongs here") }
            guard let dataKey = ring.keys[value.keyNumber] else {
                throw place.corrupt("value \(number) names data key \(value.keyNumber), which the store has not")
            }
            let key = subkeys.key(value.keyNumber, salt: value.salt, store: ring.store, dataKey: dataKey)
            let binding = SealedValue.binding(store: ring.store, kind: kind, number: number, keyNumber: value.keyNumber)
            do {
                let box = try AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: SealedValue.nonce(value.counter)), ciphertext: value.sealed, tag: value.tagBytes)
                return [UInt8](try AES.GCM.open(box, using: key, authenticating: binding))
            } catch {
                throw place.corrupt("value \(number) has not the bytes that were sealed")
            }
        }
    }

    /// The number of the key and the tag of a sealed value, unchecked.
    func outline(_ bytes: RawSpan) -> (keyNumber: UInt32, tag: Tag)? {
        bytes.withUnsafeBytes { bytes in SealedValue(bytes).map { ($0.keyNumber, $0.tag) } }
    }
}
