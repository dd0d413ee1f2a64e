/// An ordered map from bytes to bytes that belongs to the application, in the same transactions as its objects.
///
/// ```swift
/// try store.write { transaction in
///     let sessions = try transaction.keyspace("sessions")
///     try sessions.put(Array("ann/1".utf8), token)
///     try transaction.save(user)                          // both, or neither
/// }
/// try store.read { try $0.keyspace("sessions").entries(.prefix(Array("ann/".utf8))) }
/// ```
///
/// Keys compare as unsigned bytes. They have 1 to ``StorageLimits/maxKeySize`` bytes, values up to ``StorageCapabilities/maxValueSize``. Names are
/// told apart from those of models and of Trove's own keyspaces, so no name collides. It is there from its first entry until ``drop()``.
///
/// Trove does not look into the entries: they have no checksum but the engine's, observers and the store's delegate are not told of them, and JSON exports
/// leave them out. Copies and backups have them. After the transaction every method throws ``TroveError/transactionFinished``.
public struct ApplicationKeyspace<Transaction: ReadTransaction> {
    /// The name that the application gave it.
    public let name: String

    let transaction: Transaction

    /// Its name in the engine.
    let storedName: String

    /// - Throws: ``StorageError/invalidKeyspaceName(_:)``; ``TroveError/transactionFinished``.
    init(_ name: String, in transaction: Transaction) throws {
        _ = try transaction.reader
        self.name = name
        self.transaction = transaction
        storedName = try ApplicationSpace.storedName(of: name, transaction.core)
    }

    /// The engine's handle, nil before the first entry. Asked for each time, since a savepoint that is undone takes the keyspaces made in it away.
    private var stored: Keyspace? {
        get throws { try transaction.reader.keyspace(named: storedName) }
    }

    /// A copy of the value of `key`; nil when there is none.
    public func value(of key: [UInt8]) throws -> [UInt8]? {
        try withValue(of: key) { [UInt8](copying: $0) }
    }

    /// The result of `body` for the value of `key`, which is valid inside `body` only; nil when there is no value, as of a key that none can have.
    public func withValue<Result>(of key: [UInt8], _ body: (RawSpan) throws -> Result) throws -> Result? {
        guard let stored = try stored, StorageLimits.isKeySize(key.count) else { return nil }
        return try transaction.reader.withValue(of: key, in: stored, body)
    }

    /// Whether there is an entry with this key.
    public func contains(_ key: [UInt8]) throws -> Bool {
        guard let stored = try stored, StorageLimits.isKeySize(key.count) else { return false }
        return try transaction.reader.contains(key, in: stored)
    }

    /// Calls `body` with each entry of `range` in the order of the keys, until it returns ``ScanStep/stop``.
    ///
    /// The bytes are valid inside `body`, in a write until its first change. In a write it may change the keyspace: the scan goes on behind the current key.
    public func scan(
        _ range: KeyRange = .all, order: ScanOrder = .ascending, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        guard let stored = try stored else { return }
        try transaction.reader.scan(range, in: stored, order: order, body)
    }

    /// Copies of the entries of `range` in the order of the keys: the first `limit`, or all.
    public func entries(
        _ range: KeyRange = .all, order: ScanOrder = .ascending, limit: Int? = nil
    ) throws -> [(key: [UInt8], value: [UInt8])] {
        guard let stored = try stored, limit.map({ $0 > 0 }) ?? true else { return [] }
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try transaction.reader.scan(range, in: stored, order: order, expecting: limit) { key, value in
            entries.append(([UInt8](copying: key), [UInt8](copying: value)))
            return entries.count == limit ? .stop : .next
        }
        return entries
    }

    /// The number of entries in `range`.
    ///
    /// - Complexity: O(*n*) for *n* entries in the range; less for all where ``StorageCapabilities/countsInConstantTime`` is true.
    public func count(_ range: KeyRange = .all) throws -> Int {
        guard let stored = try stored else { return 0 }
        return try transaction.reader.count(of: range, in: stored)
    }
}

extension ApplicationKeyspace where Transaction == WriteTransaction {
    /// Stores `value` under `key` and replaces the entry there.
    ///
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``, ``StorageError/valueTooLarge(_:)``, ``StorageError/tooManyKeyspaces(_:)``.
    public func put(_ key: [UInt8], _ value: [UInt8]) throws {
        try transaction.writer.put(key, value, in: keyspace(for: key, value))
    }

    /// Stores `value` under `key` unless the key exists; returns whether it was stored.
    ///
    /// - Throws: what ``put(_:_:)`` throws.
    public func insert(_ key: [UInt8], _ value: [UInt8]) throws -> Bool {
        try transaction.writer.insert(key, value, in: keyspace(for: key, value))
    }

    /// The keyspace that an entry goes into. It is not made for an entry that no engine takes.
    private func keyspace(for key: [UInt8], _ value: [UInt8]) throws -> Keyspace {
        if let stored = try stored { return stored }
        let core = transaction.core
        func details(_ message: String) -> StorageError.Details { .init(engine: core.capabilities.engine, path: core.backend.path, message: message) }
        if key.isEmpty { throw StorageError.emptyKey(details("a key has at least one byte")) }
        guard key.count <= StorageLimits.maxKeySize else {
            throw StorageError.keyTooLarge(details("a key has at most \(StorageLimits.maxKeySize) bytes, this one has \(key.count)"))
        }
        guard value.count <= core.capabilities.maxValueSize else {
            throw StorageError.valueTooLarge(
                details("a value has at most \(core.capabilities.maxValueSize) bytes, this one has \(value.count); divide it among several keys"))
        }
        return try transaction.writer.createKeyspace(named: storedName)
    }

    /// Removes the entry with this key; returns whether there was one.
    @discardableResult
    public func remove(_ key: [UInt8]) throws -> Bool {
        let writer = try transaction.writer
        guard let stored = try writer.keyspace(named: storedName), StorageLimits.isKeySize(key.count) else { return false }
        return try writer.delete(key, in: stored)
    }

    /// Removes the entries of `range`; returns how many there were.
    @discardableResult
    public func removeAll(_ range: KeyRange = .all) throws -> Int {
        let writer = try transaction.writer
        guard let stored = try writer.keyspace(named: storedName) else { return 0 }
        return try writer.deleteRange(range, in: stored)
    }

    /// Removes the keyspace with all its entries; the next ``put(_:_:)`` creates it again.
    public func drop() throws {
        let writer = try transaction.writer
        guard let stored = try writer.keyspace(named: storedName) else { return }
        try writer.dropKeyspace(stored)
    }
}

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
            let problem =
                size == 0
                ? "a keyspace needs a name that is not empty"
                : "the keyspace's name '\(name.prefix(40))…' has \(size) bytes, but may have at most \(maxNameSize); shorten it"
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
