import Crypto
import Foundation

/// What opens a sealed store: a key, a passphrase, or somebody who keeps the key.
///
/// ```swift
/// try EncryptedBackend(LMDBBackend(path: "music.lmdb"), key: .raw(key))                    // 32 random bytes
/// try EncryptedBackend(LMDBBackend(path: "music.lmdb"), key: .passphrase("correct horse battery staple"))
/// ```
///
/// It is called a root key: no entry is sealed with it. It wraps the store's own key, which wraps the data keys, all of which are random. So a store may have
/// several root keys, and changing one rewrites nothing but the record of keys.
public struct StoreKey: Sendable {
    enum Source: Sendable {
        case raw(SymmetricKey)
        case passphrase([UInt8], PassphraseCost)
        case provider(any RootKeyProvider)
    }

    let source: Source

    /// A random key of 256 bits.
    public static func raw(_ key: SymmetricKey) -> StoreKey { StoreKey(source: .raw(key)) }

    /// A random key of 32 bytes.
    public static func raw(_ bytes: some ContiguousBytes) -> StoreKey { StoreKey(source: .raw(SymmetricKey(data: bytes))) }

    /// A passphrase, from which scrypt makes the key. Texts that look alike are one passphrase, whatever scalars they are written with.
    ///
    /// - Parameter cost: how much work one guess is. It is stored with the store and counts when the passphrase is set; opening takes what was stored.
    public static func passphrase(_ text: String, cost: PassphraseCost = .standard) -> StoreKey {
        StoreKey(source: .passphrase(Array(text.precomposedStringWithCanonicalMapping.utf8), cost))
    }

    /// A keychain, a key server, or whoever else keeps the key.
    public static func provider(_ provider: some RootKeyProvider) -> StoreKey { StoreKey(source: .provider(provider)) }
}

extension StoreKey: CustomStringConvertible, CustomReflectable {
    /// What kind of key it is; never the key.
    public var description: String {
        switch source {
        case .raw: "a raw key"
        case .passphrase: "a passphrase"
        case .provider(let provider): "a key of \(type(of: provider))"
        }
    }

    /// What it is called in a sentence on this very key.
    var name: String {
        switch source {
        case .raw: "this raw key"
        case .passphrase: "this passphrase"
        case .provider(let provider): "the key of this \(type(of: provider))"
        }
    }

    /// Why no store is ever opened by it, as when a key was cut off in a configuration; nil where one may be.
    var flaw: String? {
        guard case .raw(let raw) = source, raw.bitCount != 256 else { return nil }
        return "has \(raw.bitCount / 8) bytes and not 32"
    }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How much work it is to make a key of a passphrase, for the owner and for whoever guesses.
///
/// scrypt takes 2ⁿ rounds of 1 KiB of memory each. Measured on one core of a server: 2¹⁵ 0.17 s, 2¹⁷ 0.74 s.
public struct PassphraseCost: Sendable, Hashable {
    /// The power of two of rounds, 10 to 20.
    public var log2Rounds: Int

    /// The cost of this power of two of rounds.
    public init(log2Rounds: Int) { self.log2Rounds = log2Rounds }

    /// 2¹⁷ rounds and 128 MiB.
    public static let standard = PassphraseCost(log2Rounds: 17)
    /// 2¹⁵ rounds and 32 MiB: for programs that ask at each start, and phones.
    public static let interactive = PassphraseCost(log2Rounds: 15)

    static let range = 10...20
}
