import ArgumentParser
import Trove

/// The store that a command is about, its keys, and how long to wait for it.
///
/// All options stand here and in no groups within, as in every group of the program: in builds for debugging the parser checks a group several times at each
/// level that it lies at, so that a program with groups in groups took longer to begin than for all that it did. `HelpText` gives the keys their section.
struct StoreArgument: ParsableArguments {
    @Argument(help: "The store's file, of any engine.", completion: .file())
    var store: String

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

    @Option(parsing: .unconditional, help: "How many seconds to wait for a store that another program has for itself, as engines of one process do.")
    var wait = 2.0

    private static let longestWait = 86_400.0

    func validate() throws {
        guard wait >= 0, wait <= Self.longestWait else { throw ValidationError("--wait is from 0 to \(Int(Self.longestWait)) seconds, not \(wait)") }
    }

    /// Whether a passphrase comes from standard input, or from a person at the terminal.
    var readsStandardInput: Bool { [passphraseFile, fieldPassphraseFile].contains("-") }

    /// Where the keys are.
    ///
    /// - Throws: ``CommandError/severalKeys(options:)``.
    var keys: StoreKeys {
        get throws {
            StoreKeys(
                store: try KeySource(
                    keyFile: keyFile, passphraseFile: passphraseFile, passphraseVariable: passphraseEnv,
                    options: "--key-file, --passphrase-file, --passphrase-env"),
                fields: try KeySource(
                    keyFile: fieldKeyFile, passphraseFile: fieldPassphraseFile, passphraseVariable: fieldPassphraseEnv,
                    options: "--field-key-file, --field-passphrase-file, --field-passphrase-env"))
        }
    }

    /// Calls `body` with the store, open for reading only, and closes it.
    ///
    /// - Parameter allowsPlain: whether keys are passed over that the store does not need, since they are another store's.
    func read<Result>(allowsPlain: Bool = false, _ body: (ObjectStore) throws -> Result) throws -> Result {
        try with(.readOnly, allowsPlain: allowsPlain) { try body($0.store) }
    }

    /// Calls `body` with the store, open for writing, and closes it; the caller has seen to the permission.
    func change<Result>(_ body: (ObjectStore) throws -> Result) throws -> Result {
        try with(.readWrite) { try body($0.store) }
    }

    /// Calls `body` with another store, open for reading only with the same keys where it needs some and a line of a shell has no others, and closes it.
    func readOther<Result>(_ path: String, _ body: (ObjectStore) throws -> Result) throws -> Result {
        let keys = try self.keys.filled(from: session?.keys)
        let engine = try StoreEngine(ofFileAt: path).open(path, waiting: .seconds(wait))
        return try OpenStore.with(engine, named: path, .readOnly, keys, allowsPlain: true) { try body($0.store) }
    }

    /// The shell that has the store open; nil where none does.
    private var session: ShellSession? { ShellSession.current.flatMap { $0.path == store ? $0 : nil } }

    /// Calls `body` with the open store, that of the shell where there is one, and closes it otherwise.
    func with<Result>(_ access: StoreAccess, allowsPlain: Bool = false, _ body: (OpenStore) throws -> Result) throws -> Result {
        let session = session
        // What a shell may not change it may still try out, in a transaction that is taken back.
        if let session, access == .readOnly || session.allowsChanges { return try session.open.naming(body) }
        let keys = try session?.keys ?? self.keys
        let told = try StoreEngine(ofFileAt: store)
        // The shell itself has the store, and will not give it up.
        let engine = try session == nil ? told.open(store, waiting: .seconds(wait)) : told.open(store, createsStore: false)
        return try OpenStore.with(engine, named: store, access, keys, allowsPlain: allowsPlain, body)
    }
}
