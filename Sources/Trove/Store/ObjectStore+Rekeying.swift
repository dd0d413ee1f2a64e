extension WriteTransaction {
    /// Replaces an object by one with another id; all references to the old id then point at the new one.
    ///
    /// ```swift
    /// var song = song                                     // its id is made of artist and title
    /// song.title = "So What?"
    /// try transaction.rekey(Song.self, from: old, to: song)
    /// ```
    ///
    /// No delete rule is heeded, since nothing is deleted. References keep their places in lists. What else differs from the stored object is saved as by
    /// ``save(_:)-(Object)``: inverses follow it, and fields marked ``FieldOptions/writeOnce`` or ``FieldOptions/keepIfNil`` keep what is stored. Live objects
    /// that contexts have in memory find their old record deleted.
    ///
    /// - Throws: ``TroveError/notFound(query:)`` when there is no object with the old id; ``TroveError/alreadyExists(model:id:)`` when there is one with the
    ///   new; ``TroveError/encodingFailed(model:field:reason:)``. Then nothing is changed. After what unique indexes and the engine throw, the transaction can
    ///   only roll back, unless the call was made in a ``savepoint(_:)``.
    /// - Complexity: O(log *n* + *m*) for each relationship that may point at it, with *m* objects that do.
    public func rekey<Object: Model>(_ type: Object.Type, from old: Object.ID, to object: Object) throws {
        guard try contains(type, id: old) else { throw TroveError.notFound(query: "\(Object.schema.name) with the id \(old.shownInErrors)") }
        // One text in other scalars is another key.
        guard !object.id.hasKey(of: old) else { return try save(object) }
        let model = try openForSaving(type)
        var buffer = RecordBuffer()
        try encode(object, model, &buffer)
        if model.binding.mergesOnSave || model.binding.hasSavedDates { try merge(object, storedUnder: old, model, &buffer) }
        let offered = OfferedAnnexes(buffer.record.annexes)
        let record = try buffer.withBytes { key, record in
            let made: Object = try model.binding.withDecoder([UInt8](copying: record), key: RecordKey(object.id.keyBytes), annexes: offered) {
                try Object(from: &$0)
            }
            guard made.id.hasKey(of: object.id) else {
                throw TroveError.encodingFailed(
                    model: Object.schema.name, field: "id", reason: "it contains a property that is written once, so the object cannot get another id")
            }
            return try storedRecord(record, key: key)
        }
        let move = RecordMove(old: AnyReference(type, id: old), new: AnyReference(type, id: object.id))
        guard try offering(buffer, { try self.move(move, to: record, model) }) else { throw alreadyExists(object.id.shownInErrors, model) }
    }
}

extension ObjectStore {
    /// Replaces an object by one with another id, with all references to it; see ``WriteTransaction/rekey(_:from:to:)``.
    ///
    /// - Throws: what that throws; then nothing is changed.
    public func rekey<Object: Model>(_ type: Object.Type, from old: Object.ID, to object: Object, durability: Durability? = nil) throws {
        try write(durability) { try $0.rekey(type, from: old, to: object) }
    }

    /// Replaces an object by one with another id, with all references to it; see ``WriteTransaction/rekey(_:from:to:)``.
    ///
    /// - Throws: what that throws; then nothing is changed.
    public func rekey<Object: Model>(_ type: Object.Type, from old: Object.ID, to object: Object, durability: Durability? = nil) async throws {
        try await write(durability) { try $0.rekey(type, from: old, to: object) }
    }
}
