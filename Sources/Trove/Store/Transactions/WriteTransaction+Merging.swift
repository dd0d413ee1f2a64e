extension WriteTransaction {
    /// Puts into the record in `buffer` what the stored object with its id keeps by its fields' options.
    ///
    /// - Throws: ``TroveError/keyCollision(model:id:)`` when another id has the same shortened key.
    @usableFromInline func merge<Object: Model>(_ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        let current: Object? = try storedObject(with: object.id, model, buffer.recordKey)
        guard let current, model.binding.mergesOnSave else { return }
        // The stored object's record is made anew, so that one of an older layout takes part as it is read now.
        let stored = try dynamicRecord(current, model, &buffer)
        var merged = try dynamicRecord(object, model, &buffer)
        for field in model.binding.schema.fields where !field.options.isEmpty {
            let keepsStored =
                field.options.contains(.writeOnce) || (field.options.contains(.keepIfNil) && merged[field.name] == .null)
            if keepsStored, let value = stored[field.name] { try merged.set(field.name, to: value) }
        }
        try encode(merged, model.binding.layout, &buffer)
    }

    private func storedObject<Object: Model>(with id: Object.ID, _ model: OpenModel, _ key: RecordKey) throws -> Object? {
        guard let keyspace = model.keyspace else { return nil }
        var found: Object?
        let span = key.bytes.span.bytes
        _ = try reader.get(span, in: keyspace) { record in
            try withDecoder(record, key: span, model, matching: key.long) { found = try object(&$0) }
            if found == nil { throw TroveError.keyCollision(model: model.binding.schema.name, id: id.shownInErrors) }
        }
        return found
    }

    /// The object's own record, by field names.
    private func dynamicRecord<Object: Model>(
        _ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer
    ) throws -> StoredRecord {
        try encode(object, model, &buffer)
        return try buffer.withBytes { key, record in try storedRecord(record, key: key) }
    }

    /// Stores objects just read, as they are: their fields' options were heeded when they were first saved.
    func saveUpgraded<Object: Model>(_ objects: [Object]) throws {
        let model = try openForSaving(Object.self)
        var buffer = RecordBuffer()
        try change {
            for object in objects {
                try encode(object, model, &buffer)
                try put(buffer, model)
            }
        }
    }
}
