extension WriteTransaction {
    /// Stores an object and replaces one with the same id.
    ///
    /// Fields marked ``FieldOptions/writeOnce`` or ``FieldOptions/keepIfNil`` keep what the store has by their rules.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when a value cannot be stored;
    ///   ``TroveError/uniqueViolation(model:index:values:id:otherID:)``; what ``ValidatedModel/validate()`` and a ``StoreDelegate`` throw;
    ///   ``TroveError/contextMisuse(reason:)`` for a live object in a context. Then nothing is changed. The end of the transaction throws
    ///   ``TroveError/newObjectLeftOut(model:id:new:newID:)`` for a live object in no context that holds another one which was not saved.
    @inlinable
    public func save<Object: Model>(_ object: Object) throws {
        var buffer = RecordBuffer()
        try save(object, openForSaving(Object.self), &buffer)
    }

    /// Stores objects and replaces those with the same ids; the last of several with one id wins.
    ///
    /// - Throws: what the save of one throws. The whole transaction can then only roll back, unless the call was made in a ``savepoint(_:)``.
    @inlinable
    public func save<Object: Model>(_ objects: some Sequence<Object>) throws {
        try save(objects, openForSaving(Object.self))
    }

    @inlinable
    func save<Object: Model>(_ objects: some Sequence<Object>, _ model: OpenModel) throws {
        var buffer = RecordBuffer()
        try batch {
            guard try announcesKeys else {
                for object in objects { try save(object, model, &buffer) }
                return
            }
            try announcing(objects, model) { try save($0, model, &buffer) }
        }
    }

    /// Stores an object that must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)`` when there is one with its id; what a save throws. Then nothing is changed.
    @inlinable
    public func insert<Object: Model>(_ object: Object) throws {
        var buffer = RecordBuffer()
        try insert(object, openForSaving(Object.self), &buffer)
    }

    /// Stores objects that must be new.
    ///
    /// - Throws: what the insertion of one throws. The whole transaction can then only roll back, unless the call was made in a ``savepoint(_:)``.
    @inlinable
    public func insert<Object: Model>(_ objects: some Sequence<Object>) throws {
        try insert(objects, openForSaving(Object.self))
    }

    @inlinable
    func insert<Object: Model>(_ objects: some Sequence<Object>, _ model: OpenModel) throws {
        var buffer = RecordBuffer()
        try batch {
            guard try announcesKeys else {
                for object in objects { try insert(object, model, &buffer) }
                return
            }
            try announcing(objects, model) { try insert($0, model, &buffer) }
        }
    }

    /// Calls `body` with each object, after the engine was told the keys of so many as it fetches at once.
    ///
    /// - Parameter more: announces what else is about to be read of these objects.
    @inlinable
    func announcing<Object: Model>(
        _ objects: some Sequence<Object>, _ model: OpenModel, also more: ([Object]) throws -> Void = { _ in }, _ body: (Object) throws -> Void
    ) throws {
        var chunk: [Object] = []
        func finish() throws {
            try announce(chunk.map(\.id.keyBytes), model)
            try more(chunk)
            for object in chunk { try body(object) }
            chunk.removeAll(keepingCapacity: true)
        }
        for object in objects {
            chunk.append(object)
            if chunk.count == Self.announcedAtOnce { try finish() }
        }
        try finish()
    }

    @inlinable
    func save<Object: Model>(_ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        try encode(object, model, &buffer)
        if needsStored(model, buffer) { try merge(object, model, &buffer) }
        try upsert(buffer, model)
    }

    @inlinable
    func insert<Object: Model>(_ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        try encode(object, model, &buffer)
        try dateInsertion(&buffer, model)
        if try !insert(buffer, model) { throw alreadyExists(object.id.shownInErrors, model) }
    }

    /// Leaves the object's key and record in `buffer`.
    @inlinable
    func encode<Object: Model>(_ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        try object._checkBeforeWriting()
        if Object._isLive { try noteHeld(by: object) }
        try encodeUnnoted(object, model, &buffer)
    }

    /// Leaves in `buffer` the key and record of an object that may not be stored, so that what it holds does not count yet.
    @inlinable
    func encodeUnnoted<Object: Model>(_ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        buffer.key.removeAll()
        object.id.encode(into: &buffer.key)
        try encodeFields(of: object, model, &buffer)
    }

