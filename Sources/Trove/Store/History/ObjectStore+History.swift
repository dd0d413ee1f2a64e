import Foundation

/// The store's history: what each transaction changed, kept in the store in the order of the commits.
extension ObjectStore {
    /// Keeps what is changed in the store's history from now on.
    ///
    /// ```swift
    /// let store = try ObjectStore(SQLiteBackend(path: "music.db"), models: Song.self)
    /// try store.keepHistory(.values)
    /// ```
    ///
    /// Call it each time the store was opened: with the policy that the store has it only reads. With another one, what was kept so far stays as it is. The
    /// policy is the store's: each program that changes objects keeps to it, and each change is in the history when it is in the store, and only then.
    ///
    /// Not in it are blobs, metadata, the application's own keyspaces, and the rewriting of records by ``upgrade(_:batchSize:progress:)``, or by an index that
    /// needs the values of computed defaults.
    /// `docs/history.md` tells what it costs.
    ///
    /// - Throws: ``StorageError`` of the engine.
    public func keepHistory(_ policy: HistoryPolicy) throws {
        if try historyPolicy() != policy { try write { try $0.setHistoryPolicy(policy) } }
    }

    /// Keeps what is changed in the store's history from now on.
    public func keepHistory(_ policy: HistoryPolicy) async throws { try await maintenanceQueue.run { try self.keepHistory(policy) } }

    /// Deletes the history and its consumers, and keeps none from now on. Tokens of it are those of no later one.
    ///
    /// **All entries go**, also those that a consumer has not read.
    ///
    /// - Throws: ``StorageError`` of the engine.
    public func deleteHistory() throws {
        if try historyPolicy() != nil { try write { try $0.setHistoryPolicy(nil) } }
    }

    /// Deletes the history and its consumers, and keeps none from now on.
    public func deleteHistory() async throws { try await maintenanceQueue.run { try self.deleteHistory() } }

    /// What the store keeps of its changes; nil when it keeps no history.
    public func historyPolicy() throws -> HistoryPolicy? { try read { try $0.historyPolicy() } }

    /// What the store keeps of its changes; nil when it keeps no history.
    public func historyPolicy() async throws -> HistoryPolicy? { try await read { try $0.historyPolicy() } }

    /// The next entries of the history, in the order of the commits, and the place behind the last that was looked at.
    ///
    /// ```swift
    /// var token = try readToken()                                    // nil the first time
    /// while case let (entries, next) = try store.history(after: token), !entries.isEmpty {
    ///     for entry in entries { print(entry.date, entry.author ?? "", entry.changes.map(\.reference)) }
    ///     token = next
    /// }
    /// ```
    ///
    /// There are no entries only at the end of the history. A ``historyConsumer(_:)`` keeps its place in the store.
    ///
    /// - Parameters:
    ///   - token: the place where to go on; nil for the first entry that the store still has.
    ///   - models: those whose changes are given; nil for all. Entries without changes of them are left out.
    ///   - limit: the most entries, 1 or more. There are fewer when they take much memory, 16 MiB or so; an entry is always given whole.
    /// - Throws: ``TroveError/unknownModel(_:)`` for a model that was not named when the store was opened; ``TroveError/historyNotKept``;
    ///   ``TroveError/historyTrimmed(token:)`` when entries behind the token were removed;
    ///   ``TroveError/unknownHistoryToken(_:)``; ``TroveError/corruptHistory(entry:reason:)``.
    /// - Complexity: O(*n*) in the size of the entries that are looked at.
    public func history(
        after token: HistoryToken? = nil, of models: [any Model.Type]? = nil, limit: Int = 1_000
    ) throws -> (entries: [HistoryEntry], next: HistoryToken) { try read { try $0.history(after: token, of: models, limit: limit) } }

    /// The next entries of the history, in the order of the commits, and the place behind the last that was looked at.
    public func history(
        after token: HistoryToken? = nil, of models: [any Model.Type]? = nil, limit: Int = 1_000
    ) async throws -> (entries: [HistoryEntry], next: HistoryToken) { try await read { try $0.history(after: token, of: models, limit: limit) } }

