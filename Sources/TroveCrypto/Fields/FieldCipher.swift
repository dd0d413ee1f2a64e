import Crypto
import Foundation
import Synchronization
import Trove

/// Seals and opens the values of encrypted properties, with the keys of one record.
final class FieldCipher: FieldSealer {
    let keyRecord: [UInt8]
    let closedFields: Set<String>
    let ring: KeyRing
    private let dataKey: SymmetricKey
    private let sessionLimit: Int
    private let session: Mutex<FieldSession>
    private let subkeys = Subkeys(.fields, capacity: 1_024)
    /// Has taken the key of blind indexes in, which is half of the work of a tag.
    private let tagMaker: HMAC<SHA256>

    /// - Parameters:
    ///   - record: the record that the keys are of.
    ///   - sessionLimit: how many values are sealed with one derived key.
    init(_ bytes: [UInt8], _ record: KeyRecord, _ ring: KeyRing, in place: Place, sessionLimit: Int = 1 << 30) throws {
        guard let dataKey = ring.keys[ring.active], let indexKey = ring.indexKey, let part = record.fields else {
            throw place.corrupt("the record of its keys lacks some")
        }
        (keyRecord, self.ring, self.dataKey, self.sessionLimit) = (bytes, ring, dataKey, sessionLimit)
        closedFields = Set(part.closed)
        session = Mutex(FieldSession(dataKey, store: ring.store, limit: sessionLimit))
        let info = Array("trove blind index".utf8)
        tagMaker = HMAC(key: HKDF<SHA256>.deriveKey(inputKeyMaterial: indexKey, salt: ring.store, info: info, outputByteCount: 32))
    }

    var activeKey: UInt32 { ring.active }

    // MARK: Values

    func seal(_ value: RawSpan, in place: RawSpan, appendingTo bytes: inout [UInt8]) throws {
        let (salt, key) = nextSession()
        let nonce = AES.GCM.Nonce()
        let binding = SealedField.binding(store: ring.store, keyNumber: ring.active, place: place)
        let box = try value.withUnsafeBytes { try AES.GCM.seal($0, using: key, nonce: nonce, authenticating: binding) }
        bytes.reserveCapacity(bytes.count + SealedField.overhead + value.byteCount)
        bytes.append(SealedField.version)
        bytes.append(littleEndian: ring.active)
        bytes += salt
        nonce.withUnsafeBytes { bytes.append(contentsOf: $0) }
        box.ciphertext.withUnsafeBytes { bytes.append(contentsOf: $0) }
        box.tag.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// The session for one more value.
    private func nextSession() -> (salt: [UInt8], key: SymmetricKey) {
        session.withLock { session in
            while !session.count() { session = FieldSession(dataKey, store: ring.store, limit: sessionLimit) }
            return (session.salt, session.key)
        }
    }

    func open(_ sealed: RawSpan, in place: RawSpan, appendingTo bytes: inout [UInt8]) throws {
        let plain = try sealed.withUnsafeBytes { sealed in
            guard let value = SealedField(sealed) else { throw FieldSealingFault.damaged }
            guard let dataKey = ring.keys[value.keyNumber] else { throw FieldSealingFault.unknownKey(value.keyNumber) }
            let key = subkeys.key(value.keyNumber, salt: value.salt, store: ring.store, dataKey: dataKey)
            let binding = SealedField.binding(store: ring.store, keyNumber: value.keyNumber, place: place)
            do {
                return try AES.GCM.open(AES.GCM.SealedBox(combined: value.box), using: key, authenticating: binding)
            } catch { throw FieldSealingFault.damaged }
        }
        plain.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    func key(of sealed: RawSpan) -> UInt32? { sealed.withUnsafeBytes { SealedField.keyNumber($0) } }

    // MARK: Blind indexes

    func tag(of value: RawSpan, in index: RawSpan) -> UInt128 {
        var message: [UInt8] = []
        message.reserveCapacity(8 + index.byteCount + value.byteCount)
        // With the length in front no other index and value have the same bytes.
        message.append(littleEndian: UInt64(index.byteCount))
        index.withUnsafeBytes { message.append(contentsOf: $0) }
        value.withUnsafeBytes { message.append(contentsOf: $0) }
        var maker = tagMaker
        maker.update(data: message)
        return maker.finalize().withUnsafeBytes { $0.number(at: 0, as: UInt128.self) }
    }
}
