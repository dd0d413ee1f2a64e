/// What an upsert takes for the object that is to be replaced.
public enum UpsertMatch: Sendable, Hashable {
    /// The object with the same id.
    case id
    /// The object with the same id, or with the same values in a unique index. It keeps its id.
    case uniqueValues
}

/// Objects that are stored, or found, by their unique values.
extension WriteTransaction {
    /// Stores an object, replaces the one with its id or unique values, and returns the outcome. One that is stored just so is not written again.
    ///
    /// ```swift
    /// let outcome = try transaction.upsert(Song(isrc: "USSM15900113", title: "So What"), matching: .uniqueValues)
    /// ```
    ///
    /// The stored object keeps its id, and so all references to it; the id of the given one is not used then. ``upsertAndFetch(_:matching:)`` returns
    /// it. Nil is no unique value. Fields marked ``FieldOptions/writeOnce`` or ``FieldOptions/keepIfNil`` keep what the store has by their rules.
    ///
    /// - Throws: ``TroveError/ambiguousUpsert(model:id:match:otherID:otherMatch:)`` when two stored objects have values of it;
    ///   ``TroveError/uniqueViolation(model:index:values:id:otherID:)`` when the id is made of properties and would change, and where `match` is
    ///   ``UpsertMatch/id``; ``TroveError`` when a value cannot be stored. Then nothing is changed.
    /// - Complexity: O(log *n*) for each unique index more than an upsert by id. It is not specialised for the type, as one by id is.
    @discardableResult
    public func upsert<Object: Model>(_ object: Object, matching match: UpsertMatch) throws -> UpsertOutcome {
        var buffer = RecordBuffer()
        return try upsert(object, matching: match, openForSaving(Object.self), &buffer)
    }

    /// Stores objects, replaces those with their ids or unique values, and returns the outcome of each; see ``upsert(_:matching:)-(Object,_)``.
    ///
    /// They are stored one after the other, so the last of several with the same values wins. By ids they are one batch, in which two may exchange values; by
    /// unique values each is settled for itself, which takes longer.
    ///
    /// - Throws: as that. By ids, where they are one batch, the whole transaction can then only roll back, unless the call was made in a
    ///   ``savepoint(_:)``; by unique values the objects before stay stored.
    @discardableResult
    public func upsert<Object: Model>(_ objects: some Sequence<Object>, matching match: UpsertMatch = .id) throws -> [UpsertOutcome] {
        let model = try openForSaving(Object.self)
        var buffer = RecordBuffer()
        var outcomes: [UpsertOutcome] = []
        func upsertAll() throws {
            try announcing(objects, matching: match, model) { outcomes.append(try upsert($0, matching: match, model, &buffer)) }
        }
        // Who has which unique values is known object by object.
        if match == .id { try batch(upsertAll) } else { try upsertAll() }
        return outcomes
    }

    /// Stores an object, replaces the one with its id or unique values, and returns it as it is stored; see ``upsert(_:matching:)-(Object,_)``.
    ///
    /// - Throws: as that.
    public func upsertAndFetch<Object: Model>(_ object: Object, matching match: UpsertMatch = .id) throws -> Object {
        let model = try openForSaving(Object.self)
        var buffer = RecordBuffer()
        _ = try upsert(object, matching: match, model, &buffer)
        return try storedObject(under: buffer.key.bytes, model) ?? object
    }

    /// The stored object that has the id or unique values of the given one, as it is; the given one, now stored, when there is none.
    ///
    /// ```swift
    /// let artist = try transaction.fetchOrInsert(Artist(name: "Bill Evans"))
    /// ```
    ///
    /// - Throws: as ``upsert(_:matching:)-(Object,_)``.
    /// - Complexity: as of that.
    @discardableResult
    public func fetchOrInsert<Object: Model>(_ object: Object) throws -> Object {
        var buffer = RecordBuffer()
        return try fetchOrInsert(object, openForSaving(Object.self), &buffer)
    }

    /// For each of some objects the stored one that has its id or unique values, or itself, now stored; see ``fetchOrInsert(_:)-(Object)``.
    ///
    /// - Throws: as that. The objects before stay stored.
    @discardableResult
    public func fetchOrInsert<Object: Model>(_ objects: some Sequence<Object>) throws -> [Object] {
        let model = try openForSaving(Object.self)
        var buffer = RecordBuffer()
        var found: [Object] = []
        try announcing(objects, matching: .uniqueValues, model) { found.append(try fetchOrInsert($0, model, &buffer)) }
        return found
    }
}

extension WriteTransaction {
    private func upsert<Object: Model>(
        _ object: Object, matching match: UpsertMatch, _ model: OpenModel, _ buffer: inout RecordBuffer
    ) throws -> UpsertOutcome {
        try object._checkBeforeWriting()
        try encodeUnnoted(object, model, &buffer)
        var other = match == .uniqueValues ? try target(of: object, model, buffer) : nil
        if other?.key == buffer.key.bytes { other = nil }
        if let other {
            try become(other, object, model, &buffer)
        } else if needsStored(model, buffer) {
            try merge(object, model, &buffer)
        }
        // Under the id that it has from now on.
        if Object._isLive { try noteHeld(by: object, under: other?.key) }
        let outcome = try outcome(of: buffer, model)
        if outcome != .unchanged { try upsert(buffer, model) }
        return outcome
    }

