extension ReadTransaction {
    /// Calls `body` with each object above `start`, ascending by id, until it sets `stop`.
    @inlinable
    func forEachObject<Object: Model>(_ body: (_ object: Object, _ stop: inout Bool) throws -> Void) throws {
        let model = try open(Object.self)
        var stop = false
        try forEachRecordBytes(of: model) { key, record in
            var next: Object?
            try withDecoder(record, key: key, model) { next = try object(&$0) }
            // Outside of the decoder, which takes errors for its own; and the bytes may be gone once `body` changes something.
            if let next { try body(next, &stop) }
            return stop ? .stop : .next
        }
    }

    func countObjects(_ model: OpenModel) throws -> Int {
        guard let keyspace = model.keyspace else { return 0 }
        return try recordCount(of: model.binding.schema.name, in: keyspace)
    }

    func objectIDs<Object: Model>(_ type: Object.Type, _ model: OpenModel) throws -> [Object.ID] {
        var ids: [Object.ID] = []
        try forEachRecordBytes(of: model) { key, record in
            let whole = key.byteCount > RecordKey.maxWholeSize ? try storedRecord(record, key: key).key : [UInt8](copying: key)
            do {
                ids.append(try Object.ID(keyBytes: whole))
            } catch TroveError.corruptKey(let reason) {
                throw TroveError.corruptRecord(model: model.binding.schema.name, id: StoredRecord.text(of: whole), reason: reason)
            }
            return .next
        }
        return ids
    }

    /// Calls `body` with the bytes of each record above `start`, ascending by key.
    @usableFromInline func forEachRecordBytes(
        of model: OpenModel, after start: [UInt8]? = nil, _ body: (_ key: RawSpan, _ record: RawSpan) throws -> ScanStep
    ) throws {
        let reader = try reader
        guard let keyspace = model.keyspace else { return }
        var watch = watch
        try reader.scan(start.map { .after($0) } ?? .all, in: keyspace, order: .ascending) { key, record in
            try watch.step()
            return try body(key, record)
        }
    }
}

extension ReadTransaction {
    /// The number of objects of each model, by the models' names: those that the program has and those that other programs have stored.
    ///
    /// - Complexity: O(1) for a model where ``StorageCapabilities/countsInConstantTime`` is true, or where the model has an index of values
    ///   that are not collections; otherwise O(*n*) over the model's keys.
    public func counts() throws -> [String: Int] {
        let reader = try reader
        var counts: [String: Int] = [:]
        for model in core.modelBindings where !Catalogue.isReserved(model.schema.name) { counts[model.schema.name] = 0 }
        for name in try modelNames() {
            if let keyspace = try reader.keyspace(named: name) { counts[name] = try recordCount(of: name, in: keyspace) }
        }
        return counts
    }

    /// The number of records of a model.
    ///
    /// An engine that would count them one by one is not asked where an index has an entry for each of them: every index keeps its number of entries.
    func recordCount(of modelName: String, in keyspace: Keyspace) throws -> Int {
        if !core.capabilities.countsInConstantTime, let index = try indexTable.usable(of: modelName).first(where: \.hasOneEntryForEachObject) {
            return try entryCount(of: index)
        }
        return try reader.count(in: keyspace)
    }
}
