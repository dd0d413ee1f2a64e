import Crypto
import TroveStorage

/// Seals the tokens of a store, with keys made of the store's own:
///
///     1 byte    the version of this layout, 1: AES-256-GCM
///     12        random bytes; with the store's key they give the key that it was sealed with
///     12        the nonce, random
///     n         the sealed bytes
///     16        the tag
///
/// As the store's key stays for as long as nobody changes it, tokens outlive the program that gave them.
struct StoreTokens: TokenSealer {
    private static let version: UInt8 = 1
    private static let saltSize = 12
    private static let overhead = 1 + saltSize + 12 + 16

    let engine: SealedEngine

    func seal(_ token: [UInt8]) throws -> [UInt8] {
        let ring = try engine.ring()
        let salt = SystemRandomNumberGenerator.bytes(Self.saltSize)
        let nonce = AES.GCM.Nonce()
        let box = try AES.GCM.seal(token, using: Self.key(ring, salt), nonce: nonce, authenticating: Self.binding(ring))
        return [Self.version] + salt + Array(nonce) + box.ciphertext + box.tag
    }

    func open(_ sealed: [UInt8]) throws -> [UInt8]? {
        let ring = try engine.ring()
        guard sealed.count >= Self.overhead, sealed[0] == Self.version else { return nil }
        let key = Self.key(ring, Array(sealed[1..<1 + Self.saltSize]))
        guard let box = try? AES.GCM.SealedBox(combined: sealed[(1 + Self.saltSize)...]),
            let token = try? AES.GCM.open(box, using: key, authenticating: Self.binding(ring))
        else { return nil }
        return [UInt8](token)
    }

    private static func key(_ ring: KeyRing, _ salt: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: ring.storeKey, salt: salt, info: Array("trove tokens".utf8) + ring.store, outputByteCount: 32)
    }

    private static func binding(_ ring: KeyRing) -> [UInt8] { ring.store + [version] }
}