    /// Leaves the object's record in `buffer`, which has the key.
    @inlinable
    func encodeFields<Object: Model>(of object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        do {
            begin(model, &buffer, isWide: false)
            try object.encode(into: &buffer.record)
            if try buffer.finish() { return }
            begin(model, &buffer, isWide: true)
            try object.encode(into: &buffer.record)
            _ = try buffer.finish()
        } catch let fault as DecodingFault {
            throw encodingError(fault, buffer, model)
        }
    }
}

/// What does not depend on the model's type.
extension WriteTransaction {
    @usableFromInline static var announcedAtOnce: Int { prefetchSize }

    /// Whether the engine wants to know the keys that will be needed.
    @usableFromInline var announcesKeys: Bool {
        get throws { try writer.prefetches }
    }

    /// Tells the engine the ids of objects that are about to be stored.
    @usableFromInline func announce(_ ids: [[UInt8]], _ model: OpenModel) throws {
        guard let keyspace = model.keyspace, !ids.isEmpty else { return }
        try writer.prefetch(ids.map { RecordKey($0).bytes }, in: keyspace)
    }

    @usableFromInline func begin(_ model: OpenModel, _ buffer: inout RecordBuffer, isWide: Bool) {
        buffer.begin(model.binding.layout, isWide: isWide)
    }

    @usableFromInline func upsert(_ buffer: borrowing RecordBuffer, _ model: OpenModel) throws {
        try offering(buffer) { try buffer.withBytes { key, record in try upsert(key, record, model) } }
    }

    /// Replaces the record that is there with the one in a buffer.
    func update(_ buffer: borrowing RecordBuffer, _ model: OpenModel) throws {
        try offering(buffer) { try buffer.withBytes { key, record in try update(key, record, model) } }
    }

    @usableFromInline func insert(_ buffer: borrowing RecordBuffer, _ model: OpenModel) throws -> Bool {
        try offering(buffer) { try buffer.withBytes { key, record in try insert(key, record, model) } }
    }

    @usableFromInline func needsStored(_ model: OpenModel, _ buffer: borrowing RecordBuffer) -> Bool {
        model.binding.mergesOnSave || buffer.hasLongKey || model.binding.hasSavedDates
    }

    @usableFromInline func alreadyExists(_ id: String, _ model: OpenModel) -> TroveError {
        .alreadyExists(model: model.binding.schema.name, id: id)
    }

    @usableFromInline func encodingError(_ fault: DecodingFault, _ buffer: borrowing RecordBuffer, _ model: OpenModel) -> any Error {
        buffer.record.error(for: fault)
    }
}

/// The outcome of an upsert; see ``WriteTransaction/upsert(_:)-(Object)``.
public enum UpsertOutcome: Sendable, Hashable {
    /// The store had no object with the id.
    case inserted
    /// The stored object was replaced; the same one too, where a property of it is encrypted now and was not.
    case updated
    /// The stored object was the same, and nothing was written.
    case unchanged
}

extension WriteTransaction {
    /// Stores an object, replaces one with the same id, and returns the outcome. One that is stored just so is not written again.
    ///
    /// ```swift
    /// let outcome = try transaction.upsert(song)
    /// counts[outcome, default: 0] += 1
    /// ```
    ///
    /// - Throws: what ``save(_:)-(Object)`` throws; then nothing is changed.
    @inlinable
    @discardableResult
    public func upsert<Object: Model>(_ object: Object) throws -> UpsertOutcome {
        let model = try openForSaving(Object.self)
        var buffer = RecordBuffer()
        try encode(object, model, &buffer)
        if needsStored(model, buffer) { try merge(object, model, &buffer) }
        let outcome = try outcome(of: buffer, model)
        if outcome != .unchanged { try upsert(buffer, model) }
        return outcome
    }

    /// What storing a record would do.
    @usableFromInline func outcome(of buffer: borrowing RecordBuffer, _ model: OpenModel) throws -> UpsertOutcome {
        guard let keyspace = model.keyspace else { return .inserted }
        var outcome = UpsertOutcome.inserted
        try buffer.withBytes { key, record in
            _ = try reader.get(key, in: keyspace) { stored in
                outcome = [UInt8](copying: stored) == [UInt8](copying: record) ? .unchanged : .updated
            }
            // What is the same may have been stored before a property was encrypted.
            if outcome == .unchanged, let sealing = try writer as? SealingWriter, try sealing.isInTheClear(key, record, in: keyspace) { outcome = .updated }
        }
        return outcome
    }
}
