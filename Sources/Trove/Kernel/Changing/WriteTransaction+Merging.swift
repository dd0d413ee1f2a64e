extension WriteTransaction {
    /// Puts into the record in `buffer` what the stored object with its id keeps by its fields' options, and the dates of the save.
    ///
    /// - Throws: ``TroveError/keyCollision(model:id:)`` when another id has the same shortened key.
    @usableFromInline func merge<Object: Model>(_ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        try merge(object, storedUnder: object.id, model, &buffer)
    }

    /// Puts into the record in `buffer` what the object that is stored under an id keeps by its fields' options, and the dates of the save.
    func merge<Object: Model>(_ object: Object, storedUnder id: Object.ID, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        let key = RecordKey(id.keyBytes)
        if model.binding.mergesOnSave || key.long != nil { try keepStored(object, id, key, model, &buffer) }
        try dateSave(&buffer, model, over: key)
    }

    private func keepStored<Object: Model>(_ object: Object, _ id: Object.ID, _ key: RecordKey, _ model: OpenModel, _ buffer: inout RecordBuffer) throws {
        guard model.binding.mergesOnSave else {
            guard let long = key.long, let keyspace = model.keyspace else { return }
            return try checkIsFree(key.bytes.span.bytes, for: long, shown: id.shownInErrors, in: keyspace, of: model.binding.schema.name)
        }
        guard let (current, layout): (Object, RecordLayout) = try storedObject(with: id, model, key) else { return }
        // The stored object's record is made anew, so that one of an older layout takes part as it is read now.
        let stored = try dynamicRecord(current, model, &buffer)
        let storedAnnexes = buffer.record.annexes
        var merged = try dynamicRecord(object, model, &buffer)
        let annexes = buffer.record.annexes + storedAnnexes
        try model.binding.keepStoredValues(of: stored, layout, in: &merged)
        try buffer.encode(merged, model.binding.layout)
        buffer.record.prefer(annexes)
    }

    private func storedObject<Object: Model>(with id: Object.ID, _ model: OpenModel, _ key: RecordKey) throws -> (Object, RecordLayout)? {
        guard let keyspace = model.keyspace else { return nil }
        var found: (Object, RecordLayout)?
        let span = key.bytes.span.bytes
        _ = try reader.get(span, in: keyspace) { record in
            try withDecoder(record, key: span, model, matching: key.long) { found = (try object(&$0), $0.layout) }
            if found == nil { throw TroveError.keyCollision(model: model.binding.schema.name, id: id.shownInErrors) }
        }
        return found
    }

    /// Checks that what is stored under the shortened key of a long id is not another id's. Nothing else of it is read: it is replaced, whether or not it can
    /// be read.
    ///
    /// - Throws: ``TroveError/keyCollision(model:id:)``; ``TroveError/newerRecord(model:id:)``.
    func checkIsFree(_ key: RawSpan, for whole: [UInt8], shown id: @autoclosure () -> String, in keyspace: Keyspace, of model: String) throws {
        let stored = try ifReadable {
            try reader.withValue(of: key, in: keyspace) { record in
                try record.withUnsafeBytes { record in try key.withUnsafeBytes { try checkedWholeKey($0, of: record, model) } }
            }
        }
        if let stored, stored != whole { throw TroveError.keyCollision(model: model, id: id()) }
    }

    /// The object's own record, by field names.
    private func dynamicRecord<Object: Model>(
        _ object: Object, _ model: OpenModel, _ buffer: inout RecordBuffer
    ) throws -> StoredRecord {
        try encode(object, model, &buffer)
        return try buffer.withBytes { key, record in try storedRecord(record, key: key) }
    }
}
