import Foundation
import Trove
import TroveCrypto

/// What the samples of docs/encrypted-properties.md take for granted.
enum EncryptedPropertiesPage {
    @Model struct Patient {
        var id = UUID()
        @Attribute(.encrypted, .blind(bits: 9)) var insurance: String
    }

    static var key: Data { missing() }
    static var store: ObjectStore { missing() }
}