    /// The entries of the history that changed one object, each with that change alone: what became of it since the history begins.
    ///
    /// ```swift
    /// for entry in try store.history(of: Song.self, id: song.id) {
    ///     print(entry.date, entry.author ?? "somebody", try entry.changes[0].old(Song.self)?.title ?? "")
    /// }
    /// ```
    ///
    /// - Throws: ``TroveError/historyNotKept``; ``TroveError/corruptHistory(entry:reason:)``.
    /// - Complexity: O(*n*) in the size of the history, which is read as a whole.
    public func history<Object: Model>(of type: Object.Type, id: Object.ID) throws -> [HistoryEntry] { try read { try $0.history(of: type, id: id) } }

    /// The entries of the history that changed one object, each with that change alone.
    public func history<Object: Model>(of type: Object.Type, id: Object.ID) async throws -> [HistoryEntry] {
        try await read { try $0.history(of: type, id: id) }
    }

    /// The place behind the last entry of the history: what is changed later is behind it.
    ///
    /// Ask for it in the transaction that reads the objects, so that no change falls between the two:
    ///
    /// ```swift
    /// let (songs, token) = try store.read { (try $0.fetch(Song.self).all(), try $0.latestHistoryToken()) }
    /// ```
    ///
    /// - Throws: ``TroveError/historyNotKept``.
    public func latestHistoryToken() throws -> HistoryToken { try read { try $0.latestHistoryToken() } }

    /// The place behind the last entry of the history.
    public func latestHistoryToken() async throws -> HistoryToken { try await read { try $0.latestHistoryToken() } }

    /// Removes the oldest entries of the history, up to a place; returns how many were removed, 0 when they are gone already.
    ///
    /// - Parameters:
    ///   - token: the place behind the last entry that is removed.
    ///   - includingUnread: whether entries are removed too that a consumer has not read; it then finds ``TroveError/historyTrimmed(token:)``.
    /// - Throws: ``TroveError/historyNotKept``; ``TroveError/unknownHistoryToken(_:)``; ``TroveError/corruptHistory(entry:reason:)``.
    @discardableResult
    public func trimHistory(through token: HistoryToken, includingUnread: Bool = false) throws -> Int { try trim(token, nil, includingUnread) }

    /// Removes the oldest entries of the history, up to a place; returns how many were removed.
    @discardableResult
    public func trimHistory(through token: HistoryToken, includingUnread: Bool = false) async throws -> Int {
        try await maintenanceQueue.run { try self.trim(token, nil, includingUnread) }
    }

    /// Removes the oldest entries of the history, up to the first that is not older than a date; returns how many were removed.
    ///
    /// - Parameter includingUnread: whether entries are removed too that a consumer has not read; it then finds ``TroveError/historyTrimmed(token:)``.
    /// - Throws: ``TroveError/historyNotKept``; ``TroveError/corruptHistory(entry:reason:)``.
    @discardableResult
    public func trimHistory(before date: Date, includingUnread: Bool = false) throws -> Int { try trim(nil, date, includingUnread) }

    /// Removes the oldest entries of the history, up to the first that is not older than a date; returns how many were removed.
    @discardableResult
    public func trimHistory(before date: Date, includingUnread: Bool = false) async throws -> Int {
        try await maintenanceQueue.run { try self.trim(nil, date, includingUnread) }
    }

    private func trim(_ token: HistoryToken?, _ date: Date?, _ includingUnread: Bool) throws -> Int {
        try write { transaction in
            _ = try transaction.historyKeyspace()
            return try transaction.trimHistory(through: token, before: date, includingUnread: includingUnread)
        }
    }

    /// Leaves in the history only which objects were changed of the models with encrypted properties, so that no values of theirs are kept in the clear.
    package func removeHistoryValuesOfEncryptedModels() throws {
        let declared = core.modelBindings.filter { $0.schema.fields.contains(where: \.isEncrypted) }.map(\.schema.name)
        let stored = try read { try Catalogue.entries($0.reader) }.filter { !$0.encryptedFields.isEmpty }.map(\.layout.modelName)
        let names = Set(declared + stored)
        var place: [UInt8]?
        repeat { place = try write { try $0.removeHistoryValues(of: names, after: place) } } while place != nil
    }
}
