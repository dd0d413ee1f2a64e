import Foundation
import Trove
import TroveCrypto
import TroveLMDB
import TroveSQLite

/// What the samples of docs/encryption.md take for granted.
enum EncryptionPage {
    @Model struct Song {
        var title: String
    }

    @Model struct Patient {
        @Attribute(.encrypted) var diagnosis: String?
    }

    /// Somewhere else than beside the store.
    struct Keychain {
        func set(_ bytes: [UInt8], for name: String) throws {}
        func bytes(for name: String) throws -> [UInt8] { missing() }
    }

    static var key: Data { missing() }
    static var old: Data { missing() }
    static var new: Data { missing() }
    static var kept: Data { missing() }
    static var plain: ObjectStore { missing() }
    static var backend: EncryptedBackend { missing() }
    static var keychain: Keychain { missing() }
}
