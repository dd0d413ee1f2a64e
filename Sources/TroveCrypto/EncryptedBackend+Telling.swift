@_spi(FieldSealing) import Trove
import TroveStorage

extension EncryptedBackend {
    /// Whether the store in an engine is encrypted, which nobody needs a key to see.
    ///
    /// ```swift
    /// let engine = try LMDBBackend(path: path)
    /// let backend: any StorageBackend = try EncryptedBackend.isEncrypted(engine) ? EncryptedBackend(engine, key: key) : engine
    /// ```
    ///
    /// An empty engine has no store, and so no encrypted one.
    public static func isEncrypted(_ backend: any StorageBackend) throws -> Bool {
        try backend.read { try $0.keyspace(named: StoreLayout.keyspace) != nil }
    }
}

extension FieldKeys {
    /// Whether the store in an engine has a record of keys of encrypted properties, which nobody needs a key to see.
    ///
    /// A store that has none is given one by the first program that opens it for writing with `fieldKeys:`.
    ///
    /// - Parameter backend: of an encrypted store, the ``EncryptedBackend``.
    public static func areUsed(in backend: any StorageBackend) throws -> Bool { try backend.fieldKeyRecord() != nil }
}
