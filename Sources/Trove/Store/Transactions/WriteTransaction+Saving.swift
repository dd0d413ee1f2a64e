extension WriteTransaction {
    /// Stores an object, replacing the one with the same id.
    ///
    /// Fields marked ``FieldOptions/writeOnce`` or ``FieldOptions/keepIfNil`` keep what the store has by their rules.
    ///
    /// - Throws: ``TroveError`` when a value cannot be stored; then nothing is changed.
    public func save<Object: Model>(_ object: Object) throws {
        let binding = try core.binding(for: Object.self)
        try save(object, binding, in: madeKeyspace(of: binding))
    }

    /// Stores objects, replacing those with the same ids; the last of several with one id wins.
    ///
    /// - Throws: ``TroveError`` when one cannot be stored. The whole transaction can then only roll back, unless
    ///   the call was made in a ``savepoint(_:)``.
    public func save<Object: Model>(_ objects: some Sequence<Object>) throws {
        let binding = try core.binding(for: Object.self)
        let keyspace = try madeKeyspace(of: binding)
        try change {
            for object in objects { try save(object, binding, in: keyspace) }
        }
    }

    /// Stores an object that must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)`` when there is one with its id; then nothing is changed.
    public func insert<Object: Model>(_ object: Object) throws {
        let binding = try core.binding(for: Object.self)
        try insert(object, binding, in: madeKeyspace(of: binding))
    }

    /// Stores objects that must be new.
    ///
    /// - Throws: ``TroveError/alreadyExists(model:id:)``. The whole transaction can then only roll back, unless
    ///   the call was made in a ``savepoint(_:)``.
    public func insert<Object: Model>(_ objects: some Sequence<Object>) throws {
        let binding = try core.binding(for: Object.self)
        let keyspace = try madeKeyspace(of: binding)
        try change {
            for object in objects { try insert(object, binding, in: keyspace) }
        }
    }

    /// Stores objects just read, as they are: their fields' options were heeded when they were first saved.
    func saveUpgraded<Object: Model>(_ objects: [Object]) throws {
        let binding = try core.binding(for: Object.self)
        let keyspace = try madeKeyspace(of: binding)
        try change {
            for object in objects {
                let key = try encode(object, binding)
                let writer = try writer
                try encoder.bytes.withBytes { try writer.put(key.bytes.span.bytes, $0, in: keyspace) }
            }
        }
    }

    private func save<Object: Model>(_ object: Object, _ binding: ModelBinding, in keyspace: Keyspace) throws {
        let key = try encode(object, binding)
        if binding.mergesOnSave || key.long != nil { try merge(object, key, binding, in: keyspace) }
        let writer = try writer
        try encoder.bytes.withBytes { try writer.put(key.bytes.span.bytes, $0, in: keyspace) }
    }

    private func insert<Object: Model>(_ object: Object, _ binding: ModelBinding, in keyspace: Keyspace) throws {
        let key = try encode(object, binding)
        let writer = try writer
        let isStored = try encoder.bytes.withBytes { try writer.insert(key.bytes.span.bytes, $0, in: keyspace) }
        guard isStored else {
            throw TroveError.alreadyExists(model: binding.schema.name, id: object.id.shownInErrors)
        }
    }

    /// Leaves the object's record in `encoder` and returns its key.
    private func encode<Object: Model>(_ object: Object, _ binding: ModelBinding) throws -> RecordKey {
        keyEncoder.removeAll()
        object.id.encode(into: &keyEncoder)
        let key = RecordKey(keyEncoder.bytes)
        do {
            try encodeRecord(key, binding.layout) { try object.encode(into: &$0) }
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.encodingFailed(model: binding.schema.name, field: "a value of \(object.id.shownInErrors)", reason: reason)
        }
        return key
    }

    /// Leaves a record of what `body` encodes in `encoder`.
    func encodeRecord(_ key: RecordKey, _ layout: RecordLayout, _ body: (inout RecordEncoder) throws -> Void) throws {
        encoder.begin(layout, hasLongKey: key.long != nil, isWide: false)
        try body(&encoder)
        try encoder.finish(key: key.bytes.span.bytes, longKey: key.long)
        if encoder.needsWideEnds {
            encoder.begin(layout, hasLongKey: key.long != nil, isWide: true)
            try body(&encoder)
            try encoder.finish(key: key.bytes.span.bytes, longKey: key.long)
        }
    }

    /// Puts into the record in `encoder` what the stored object with its id keeps by its fields' options.
    private func merge<Object: Model>(
        _ object: Object, _ key: RecordKey, _ binding: ModelBinding, in keyspace: Keyspace
    ) throws {
        guard let current: Object = try storedObject(with: object.id, key, binding, in: keyspace), binding.mergesOnSave else { return }
        // The stored object's record is made anew, so that one of an older layout takes part as it is read now.
        let stored = try dynamicRecord(current, key, binding)
        var merged = try dynamicRecord(object, key, binding)
        for field in binding.schema.fields where !field.options.isEmpty {
            let keepsStored =
                field.options.contains(.writeOnce) || (field.options.contains(.keepIfNil) && merged[field.name] == .null)
            if keepsStored, let value = stored[field.name] { try merged.set(field.name, to: value) }
        }
        try encode(merged, binding.layout)
    }

    private func storedObject<Object: Model>(
        with id: Object.ID, _ key: RecordKey, _ binding: ModelBinding, in keyspace: Keyspace
    ) throws -> Object? {
        var object: Object?
        _ = try reader.get(key.bytes.span.bytes, in: keyspace) { record in
            object = try decode(record, key: key.bytes.span.bytes, binding, matching: key.long)
            if object == nil { throw TroveError.keyCollision(model: binding.schema.name, id: id.shownInErrors) }
        }
        return object
    }

    /// The object's own record, by field names.
    private func dynamicRecord<Object: Model>(_ object: Object, _ key: RecordKey, _ binding: ModelBinding) throws -> StoredRecord {
        _ = try encode(object, binding)
        return try encoder.bytes.withBytes { try storedRecord($0, key: key.bytes.span.bytes) }
    }
}
