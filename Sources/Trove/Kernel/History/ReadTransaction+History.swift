extension ReadTransaction {
    /// About how many bytes of entries are read at once.
    private static let maxHistoryMemory = 16 << 20

    /// What the store keeps of its changes; nil when it keeps no history.
    public func historyPolicy() throws -> HistoryPolicy? { try indexTable.history }

    /// The next entries of the store's history, and the place behind the last that was looked at; see ``ObjectStore/history(after:of:limit:)``.
    public func history(
        after token: HistoryToken? = nil, of models: [any Model.Type]? = nil, limit: Int = 1_000
    ) throws -> (entries: [HistoryEntry], next: HistoryToken) {
        let names = try models.map { try Set($0.map { try core.binding(for: $0).schema.name }) }
        return try history(after: token, limit: limit) { model, _ in names?.contains(model) ?? true }
    }

    /// The entries of the store's history that changed one object, each with that change alone.
    ///
    /// - Throws: ``TroveError/historyNotKept``; ``TroveError/corruptHistory(entry:reason:)``.
    /// - Complexity: O(*n*) in the size of the history.
    public func history<Object: Model>(of type: Object.Type, id: Object.ID) throws -> [HistoryEntry] {
        let (name, key) = (Object.schema.name, id.keyBytes)
        return try history(after: nil, limit: .max, maxMemory: .max) { model, other in model == name && other.elementsEqual(key) }.entries
    }

    /// The place behind the last entry of the store's history: changes that come later are behind it.
    ///
    /// - Throws: ``TroveError/historyNotKept``.
    public func latestHistoryToken() throws -> HistoryToken {
        guard let keyspace = try historyKeyspace() else { return .start }
        let trimmed = try HistorySpace.trimmed(reader, keyspace)
        let number = try latestHistoryNumber(keyspace)
        if number == trimmed.number { return trimmed }
        return HistoryToken(number: number, stamp: try historyStamp(of: number, keyspace))
    }

    /// The next entries with changes that are wanted, by their models and the objects' keys, each with these alone.
    package func history(
        after token: HistoryToken?, limit: Int = 1_000, where isWanted: (_ modelName: String, _ key: UnsafeRawBufferPointer) -> Bool
    ) throws -> (entries: [HistoryEntry], next: HistoryToken) { try history(after: token, limit: limit, maxMemory: Self.maxHistoryMemory, where: isWanted) }

    /// The place before the last entries, as many as are left of so many.
    package func historyToken(beforeLast count: Int) throws -> HistoryToken {
        guard let keyspace = try historyKeyspace() else { return .start }
        let (trimmed, last) = (try HistorySpace.trimmed(reader, keyspace), try latestHistoryNumber(keyspace))
        let number = last > UInt64(count) ? last - UInt64(count) : 0
        return number > trimmed.number ? HistoryToken(number: number, stamp: try historyStamp(of: number, keyspace)) : trimmed
    }

    private func history(
        after token: HistoryToken?, limit: Int, maxMemory: Int, where isWanted: (_ modelName: String, _ key: UnsafeRawBufferPointer) -> Bool
    ) throws -> (entries: [HistoryEntry], next: HistoryToken) {
        guard let keyspace = try historyKeyspace() else {
            if let token, token != .start { throw TroveError.unknownHistoryToken(token.description) }
            return ([], .start)
        }
        let trimmed = try HistorySpace.trimmed(reader, keyspace)
        if let token { try checkHistory(token, keyspace) }
        var read = HistoryRun(after: token ?? trimmed)
        var watch = watch
        // What this transaction changes is an entry when it has ended.
        let open = openHistoryNumber
        try reader.scan(HistorySpace.entries(after: read.next.number), in: keyspace) { key, value in
            try watch.step()
            if let open, HistorySpace.parts(key)?.number == open { return .stop }
            return try read.add(key, value, limit: max(1, limit), maxMemory: maxMemory, where: isWanted) ? .next : .stop
        }
        try read.checkEnd()
        return (try read.entries.map { try entry($0) }, read.next)
    }

    private func entry(_ entry: HistoryRun.Entry) throws -> HistoryEntry {
        let changes = try entry.changes.map { change in
            let binding: ModelBinding? =
                if core.model(named: change.modelName) != nil { try core.binding(named: change.modelName) } else {
                    try indexTable.collection(named: change.modelName)
                }
            let key = RecordKey(change.key).bytes
            func image(_ record: [UInt8]?) throws -> RecordImage? { try record.flatMap { try recordImage($0.span.bytes, key: key.span.bytes, binding) } }
            return ObjectChange(
                kind: change.kind, reference: AnyReference(modelName: change.modelName, keyBytes: change.key), old: try image(change.old),
                new: try image(change.new), binding: binding)
        }
        return HistoryEntry(token: entry.token, date: entry.header.date, author: entry.header.author, changes: changes)
    }

    /// The keyspace of the entries; nil while there are none.
    ///
    /// - Throws: ``TroveError/historyNotKept``.
    func historyKeyspace() throws -> Keyspace? {
        let keyspace = try reader.keyspace(named: HistorySpace.keyspaceName)
        if keyspace == nil, try indexTable.history == nil { throw TroveError.historyNotKept }
        return keyspace
    }

    /// The number of the last entry; that of the last one trimmed when there is none.
    func latestHistoryNumber(_ keyspace: Keyspace) throws -> UInt64 {
        var number: UInt64 = 0
        if let key = try HistorySpace.lastKey(reader, keyspace) {
            guard let place = HistorySpace.parts(key.span.bytes) else { throw TroveError.corruptHistory(entry: 0, reason: "a key is none of an entry") }
            number = place.number == openHistoryNumber ? place.number - 1 : place.number
        }
        return try number > 0 ? number : HistorySpace.trimmed(reader, keyspace).number
    }

    /// How far each consumer has read.
    func historyPositions() throws -> [(name: String, token: HistoryToken)] {
        guard let keyspace = try reader.keyspace(named: HistorySpace.consumersName) else { return [] }
        var positions: [(String, HistoryToken)] = []
        try reader.scan(in: keyspace) { key, value in
            let key = [UInt8](copying: key)
            positions.append((String(decoding: key, as: UTF8.self), try HistorySpace.decode(value, key: key)))
            return .next
        }
        return positions
    }

    /// How far a consumer has read; nil when there is none of this name.
    func historyPosition(ofConsumer name: String) throws -> HistoryToken? {
        let key = Array(name.utf8)
        guard StorageLimits.isKeySize(key.count), let keyspace = try reader.keyspace(named: HistorySpace.consumersName) else { return nil }
        return try reader.withValue(of: key.span.bytes, in: keyspace) { try HistorySpace.decode($0, key: key) }
    }

    /// Throws when a place is none of the store, or what comes behind it is not all there.
    func checkHistory(_ token: HistoryToken, _ keyspace: Keyspace) throws {
        let trimmed = try HistorySpace.trimmed(reader, keyspace)
        if token == trimmed || token == .start && trimmed == .start { return }
        if token.number < trimmed.number { throw TroveError.historyTrimmed(token: token.description) }
        guard token.number > trimmed.number, token.number <= (try latestHistoryNumber(keyspace)), try historyStamp(of: token.number, keyspace) == token.stamp
        else { throw TroveError.unknownHistoryToken(token.description) }
    }

    func historyStamp(of number: UInt64, _ keyspace: Keyspace) throws -> UInt64 {
        let key = HistorySpace.key(number, 0)
        let stamp = try reader.withValue(of: key.span.bytes, in: keyspace) { try HistoryChunk.header($0, key: key, of: number).stamp }
        guard let stamp else { throw TroveError.corruptHistory(entry: number, reason: "it is missing") }
        return stamp
    }
}
