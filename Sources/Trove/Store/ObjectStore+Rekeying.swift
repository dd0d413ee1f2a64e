extension WriteTransaction {
    /// Stores an object in the place of the one with another id, to which all that points at that one points from then on.
    ///
    /// ```swift
    /// var song = song                                     // its id is made of artist and title
    /// song.title = "So What?"
    /// try transaction.rekey(Song.self, from: old, to: song)
    /// ```
    ///
    /// No delete rule is heeded, since nothing is deleted. References keep their places in lists. Live objects that contexts have in memory find their old record
    /// deleted.
    ///
    /// - Throws: ``TroveError/notFound(query:)`` when there is no object with the old id; ``TroveError/alreadyExists(model:id:)`` when there is one with the new; what a
    ///   save throws. The transaction can then only roll back, unless the call was made in a ``savepoint(_:)``.
    /// - Complexity: O(log *n* + *m*) for each relationship that may point at it, with *m* objects that do.
    public func rekey<Object: Model>(_ type: Object.Type, from old: Object.ID, to object: Object) throws {
        guard object.id != old else { return try save(object) }
        let (oldReference, newReference) = (AnyReference(type, id: old), AnyReference(type, id: object.id))
        guard try contains(type, id: old) else { throw TroveError.notFound(query: "\(Object.schema.name) \(old.shownInErrors)") }
        let sources = try referenceSources(of: oldReference)
        // Unique indexes judge when both have been noted.
        try batch {
            _ = try removeRecord(of: Object.schema.name, RecordKey(oldReference.keyBytes).bytes.span.bytes)
            try insert(object)
        }
        try batch {
            for source in sources { try source.replace(oldReference, by: newReference, objectAt: newReference, in: self) }
        }
    }

    /// The fields of records that point at an object, met before it is changed.
    private func referenceSources(of reference: AnyReference) throws -> [ReferringField] {
        var sources: [ReferringField] = []
        for relationship in try relationshipsAndMemberships {
            guard relationship.target == nil || relationship.target?.schema.name == reference.modelName else { continue }
            try forEachSource(of: reference, in: relationship) { key, _ in
                sources.append(ReferringField(relationship: relationship, key: [UInt8](copying: key)))
            }
        }
        return sources
    }
}

extension ObjectStore {
    /// Stores an object in the place of the one with another id, with all that points at it; see ``WriteTransaction/rekey(_:from:to:)``.
    public func rekey<Object: Model>(_ type: Object.Type, from old: Object.ID, to object: Object, durability: Durability? = nil) throws {
        try write(durability) { try $0.rekey(type, from: old, to: object) }
    }

    /// Stores an object in the place of the one with another id, with all that points at it; see ``WriteTransaction/rekey(_:from:to:)``.
    public func rekey<Object: Model>(_ type: Object.Type, from old: Object.ID, to object: Object, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.rekey(type, from: old, to: object) }
    }
}

/// A field of a stored record that points at an object.
private struct ReferringField {
    let relationship: RelationshipBinding
    /// The engine's key of the record.
    let key: [UInt8]

    /// Lets the field point at another object, in the same places; `moved` is where the record is now, when it was the object itself.
    func replace(_ old: AnyReference, by new: AnyReference, objectAt moved: AnyReference, in transaction: WriteTransaction) throws {
        let name = relationship.model.schema.name
        let isMoved = name == old.modelName && key == RecordKey(old.keyBytes).bytes
        let key = isMoved ? RecordKey(moved.keyBytes).bytes : key
        guard let type = transaction.core.model(named: name) else { return }
        let model = try transaction.openForSaving(type)
        guard let keyspace = model.keyspace else { return }
        var found: StoredRecord?
        _ = try transaction.reader.get(key.span.bytes, in: keyspace) { bytes in
            try transaction.withRecordView(bytes, key: key.span.bytes, model) { found = try transaction.storedRecord(of: $0, model) }
        }
        guard var record = found, let value = record[relationship.name] else { return }
        let replaced = value.replacing(
            try relationship.storedReference(to: old), by: try relationship.storedReference(to: new), isSet: relationship.schema.shape == .set)
        guard replaced != value else { return }
        try record.set(relationship.name, to: replaced)
        var buffer = RecordBuffer()
        try buffer.encode(record, model.binding.layout)
        try buffer.withBytes { key, bytes in try transaction.update(key, bytes, model) }
    }
}

extension StoredValue {
    /// A relationship's value with one reference in the place of another.
    fileprivate func replacing(_ old: StoredValue, by new: StoredValue, isSet: Bool) -> StoredValue {
        switch self {
        case old: return new
        case .array(let values):
            // A list may have it already, because the other side of an inverse has brought it there.
            if values.contains(new) { return isSet || values.contains(old) ? .array(values.filter { $0 != old }) : self }
            return .array(values.map { $0 == old ? new : $0 })
        case .object(let values): return .object(values.dictionary.mapValues { $0 == old ? new : $0 })
        default: return self
        }
    }
}
