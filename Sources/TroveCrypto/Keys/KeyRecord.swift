import Crypto
import Foundation
import TroveStorage

/// The record of a store's keys, which lies in the engine in the clear:
///
///     8 bytes   "TroveSea", of a store that is sealed as a whole, or "TroveFld", of one with encrypted properties
///     2         the version of the format, 1
///     16        the store's identity
///     8         how often the record was changed
///     1         the number of wraps: of root keys that open the store; for each:
///       1         its kind: 1 raw, 2 passphrase, 3 provider
///       1         of a passphrase, the power of two of scrypt's rounds
///       2, n      of a provider, the reference of the key
///       16        random bytes, with which the key is made of the passphrase and the next two are made of the key
///       32        the commitment, by which the right key is known
///       40        the store's key, wrapped (RFC 3394)
///     2         the number of data keys; for each, the oldest first:
///       4         its number
///       40        the key, wrapped with the store's key
///     n         of encrypted properties, their part: see ``FieldPart``
///     32        HMAC-SHA256 of all before, with a key made of the store's key
///
/// Numbers have their lowest byte first.
struct KeyRecord: Sendable {
    static let version: UInt16 = 1
    static let maxWraps = 16
    /// A rotation ends before the next begins, so two are enough; a later version may want more.
    static let maxDataKeys = 64

    struct DataKey: Sendable {
        var number: UInt32
        var wrapped: [UInt8]
    }

    var store: [UInt8]
    var generation: UInt64
    var wraps: [KeyWrap]
    var dataKeys: [DataKey]
    /// What only encrypted properties need; nil for a store that is sealed as a whole.
    var fields: FieldPart?
    /// The part of the bytes that the code at the end is of; empty for a record that was not read.
    private var covered: [UInt8] = []
    private var code: [UInt8] = []

    /// The record of a new store, with its first data key, for one root key. It was unlocked once with the key as its owner gave it.
    static func make(for key: StoreKey, in place: Place) throws -> (bytes: [UInt8], ring: KeyRing) {
        let (store, storeKey) = (SystemRandomNumberGenerator.bytes(16), SymmetricKey(size: .bits256))
        var new = KeyRecord(store: store, wraps: [try KeyWrap(storeKey, with: NewRootKey(key, store: store, in: place), store: store)])
        try new.addDataKey(storeKey: storeKey)
        if place.purpose == .fields { new.fields = FieldPart(wrappedIndexKey: try wrap(SymmetricKey(size: .bits256), storeKey, store)) }
        let bytes = new.bytes(storeKey: storeKey)
        return (bytes, try KeyRecord(bytes, in: place).unlock(with: key, in: place))
    }

    private init(store: [UInt8], wraps: [KeyWrap]) {
        (self.store, generation, self.wraps, dataKeys) = (store, 1, wraps, [])
    }

    // MARK: Bytes

    /// - Throws: `newerFormat`, or `corrupt` for bytes that are none of a record.
    init(_ bytes: [UInt8], in place: Place) throws {
        do {
            var parser = ByteParser(bytes)
            guard try parser.take(8) == place.purpose.magic else { throw MalformedBytes() }
            let version = try parser.number(UInt16.self)
            guard version <= Self.version else {
                throw StorageError.newerFormat(
                    place.details("\(place.purpose.subject) has keys of format \(version), this version reads up to \(Self.version); use a newer one"))
            }
            guard version == Self.version else { throw MalformedBytes() }
            store = try parser.take(16)
            generation = try parser.number(UInt64.self)
            let wrapCount = Int(try parser.number(UInt8.self))
            guard (1...Self.maxWraps).contains(wrapCount) else { throw MalformedBytes() }
            wraps = []
            for _ in 0..<wrapCount { wraps.append(try KeyWrap(&parser)) }
            let keyCount = Int(try parser.number(UInt16.self))
            guard (1...Self.maxDataKeys).contains(keyCount) else { throw MalformedBytes() }
            dataKeys = []
            for _ in 0..<keyCount { dataKeys.append(DataKey(number: try parser.number(UInt32.self), wrapped: try parser.take(40))) }
            guard zip(dataKeys, dataKeys.dropFirst()).allSatisfy({ $0.number < $1.number }) else { throw MalformedBytes() }
            // So that one more can be counted.
            guard generation < RootRecord.maxNumber, dataKeys.allSatisfy({ $0.number < .max }) else { throw MalformedBytes() }
            if place.purpose == .fields { fields = try FieldPart(&parser) }
            covered = Array(bytes.prefix(parser.offset))
            code = try parser.take(32)
            guard parser.isAtEnd else { throw MalformedBytes() }
        } catch is MalformedBytes {
            throw place.corrupt("the record of its keys is none")
        }
    }

