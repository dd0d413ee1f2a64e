import ArgumentParser
import Trove
import TroveCrypto

/// The keys of a store that is encrypted, or that has encrypted properties.
struct KeyOptions: ParsableArguments {
    /// What stands above them in help.
    static let title = "Keys of encrypted stores and properties"

    @Option(help: "The key of an encrypted store: a file of 32 bytes or 64 hexadecimal digits.", completion: .file())
    var keyFile: String?
    @Option(help: "Its passphrase: the first line of a file; '-' asks for it, or reads it from standard input.", completion: .file())
    var passphraseFile: String?
    @Option(help: "Its passphrase: the environment's variable of this name.")
    var passphraseEnv: String?
    @Option(help: "The key of encrypted properties, as --key-file. Without a key they are not shown.", completion: .file())
    var fieldKeyFile: String?
    @Option(help: "Their passphrase, as --passphrase-file.", completion: .file())
    var fieldPassphraseFile: String?
    @Option(help: "Their passphrase, as --passphrase-env.")
    var fieldPassphraseEnv: String?

    /// Whether a passphrase comes from standard input, or from a person at the terminal.
    var readsStandardInput: Bool { passphraseFile == "-" || fieldPassphraseFile == "-" }

    /// Where the key of the store is; nil when no option says.
    var storeKey: KeySource? {
        get throws {
            try KeySource(
                keyFile: keyFile, passphraseFile: passphraseFile, passphraseVariable: passphraseEnv, options: "--key-file, --passphrase-file, --passphrase-env")
        }
    }

    /// Where the key of the encrypted properties is; nil when no option says.
    var fieldKey: KeySource? {
        get throws {
            try KeySource(
                keyFile: fieldKeyFile, passphraseFile: fieldPassphraseFile, passphraseVariable: fieldPassphraseEnv,
                options: "--field-key-file, --field-passphrase-file, --field-passphrase-env")
        }
    }

    /// The key of the store in an engine; nil where the store is not encrypted.
    ///
    /// A person at a terminal is asked for a passphrase that no option has.
    ///
    /// - Parameters:
    ///   - path: what the store is called.
    ///   - allowsPlain: whether a key is passed over that the store does not need, since it is another store's.
    /// - Throws: ``CommandError/needsKey(path:)``; ``CommandError/isNotEncrypted(path:)``; what the key's source and the store throw.
    func key(of engine: any StorageBackend, named path: String, allowsPlain: Bool) throws -> StoreKey? {
        let source = try storeKey
        guard try EncryptedBackend.isEncrypted(engine) else {
            if source != nil, !allowsPlain { throw CommandError.isNotEncrypted(path: path) }
            return nil
        }
        guard source != nil || Passphrase.canAsk else { throw CommandError.needsKey(path: path) }
        return try (source ?? .passphraseFile("-")).key(for: path)
    }

    /// The key of the encrypted properties of the store on a backend; nil when no option has one.
    ///
    /// - Parameter isNew: whether the store is made, and given the key.
    /// - Throws: ``CommandError/hasNoEncryptedProperties(path:)``, since a store would be given keys when it is opened with some.
    func fieldKey(of backend: any StorageBackend, named path: String, isNew: Bool, allowsPlain: Bool) throws -> StoreKey? {
        guard let source = try fieldKey else { return nil }
        if isNew { return try source.key(for: "the encrypted properties of \(path)", isNew: true) }
        guard try FieldKeys.areUsed(in: backend) else {
            if allowsPlain { return nil }
            throw CommandError.hasNoEncryptedProperties(path: path)
        }
        return try source.key(for: "the encrypted properties of \(path)")
    }
}
