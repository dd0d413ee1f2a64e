import Trove
import TroveCrypto

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
        _ engine: any StorageBackend, named path: String, _ access: StoreAccess, _ keys: StoreKeys, isNew: Bool = false, allowsPlain: Bool = false,
        _ body: (OpenStore) throws -> Result
    ) throws -> Result {
        var backend = engine
        let open: OpenStore
        do {
            let storeKey = try isNew ? keys.store?.key(for: path, isNew: true) : keys.key(of: engine, named: path, allowsPlain: allowsPlain)
            if let storeKey {
                var options = EncryptedBackend.Options()
                options.createsStore = isNew
                backend = try EncryptedBackend(engine, key: storeKey, options: options)
            }
            let fieldKey = try keys.fieldKey(of: backend, named: path, isNew: isNew, allowsPlain: allowsPlain)
            // What another program left unbuilt is left so: the indexes are that program's.
            // One that is made is made safe at its end.
            let durability: Durability = isNew ? .relaxed : .durable
            let store = try ObjectStore(
                backend, access: access, durability: durability, fieldKeys: fieldKey.map { FieldKeys($0) }, indexing: .onRequest, models: [])
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