    private func fetchOrInsert<Object: Model>(_ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws -> Object {
        try object._checkBeforeWriting()
        try encodeUnnoted(object, model, &buffer)
        if let target = try target(of: object, model, buffer), let stored: Object = try storedObject(under: target.key, model) { return stored }
        if Object._isLive { try noteHeld(by: object) }
        try dateInsertion(&buffer, model)
        if try !insert(buffer, model) { throw alreadyExists(object.id.shownInErrors, model) }
        return try storedObject(under: buffer.key.bytes, model) ?? object
    }

    private func storedObject<Object: Model>(under key: [UInt8], _ model: OpenModel) throws -> Object? {
        var found: Object?
        try key.withUnsafeBytes { try withRecord(of: model, $0) { found = try object(&$0) } }
        return found
    }

    /// Calls `body` with each object, after the engine was told the ids and unique values of so many as it fetches at once.
    private func announcing<Object: Model>(
        _ objects: some Sequence<Object>, matching match: UpsertMatch, _ model: OpenModel, _ body: (Object) throws -> Void
    ) throws {
        guard try announcesKeys else { return try objects.forEach(body) }
        let indexes = match == .uniqueValues ? try uniqueIndexes(of: model.binding) : []
        var buffer = RecordBuffer()
        try announcing(objects, model, also: { chunk in
            for index in indexes {
                var values: [UniqueValue] = []
                for object in chunk {
                    try encodeUnnoted(object, model, &buffer)
                    try offering(buffer) {
                        try buffer.withBytes { key, record in
                            try withRecordView(record, key: key, model) { values += try index.uniqueValues(of: $0) }
                        }
                    }
                }
                try announce(values, in: index)
            }
        }, body)
    }
}

/// A stored object that a given one is to become.
private struct UpsertTarget {
    /// The id's bytes.
    let key: [UInt8]
    /// The index that has found it; nil of the id.
    let index: IndexBinding?
    let recordKey: [UInt8]

    /// What it has of the given object, for messages.
    var match: String { index.map { "the unique index '\($0.schema.name)'" } ?? "the id" }
}

extension WriteTransaction {
    /// The stored object that has the id or unique values of the one whose record is in `buffer`; nil when there is none.
    private func target<Object: Model>(of object: Object, _ model: OpenModel, _ buffer: borrowing RecordBuffer) throws -> UpsertTarget? {
        var found: UpsertTarget?
        var owners: [UniqueOwner] = []
        let id = buffer.key.bytes
        try offering(buffer) {
            try buffer.withBytes { key, record in
                if try id.withUnsafeBytes({ try contains($0, of: model) }) { found = UpsertTarget(key: id, index: nil, recordKey: [UInt8](copying: key)) }
                // Lazy values may be among what it looks at.
                try withRecordView(record, key: key, model) { owners = try uniqueOwners(of: $0, model.binding) }
            }
        }
        for owner in owners {
            let key = try wholeKey(ofRecordUnder: owner.recordKey, foundBy: owner.index, model)
            let other = UpsertTarget(key: key, index: owner.index, recordKey: owner.recordKey)
            guard let first = found else {
                found = other
                continue
            }
            if first.key == key { continue }
            throw TroveError.ambiguousUpsert(
                model: Object.schema.name, id: try Object.ID(keyBytes: first.key).shownInErrors, match: first.match,
                otherID: try Object.ID(keyBytes: key).shownInErrors, otherMatch: other.match)
        }
        return found
    }

    /// Leaves in `buffer` the record that an object has when it takes the place of a stored one.
    private func become<Object: Model>(_ other: UpsertTarget, _ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        if let index = other.index, model.binding.naturalKey != nil {
            try offering(buffer) {
                try buffer.withBytes { key, record in
                    try withRecordView(record, key: key, model) {
                        throw try violation(UniqueConflict(binding: index, recordKey: [UInt8](copying: key), otherKey: other.recordKey), $0)
                    }
                }
            }
        }
        let own = buffer.recordKey.bytes
        buffer.key.storage = other.key
        try encodeFields(of: object, model, &buffer)
        if model.binding.mergesOnSave, let (stored, layout) = try recordAsWritten(under: other.recordKey, model) {
            var merged = try buffer.withBytes { key, record in try storedRecord(record, key: key) }
            let annexes = buffer.record.annexes
            try model.binding.keepStoredValues(of: stored, layout, in: &merged)
            try buffer.encode(merged, model.binding.layout)
            buffer.record.prefer(annexes)
        }
        if let index = other.index, model.binding.mayMakeIDs, try !keepsID(buffer, model) {
            throw try violation(UniqueConflict(binding: index, recordKey: own, otherKey: other.recordKey), nil)
        }
        try dateSave(&buffer, model, over: buffer.recordKey)
    }
}
