import ArgumentParser
import Trove

/// The store that a command is about.
struct StoreArgument: ParsableArguments {
    @Argument(help: "The store's file, of any engine.", completion: .file())
    var store: String

    /// Calls `body` with the store, open for reading only, and closes it.
    func read<Result>(_ body: (ObjectStore) throws -> Result) throws -> Result {
        try Self.read(store, body)
    }

    /// Calls `body` with the store at a path, open for reading only, and closes it.
    static func read<Result>(_ path: String, _ body: (ObjectStore) throws -> Result) throws -> Result {
        let backend = try StoreEngine(ofFileAt: path).open(path, createsStore: false)
        return try with(backend, .readOnly, .durable, body)
    }

    /// Calls `body` with the store on a backend, and closes both whatever happens.
    static func with<Result>(
        _ backend: any StorageBackend, _ access: StoreAccess, _ durability: Durability, _ body: (ObjectStore) throws -> Result
    ) throws -> Result {
        let store: ObjectStore
        do {
            // What another program left unbuilt is left so: the indexes are that program's.
            store = try ObjectStore(backend, access: access, durability: durability, indexing: .onRequest, models: [])
        } catch {
            try backend.close()
            throw error
        }
        let result: Result
        do {
            result = try body(store)
        } catch {
            try store.close()
            throw error
        }
        try store.close()
        return result
    }
}

/// The permission to change a store.
struct WriteFlag: ParsableArguments {
    @Flag(help: "Allow the command to change the store.")
    var write = false

    /// Calls `body` with the store, open for writing, and closes it.
    ///
    /// - Throws: ``CommandError/needsWrite(command:)`` without the flag.
    func change<Result>(_ path: String, command: String, _ body: (ObjectStore) throws -> Result) throws -> Result {
        guard write else { throw CommandError.needsWrite(command: command) }
        return try Self.change(path, body)
    }

    /// Calls `body` with the store, open for writing, and closes it; the caller has seen to the permission.
    static func change<Result>(_ path: String, _ body: (ObjectStore) throws -> Result) throws -> Result {
        let backend = try StoreEngine(ofFileAt: path).open(path, createsStore: false)
        return try StoreArgument.with(backend, .readWrite, .durable, body)
    }
}