    /// The bytes of the record, with their code.
    func bytes(storeKey: SymmetricKey) -> [UInt8] {
        var bytes = (fields == nil ? KeyPurpose.store : .fields).magic
        bytes.append(littleEndian: Self.version)
        bytes += store
        bytes.append(littleEndian: generation)
        bytes.append(UInt8(wraps.count))
        for wrap in wraps { bytes += wrap.bytes }
        bytes.append(littleEndian: UInt16(dataKeys.count))
        for key in dataKeys {
            bytes.append(littleEndian: key.number)
            bytes += key.wrapped
        }
        bytes += fields?.bytes ?? []
        return bytes + HMAC<SHA256>.authenticationCode(for: bytes, using: Self.codeKey(storeKey, store))
    }

    // MARK: Unlocking

    /// The SHA-256 of a record that was read, by which the root names it.
    var digest: [UInt8] { [UInt8](SHA256.hash(data: covered + code)) }

    /// The keys of a record that was read; nil when it is not of this store's key.
    ///
    /// - Throws: `corrupt` when the key is right and a data key is not.
    func unlock(_ storeKey: SymmetricKey, in place: Place) throws -> KeyRing? {
        guard HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: covered, using: Self.codeKey(storeKey, store)) else { return nil }
        guard let last = dataKeys.last else { return nil }
        let wrapping = Self.wrappingKey(storeKey, store)
        var keys: [UInt32: SymmetricKey] = [:]
        for key in dataKeys {
            keys[key.number] = try Self.unwrap(key.wrapped, wrapping) { place.corrupt("data key \(key.number) cannot be unwrapped") }
        }
        let indexKey = try fields.map { part in
            try Self.unwrap(part.wrappedIndexKey, wrapping) { place.corrupt("the key of blind indexes cannot be unwrapped") }
        }
        return KeyRing(
            store: store, storeKey: storeKey, keys: keys, active: last.number, generation: generation, digest: digest, indexKey: indexKey)
    }

    /// The keys of a record that was read, with a root key.
    ///
    /// - Throws: ``SealedStoreError/wrongKey(_:)``; `corrupt` when the key is right and the record is not; what a provider throws.
    func unlock(with key: StoreKey, in place: Place) throws -> KeyRing {
        for wrap in wraps {
            guard let storeKey = try wrap.open(with: key, store: store, in: place) else { continue }
            guard let ring = try unlock(storeKey, in: place) else { throw place.corrupt("the record of its keys was changed") }
            return ring
        }
        throw SealedStoreError.wrongKey(place.details(place.purpose.refusal(of: key)))
    }

    private static func unwrap(_ wrapped: [UInt8], _ wrapping: SymmetricKey, orThrow fault: () -> StorageError) throws -> SymmetricKey {
        do { return try AES.KeyWrap.unwrap(wrapped, using: wrapping) } catch { throw fault() }
    }

    // MARK: Changing

    /// Adds a new random data key, which is the active one from then on.
    mutating func addDataKey(storeKey: SymmetricKey) throws {
        let number = (dataKeys.last?.number ?? 0) + 1
        dataKeys.append(DataKey(number: number, wrapped: try Self.wrap(SymmetricKey(size: .bits256), storeKey, store)))
    }

    /// Gives the store another key, which only the wraps given then open.
    mutating func replaceStoreKey(with storeKey: SymmetricKey, wraps: [KeyWrap], ring: KeyRing) throws {
        self.wraps = wraps
        dataKeys = try ring.keys.sorted { $0.key < $1.key }.map { DataKey(number: $0, wrapped: try Self.wrap($1, storeKey, store)) }
        if let indexKey = ring.indexKey { fields?.wrappedIndexKey = try Self.wrap(indexKey, storeKey, store) }
    }

    private static func wrap(_ key: SymmetricKey, _ storeKey: SymmetricKey, _ store: [UInt8]) throws -> [UInt8] {
        [UInt8](try AES.KeyWrap.wrap(key, using: wrappingKey(storeKey, store)))
    }

    private static func wrappingKey(_ storeKey: SymmetricKey, _ store: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: storeKey, salt: store, info: Array("trove data keys".utf8), outputByteCount: 32)
    }

    private static func codeKey(_ storeKey: SymmetricKey, _ store: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: storeKey, salt: store, info: Array("trove record of keys".utf8), outputByteCount: 32)
    }
}
