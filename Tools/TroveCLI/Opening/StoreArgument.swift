import ArgumentParser
import Trove
import TroveCrypto

/// The store that a command is about.
struct StoreArgument: ParsableArguments {
    @Argument(help: "The store's file, of any engine.", completion: .file())
    var store: String

    @OptionGroup(title: KeyOptions.title) var keys: KeyOptions
    @OptionGroup var waiting: WaitingOptions

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

    /// Calls `body` with another store, open for reading only with the same keys where it needs some, and closes it.
    func readOther<Result>(_ path: String, _ body: (ObjectStore) throws -> Result) throws -> Result {
        let engine = try waiting.open(StoreEngine(ofFileAt: path), path)
        return try OpenStore.with(engine, named: path, .readOnly, keys, allowsPlain: true) { try body($0.store) }
    }

    /// Calls `body` with the open store, that of the shell where there is one, and closes it otherwise.
    func with<Result>(_ access: StoreAccess, allowsPlain: Bool = false, _ body: (OpenStore) throws -> Result) throws -> Result {
        let session = ShellSession.current.flatMap { $0.path == store ? $0 : nil }
        // What a shell may not change it may still try out, in a transaction that is taken back.
        if let session, access == .readOnly || session.allowsChanges { return try session.open.naming(body) }
        let told = try StoreEngine(ofFileAt: store)
        // The shell itself has the store, and will not give it up.
        let engine = try session == nil ? waiting.open(told, store) : told.open(store, createsStore: false)
        return try OpenStore.with(engine, named: store, access, session?.keys ?? keys, allowsPlain: allowsPlain, body)
    }
}

/// A store with what it lies on.
struct OpenStore {
    let store: ObjectStore
    /// What encrypts it; nil when it is in the clear.
    let encryption: EncryptedBackend?
    /// The key that opened it, and that which opened its encrypted properties: nobody is asked for them twice.
    let storeKey: StoreKey?
    let fieldKey: StoreKey?

    /// Calls `body` with the store in an engine, and closes both whatever happens.
    ///
    /// - Parameters:
    ///   - path: what the store is called.
    ///   - isNew: whether the store is made, with the keys that options have.
    ///   - allowsPlain: whether keys are passed over that the store does not need.
    static func with<Result>(
        _ engine: any StorageBackend, named path: String, _ access: StoreAccess, _ keys: KeyOptions, isNew: Bool = false, allowsPlain: Bool = false, _ body: (OpenStore) throws -> Result
    ) throws -> Result {
        var backend = engine
        let open: OpenStore
        do {
            let storeKey = try isNew ? keys.storeKey?.key(for: path, isNew: true) : keys.key(of: engine, named: path, allowsPlain: allowsPlain)
            if let storeKey {
                var options = EncryptedBackend.Options()
                options.createsStore = isNew
                backend = try EncryptedBackend(engine, key: storeKey, options: options)
            }
            let fieldKey = try keys.fieldKey(of: backend, named: path, isNew: isNew, allowsPlain: allowsPlain)
            // What another program left unbuilt is left so: the indexes are that program's.
            // One that is made is made safe at its end.
            let durability: Durability = isNew ? .relaxed : .durable
            let store = try ObjectStore(backend, access: access, durability: durability, fieldKeys: fieldKey.map { FieldKeys($0) }, indexing: .onRequest, models: [])
            open = OpenStore(store: store, encryption: backend as? EncryptedBackend, storeKey: storeKey, fieldKey: fieldKey)
        } catch {
            try backend.close()
            throw error
        }
        let result: Result
        do {
            result = try open.naming(body)
        } catch {
            try open.store.close()
            throw error
        }
        try open.store.close()
        return result
    }
}

/// The permission to change a store.
struct WriteFlag: ParsableArguments {
    @Flag(help: "Allow the command to change the store.")
    var write = false

    /// Whether this command, or the shell that it is given in, may change the store.
    var isGiven: Bool { write || ShellSession.current?.allowsChanges == true }

    /// Calls `body` with the store, open for writing, and closes it.
    ///
    /// - Throws: ``CommandError/needsWrite(command:)`` without permission.
    func change<Result>(_ argument: StoreArgument, command: String, _ body: (ObjectStore) throws -> Result) throws -> Result {
        try check(command)
        return try argument.change(body)
    }

    /// - Throws: ``CommandError/needsWrite(command:)`` without permission.
    func check(_ command: String) throws {
        guard isGiven else { throw CommandError.needsWrite(command: command) }
    }
}
