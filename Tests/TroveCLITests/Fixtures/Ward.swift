import Foundation
import TestSupport
import Trove
import TroveCrypto

/// What has properties to be read with a key only.
@Model struct Patient {
    var id: Int
    var name: String
    @Attribute(.encrypted) var diagnosis: String?
    @Attribute(.encrypted, .blind(bits: 8)) var insurance: String
}

extension CommandFixture {
    /// The passphrases that the examples of the help use, by the variables that have them.
    static let passphrases = ["MUSIC": "so what", "WARD": "all blues"]

    /// Little work: tests are not compiled for speed.
    private static let cost = PassphraseCost(log2Rounds: 10)

    /// Makes `sealed.store` of what `music.store` has, `ward.store` with encrypted properties, and `music.key` and `records.key`, keys of nothing yet.
    func addEncryptedStores(_ engine: Engine) throws {
        for (name, factor) in [("music.key", 7), ("records.key", 5)] { try Data((0..<32).map { UInt8($0 * factor) }).write(to: URL(filePath: directory.file(name))) }
        let sealed = try EncryptedBackend(engine.open(directory.file("sealed.store")), key: .passphrase(Self.passphrases["MUSIC"]!, cost: Self.cost))
        let music = try ObjectStore(engine.open(directory.file("music.store")), models: Song.self, Album.self)
        try music.copy(to: sealed)
        try music.close()
        try sealed.close()
        let keys = FieldKeys(.passphrase(Self.passphrases["WARD"]!, cost: Self.cost))
        let ward = try ObjectStore(engine.open(directory.file("ward.store")), fieldKeys: keys, models: Patient.self)
        try ward.save((0..<40).map { Patient(id: $0, name: "p\($0)", diagnosis: $0 == 7 ? nil : "flu", insurance: "Mutual \($0 % 20)") })
        try ward.close()
    }
}
