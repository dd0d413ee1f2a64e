/// What the keys of a record seal.
enum KeyPurpose: Sendable, Hashable {
    /// All of a store.
    case store
    /// The encrypted properties of a store that is itself in the clear.
    case fields

    /// How a record of keys begins.
    var magic: [UInt8] {
        switch self {
        case .store: Array("TroveSea".utf8)
        case .fields: Array("TroveFld".utf8)
        }
    }

    /// What tells the keys that are derived from data keys from those of other purposes.
    var label: String {
        switch self {
        case .store: "trove sealed values"
        case .fields: "trove sealed fields"
        }
    }

    /// What is sealed, in a sentence.
    var subject: String {
        switch self {
        case .store: "the sealed store"
        case .fields: "the store with encrypted properties"
        }
    }

    /// What a wrong key does not do, and what to do about it.
    func refusal(of key: StoreKey) -> String {
        let name = key.name + (key.flaw.map { ", which \($0)" } ?? "")
        return switch self {
        case .store: "the store is not opened by \(name); give the key or passphrase that it is sealed with"
        case .fields: "the encrypted properties are not opened by \(name); give the key or passphrase that they are sealed with"
        }
    }
}
