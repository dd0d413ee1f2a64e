extension WriteTransaction {
    /// Deletes an object; returns whether it was stored.
    ///
    /// The rules of relationships may delete and change other objects; see ``DeleteRule`` and ``TargetDeleteRule``.
    ///
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)`` when such a rule denies it; what a ``CustomDeleteRule`` and a ``StoreDelegate`` throw;
    ///   ``TroveError/needsModel(_:reason:)`` when only a program with another model can tell what is deleted too; ``TroveError/contextMisuse(reason:)`` for a
    ///   live object in a context, which deletes it by ``ObjectContext/delete(_:)``. Then nothing is changed.
    @discardableResult
    public func delete<Object: Model>(_ object: Object) throws -> Bool {
        try object._checkBeforeDeleting()
        return try delete(Object.self, id: object.id)
    }

    /// Deletes the object with this id; returns whether it was stored.
    ///
    /// - Throws: what ``delete(_:)`` throws; then nothing is changed.
    @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Bool {
        _ = try writer
        return try delete(RecordKey(id.keyBytes), of: open(type))
    }

    /// Removes the record with this key; returns whether there was one.
    func delete(_ key: RecordKey, of model: OpenModel) throws -> Bool {
        _ = try writer
        guard model.keyspace != nil else { return false }
        // A shortened key may be another id's.
        if try !mayDelete(key, of: model) { return false }
        if try relationshipsConcernDeletion(of: model.binding.schema.name) { return try deleteTogether(model.binding.schema.name, key) }
        return try remove(key.bytes.span.bytes, model)
    }

    /// Whether the record under a key, which may be shortened, is that of the id, or too damaged to tell whose it is: then it may be deleted as this one.
    private func mayDelete(_ key: RecordKey, of model: OpenModel) throws -> Bool {
        guard let whole = key.long else { return true }
        do {
            return try whole.withUnsafeBytes { try contains($0, of: model) }
        } catch TroveError.corruptRecord {
            return true
        }
    }

    /// Deletes the objects with these ids; returns how many were stored.
    ///
    /// The rules of relationships judge them together: what denies the deletion of one may be among them.
    ///
    /// - Throws: what ``delete(_:)`` throws; then nothing is changed.
    @inlinable @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> Int {
        try delete(RecordKeys(ids), of: open(type))
    }

    /// Removes the records of these ids; returns how many there were.
    @usableFromInline func delete(_ ids: RecordKeys, of model: OpenModel) throws -> Int {
        if try relationshipsConcernDeletion(of: model.binding.schema.name) {
            var keys = KeyList()
            try ids.forEach { key, shortened in
                if try shortened.map({ try mayDelete($0, of: model) }) ?? true { keys.append(key) }
            }
            return try deleteTogether([(model.binding.schema.name, keys)])
        }
        _ = try writer
        guard model.keyspace != nil else { return 0 }
        var count = 0
        try batch {
            try ids.forEach { key, shortened in
                if let shortened, try !mayDelete(shortened, of: model) { return }
                if try remove(key, model) { count += 1 }
            }
        }
        return count
    }

    /// Deletes all objects of a type; returns how many there were.
    ///
    /// - Throws: what ``delete(_:)`` throws; then nothing is changed.
    @discardableResult
    public func deleteAll<Object: Model>(_ type: Object.Type) throws -> Int {
        try deleteAll(of: open(type))
    }

    /// Removes all records of a model; returns how many there were.
    func deleteAll(of model: OpenModel) throws -> Int {
        let writer = try writer
        guard let keyspace = model.keyspace else { return 0 }
        if try !relationshipsAllowRemovalOfAll(model.binding.schema.name) {
            var keys = KeyList()
            try reader.scan(in: keyspace) { key, _ in
                keys.append(key)
                return .next
            }
            return try deleteTogether([(model.binding.schema.name, keys)])
        }
        if let pipeline = model.pipeline { return try pipeline.deleteAll(in: keyspace) }
        return try writer.deleteRange(.all, in: keyspace)
    }

    /// Removes a record with what its relationships ask for.
    func deleteTogether(_ modelName: String, _ key: RecordKey) throws -> Bool {
        var keys = KeyList()
        key.bytes.withUnsafeBytes { keys.append($0) }
        return try deleteTogether([(modelName, keys)]) > 0
    }

    /// Deletes the record with this key of a model, which the program need not have; returns whether it was stored. Rules of relationships hold.
    ///
    /// - Throws: what ``delete(_:)`` throws; then nothing is changed.
    @discardableResult
    public func deleteStoredRecord(of modelName: String, key: [UInt8]) throws -> Bool {
        guard try !Catalogue.isReserved(modelName) && writer.keyspace(named: modelName) != nil else { return false }
        let recordKey = RecordKey(key)
        // Only a shortened key may be another id's; others need not be read, so that a damaged record can be removed.
        if recordKey.long != nil, try storedRecord(of: modelName, key: key) == nil { return false }
        if try relationshipsConcernDeletion(of: modelName) { return try deleteTogether(modelName, recordKey) }
        return try removeRecord(of: modelName, recordKey.bytes.span.bytes)
    }
}
