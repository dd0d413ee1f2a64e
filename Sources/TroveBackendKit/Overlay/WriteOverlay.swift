import TroveStorage

/// The changes of a write transaction, kept in memory over a remote store until they are sent.
///
/// A remote engine's writer hands its calls to an overlay once it has checked their arguments (``TransactionState``). Puts and removals cost
/// no round trip; reads see them merged with what the store answers, in scans and cursors that were open before them too; savepoints are
/// layers in memory, of which the server need not hear; and before the commit ``send(maxCount:maxSize:_:)`` gives the net changes in key order.
///
/// ```swift
/// func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
///     try state.check(keyspace)
///     try state.checkKey(key)
///     try state.checkValue(value)
///     overlay.put(key, value, in: keyspace)
///     if overlay.size > 64 << 20 { try overlay.send { try connection.store($1, in: $0) } }
/// }
/// ```
///
/// The base is a reader of the store as it is in the transaction, whose changes it sees once they were sent. Handles on the same keyspace
/// have to be equal: give out one for each name. Used by one thread at a time, as transactions are.
public final class WriteOverlay {
    let base: any StorageReader
    let check: (Keyspace) throws -> Void
    let goneKeyspace: () -> StorageError
    let announced: AnnouncedKeys

    var changes: [Keyspace: OrderedChanges] = [:]
    /// How often the store was sent changes: pages read before are out of date.
    private(set) var sendings = 0
    private var depth = 0
    private var cursors = CursorNumbers()

    /// - Parameters:
    ///   - base: reads the store in the transaction.
    ///   - announced: what fetches keys that were announced; nil for one that asks `base`.
    ///   - check: throws when the transaction has ended or failed, or the keyspace is not there any more. It is called between the entries of
    ///     scans and by cursors.
    ///   - goneKeyspace: the error of a cursor that was made in a savepoint that was undone, as ``TransactionState/goneKeyspace``.
    public init(
        over base: any StorageReader, announced: AnnouncedKeys? = nil, check: @escaping (Keyspace) throws -> Void,
        goneKeyspace: @escaping () -> StorageError
    ) {
        self.base = base
        self.goneKeyspace = goneKeyspace
        self.announced = announced ?? AnnouncedKeys(reader: base)
        self.check = check
    }

    /// The bytes of the keys and values that wait to be sent.
    public var size: Int { changes.values.reduce(0) { $0 + $1.size } }

    // MARK: Sending

    /// Passes all changes to `send`, by keyspace and in key order, and forgets them; the store has them from then on.
    ///
    /// Inside a savepoint nothing is sent, as the server knows nothing of it.
    ///
    /// - Parameters:
    ///   - maxCount: the most changes of a batch.
    ///   - maxSize: the bytes of keys and values after which a batch ends.
    /// - Throws: what `send` throws; the transaction can then only roll back.
    public func send(
        maxCount: Int = 4_096, maxSize: Int = 1 << 20, _ send: (_ keyspace: Keyspace, _ changes: [EntryChange]) throws -> Void
    ) throws {
        if depth > 0 { return }
        for (keyspace, changes) in changes.sorted(by: { $0.key.number < $1.key.number }) where !changes.isEmpty {
            var batch: [EntryChange] = []
            var size = 0
            func end() throws {
                if batch.isEmpty { return }
                try send(keyspace, batch)
                announced.forget(batch.lazy.map(\.key), in: keyspace)
                batch.removeAll(keepingCapacity: true)
                size = 0
            }
            try changes.forEach { change in
                batch.append(EntryChange(key: change.key, value: change.value))
                size += change.size
                if batch.count >= maxCount || size >= maxSize { try end() }
            }
            try end()
        }
        if changes.isEmpty { return }
        changes = [:]
        sendings += 1
    }

    /// Removes the entries of a range by a call of the store, which can do that itself; returns how many there were. To count them, asks the
    /// store of changed keys in the range that it does not know of.
    ///
    /// Changes elsewhere are not sent for it. Inside a savepoint it is ``deleteRange(_:in:)``, as the server knows nothing of that.
    ///
    /// - Parameter delete: removes the range's entries in the store, and returns how many that has had.
    /// - Throws: what `delete` throws; the transaction can then only roll back.
    public func deleteRangeInBase(_ range: KeyRange, in keyspace: Keyspace, _ delete: (KeyRange) throws -> Int) throws -> Int {
        if range.isEmpty { return 0 }
        if depth > 0 { return try deleteRange(range, in: keyspace) }
        try learnPresence(range, in: keyspace)
        var changed: [OrderedChanges.Change] = []
        changes[keyspace]?.forEach(in: range) { changed.append($0) }
        var count = try delete(range)
        for change in changed {
            if change.value != nil, change.inBase == .absent { count += 1 }
            if change.value == nil, change.inBase == .present { count -= 1 }
            changes[keyspace]?.remove(change.key)
        }
        announced.forget(range, in: keyspace)
        sendings += 1
        return count
    }

    /// Forgets the changes of a keyspace, which was dropped.
    public func forget(_ keyspace: Keyspace) {
        changes[keyspace] = nil
        announced.forget(keyspace)
    }

    // MARK: Savepoints

    /// Runs `body`; when it throws, undoes its changes here and throws the same error. Cursors made in it are of no use then.
    public func savepoint(_ body: () throws -> Void) throws {
        let before = (changes: changes, announced: announced.announced, cursor: cursors.last)
        depth += 1
        defer { depth -= 1 }
        do {
            try body()
        } catch {
            changes = before.changes
            announced.forgetAnnounced(but: before.announced)
            cursors.undo(after: before.cursor)
            throw error
        }
    }

    func registerCursor() -> Int { cursors.register() }

    func isUndone(_ cursor: Int) -> Bool { cursors.isUndone(cursor) }
}
