/// The names that the application's keyspaces have in the engine.
enum ApplicationSpace {
    /// Begins as the names of Trove's own keyspaces do, which no model has; none of those goes on like this.
    private static let prefix = "$app/"

    private static let maxNameSize = StorageLimits.maxKeyspaceNameSize - prefix.utf8.count

    /// Whether an engine's keyspace is one of the application's.
    static func contains(_ storedName: String) -> Bool { storedName.utf8.starts(with: prefix.utf8) }

    /// The name that the application gave to a keyspace of the engine; nil when it is none of the application's.
    static func name(of storedName: String) -> String? {
        contains(storedName) ? String(decoding: storedName.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
    }

    /// - Throws: ``StorageError/invalidKeyspaceName(_:)``.
    static func storedName(of name: String, _ core: StoreCore) throws -> String {
        let size = name.utf8.count
        guard (1...maxNameSize).contains(size) else {
            let problem = size == 0 ? "a keyspace needs a name that is not empty" : "the keyspace's name '\(name.prefix(40))…' has \(size) bytes, but may have at most \(maxNameSize); shorten it"
            throw StorageError.invalidKeyspaceName(.init(engine: core.capabilities.engine, path: core.backend.path, message: problem))
        }
        return prefix + name
    }
}

extension ReadTransaction {
    /// A keyspace of the application's own, for reading; one that was never written to is empty.
    ///
    /// - Parameter name: 1 to 250 bytes of UTF-8.
    /// - Throws: ``StorageError/invalidKeyspaceName(_:)``.
    // A write transaction inherits it; there the one that writes is meant.
    @_disfavoredOverload
    public func keyspace(_ name: String) throws -> ApplicationKeyspace<ReadTransaction> {
        try ApplicationKeyspace(name, in: self)
    }

    /// The names of the application's keyspaces, ascending by their bytes.
    public func keyspaceNames() throws -> [String] {
        try reader.keyspaceNames().compactMap(ApplicationSpace.name(of:))
    }
}

extension WriteTransaction {
    /// One of the application's own keyspaces, for reading and writing.
    ///
    /// - Parameter name: 1 to 250 bytes of UTF-8.
    /// - Throws: ``StorageError/invalidKeyspaceName(_:)``.
    public func keyspace(_ name: String) throws -> ApplicationKeyspace<WriteTransaction> {
        try ApplicationKeyspace(name, in: self)
    }
}
