import ArgumentParser
import TroveCrypto

/// The key that a store gets.
struct NewKeyOptions: ParsableArguments {
    @Option(help: "The new key: a file of 32 random bytes or 64 hexadecimal digits.", completion: .file())
    var newKeyFile: String?
    @Option(help: "The new passphrase: the first line of a file; '-' asks for it.", completion: .file())
    var newPassphraseFile: String?
    @Option(help: "The new passphrase: the environment's variable of this name.")
    var newPassphraseEnv: String?

    static let names = "--new-key-file, --new-passphrase-file, --new-passphrase-env"

    /// The key that options name; nil when they name none.
    ///
    /// - Throws: ``CommandError/severalKeys(options:)``; ``CommandError/noKey(reason:)``.
    func key(for subject: String) throws -> StoreKey? {
        try KeySource(keyFile: newKeyFile, passphraseFile: newPassphraseFile, passphraseVariable: newPassphraseEnv, options: Self.names)?
            .key(for: subject, isNew: true)
    }

    /// The key that options name, or a passphrase that a person types.
    func requiredKey(for subject: String) throws -> StoreKey {
        if let key = try key(for: subject) { return key }
        guard Passphrase.canAsk else { throw CommandError.noKey(reason: "there is no new key; give one of \(Self.names)") }
        return try KeySource.passphraseFile("-").key(for: subject, isNew: true)
    }
}
