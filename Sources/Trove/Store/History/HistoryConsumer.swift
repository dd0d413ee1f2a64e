/// A reader of a store's history that keeps in the store, by a name, how far it has read.
///
/// ```swift
/// let index = try store.historyConsumer("search index")
/// while case let (entries, next) = try index.unread(), !entries.isEmpty {
///     try searchIndex.apply(entries)
///     try index.markRead(through: next)
/// }
/// ```
///
/// What it has not read stays in the history when that is trimmed, until it has, or is removed. It goes on after a restart of the program where it was;
/// who derives objects of the same store marks in the transaction that stores them, and so deals with each entry once.
public struct HistoryConsumer: Sendable {
    /// Its name in the store.
    public let name: String
    /// The store whose history it reads.
    public let store: ObjectStore

    /// How far it has read; nil when it was removed.
    public func position() throws -> HistoryToken? { try store.read { try $0.historyPosition(ofConsumer: name) } }

    /// How far it has read; nil when it was removed.
    public func position() async throws -> HistoryToken? { try await store.read { [name] in try $0.historyPosition(ofConsumer: name) } }

    /// The next entries that it has not read, and the place behind the last that was looked at; see ``ObjectStore/history(after:of:limit:)``.
    ///
    /// - Throws: ``TroveError/historyTrimmed(token:)`` when entries were removed that it has not read: read the objects anew, and mark
    ///   ``ObjectStore/latestHistoryToken()``; ``TroveError/noHistoryConsumer(name:)`` when it was removed.
    public func unread(
        of models: [any Model.Type]? = nil, limit: Int = 1_000
    ) throws -> (entries: [HistoryEntry], next: HistoryToken) { try store.read { try unread(of: models, limit: limit, in: $0) } }

    /// The next entries that it has not read, and the place behind the last that was looked at.
    public func unread(
        of models: [any Model.Type]? = nil, limit: Int = 1_000
    ) async throws -> (entries: [HistoryEntry], next: HistoryToken) { try await store.read { try unread(of: models, limit: limit, in: $0) } }

    /// The next entries that it has not read, in a transaction.
    public func unread(
        of models: [any Model.Type]? = nil, limit: Int = 1_000, in transaction: ReadTransaction
    ) throws -> (entries: [HistoryEntry], next: HistoryToken) {
        guard let position = try transaction.historyPosition(ofConsumer: name) else { throw TroveError.noHistoryConsumer(name: name) }
        return try transaction.history(after: position, of: models, limit: limit)
    }

    /// Notes that it has read up to a place; one before the present place lets it read again what is still there.
    ///
    /// - Throws: ``TroveError/historyTrimmed(token:)``, ``TroveError/unknownHistoryToken(_:)`` for a place that the history does not have;
    ///   ``TroveError/noHistoryConsumer(name:)`` when it was removed.
    public func markRead(through token: HistoryToken) throws { try store.write { try markRead(through: token, in: $0) } }

    /// Notes that it has read up to a place.
    public func markRead(through token: HistoryToken) async throws { try await store.write { try markRead(through: token, in: $0) } }

    /// Notes that it has read up to a place, if the transaction is committed.
    ///
    /// - Throws: as ``markRead(through:)``.
    public func markRead(through token: HistoryToken, in transaction: WriteTransaction) throws {
        guard try transaction.historyPosition(ofConsumer: name) != nil else { throw TroveError.noHistoryConsumer(name: name) }
        try transaction.setHistoryPosition(token, ofConsumer: name)
    }

    /// Removes it from the store: the history is kept for it no longer. Nothing is changed when it was removed already.
    public func remove() throws { try store.write { try $0.setHistoryPosition(nil, ofConsumer: name) } }

    /// Removes it from the store: the history is kept for it no longer.
    public func remove() async throws { try await store.write { [name] in try $0.setHistoryPosition(nil, ofConsumer: name) } }
}

extension ObjectStore {
    /// The consumer of the history with this name; a new one begins with the first entry that the store still has.
    ///
    /// - Parameter name: 1 to 511 bytes of UTF-8.
    /// - Throws: ``TroveError/historyNotKept``; ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)`` for the name.
    public func historyConsumer(_ name: String) throws -> HistoryConsumer {
        if try read({ try $0.historyPosition(ofConsumer: name) }) == nil { try write { try Self.addConsumer(name, $0) } }
        return HistoryConsumer(name: name, store: self)
    }

    /// The consumer of the history with this name; a new one begins with the first entry that the store still has.
    public func historyConsumer(_ name: String) async throws -> HistoryConsumer {
        if try await read({ try $0.historyPosition(ofConsumer: name) }) == nil { try await write { try Self.addConsumer(name, $0) } }
        return HistoryConsumer(name: name, store: self)
    }

    private static func addConsumer(_ name: String, _ transaction: WriteTransaction) throws {
        let keyspace = try transaction.historyKeyspace()
        guard try transaction.historyPosition(ofConsumer: name) == nil else { return }
        try transaction.setHistoryPosition(keyspace.map { try HistorySpace.trimmed(transaction.reader, $0) } ?? .start, ofConsumer: name)
    }

    /// The consumers of the history and how far each has read, in the order of their names' bytes: the first thing to look at when the history grows.
    public func historyConsumers() throws -> [(consumer: HistoryConsumer, position: HistoryToken)] {
        try read { try $0.historyPositions() }.map { (HistoryConsumer(name: $0.name, store: self), $0.token) }
    }

    /// The consumers of the history and how far each has read, in the order of their names' bytes.
    public func historyConsumers() async throws -> [(consumer: HistoryConsumer, position: HistoryToken)] {
        try await read { try $0.historyPositions() }.map { (HistoryConsumer(name: $0.name, store: self), $0.token) }
    }
}
