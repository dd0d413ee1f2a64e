import Crypto
import CryptoExtras
import Foundation
import TroveStorage

/// A store's key, wrapped with a root key.
struct KeyWrap: Sendable {
    /// How the root key is come by.
    enum Kind: Sendable, Hashable {
        case raw
        case passphrase(PassphraseCost)
        case provider(reference: [UInt8])
    }

    let kind: Kind
    let salt: [UInt8]
    let commitment: [UInt8]
    let wrapped: [UInt8]

    // MARK: Bytes

    init(_ parser: inout ByteParser) throws {
        switch try parser.number(UInt8.self) {
        case 1: kind = .raw
        case 2:
            let cost = Int(try parser.number(UInt8.self))
            // A record that somebody forged shall not make a program take all memory.
            guard PassphraseCost.range.contains(cost) else { throw MalformedBytes() }
            kind = .passphrase(PassphraseCost(log2Rounds: cost))
        case 3: kind = .provider(reference: try parser.take(Int(try parser.number(UInt16.self))))
        default: throw MalformedBytes()
        }
        salt = try parser.take(16)
        commitment = try parser.take(32)
        wrapped = try parser.take(40)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8]
        switch kind {
        case .raw: bytes = [1]
        case .passphrase(let cost): bytes = [2, UInt8(cost.log2Rounds)]
        case .provider(let reference):
            bytes = [3]
            bytes.append(littleEndian: UInt16(reference.count))
            bytes += reference
        }
        return bytes + salt + commitment + wrapped
    }

    // MARK: Wrapping

    /// Wraps a store's key with a root key.
    init(_ storeKey: SymmetricKey, with key: NewRootKey, store: [UInt8]) throws {
        (kind, salt) = (key.kind, key.salt)
        commitment = Self.commitment(key.key, salt, store)
        wrapped = [UInt8](try AES.KeyWrap.wrap(storeKey, using: Self.wrappingKey(key.key, salt, store)))
    }

    /// The store's key; nil when this root key has not wrapped it. Nothing is decrypted to find that out.
    ///
    /// - Throws: what a provider throws; `corrupt` when the key is right and what it wrapped is damaged.
    func open(with key: StoreKey, store: [UInt8], in place: Place) throws -> SymmetricKey? {
        let found: SymmetricKey?
        switch (key.source, kind) {
        case (.raw(let key), .raw): found = key
        case (.passphrase(let text, _), .passphrase(let cost)): found = try Self.stretch(text, cost, salt)
        case (.provider(let provider), .provider(let reference)): found = try provider.key(reference: reference, forStore: store)
        default: found = nil
        }
        guard let rootKey = found, rootKey.bitCount == 256, Self.commitment(rootKey, salt, store) == commitment else { return nil }
        do { return try AES.KeyWrap.unwrap(wrapped, using: Self.wrappingKey(rootKey, salt, store)) } catch {
            throw place.corrupt("the store's key cannot be unwrapped")
        }
    }

    static func stretch(_ text: [UInt8], _ cost: PassphraseCost, _ salt: [UInt8]) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(from: text, salt: salt, outputByteCount: 32, rounds: 1 << cost.log2Rounds, blockSize: 8, parallelism: 1)
    }

    private static func wrappingKey(_ rootKey: SymmetricKey, _ salt: [UInt8], _ store: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: rootKey, salt: salt, info: Array("trove wrap".utf8) + store, outputByteCount: 32)
    }

    private static func commitment(_ rootKey: SymmetricKey, _ salt: [UInt8], _ store: [UInt8]) -> [UInt8] {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: rootKey, salt: salt, info: Array("trove commitment".utf8) + store, outputByteCount: 32)
            .withUnsafeBytes { [UInt8]($0) }
    }
}
