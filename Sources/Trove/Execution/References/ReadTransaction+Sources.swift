extension ReadTransaction {
    /// Calls `body` with the engine's key of each record whose field points at a target, ascending, until it sets `stop`.
    ///
    /// In a write transaction it sees the changes made before the call. What points where comes from the relationship's index, or, while that
    /// is not ready, from all records of the model.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* sources; without the index O(*n*).
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the target's key is not an id of its model; what `body` throws.
    func forEachSource(
        of target: AnyReference, in relationship: RelationshipBinding, _ body: (_ recordKey: RawSpan, _ stop: inout Bool) throws -> Void
    ) throws {
        guard let part = try relationship.references.bytes(of: target) else { return }
        try flushIndexes()
        guard let index = try reverseIndex(of: relationship) else { return try scanSources(part, relationship, body) }
        guard let entries = try indexKeyspace(index) else { return }
        index.uses.add()
        let range = index.entryRange(parts: [part])
        var stop = false
        var watch = watch
        try reader.scan(range.keys, in: entries) { key, value in
            try watch.step()
            let entry = try IndexEntry.readable(key, value, of: index)
            if range.needsRecheck, try !self.record(entry.recordKey, pointsAtTargetOf: part, relationship) { return .next }
            try body(entry.recordKey.bytes, &stop)
            return stop ? .stop : .next
        }
    }

    /// The index of what a relationship points at, when queries may use it.
    func reverseIndex(of relationship: RelationshipBinding) throws -> IndexBinding? {
        if let known = reverseIndexes[ObjectIdentifier(relationship)] { return known }
        let index = try indexTable.usable(of: relationship.model.schema.name).first { $0.schema == relationship.index }
        reverseIndexes[ObjectIdentifier(relationship)] = .some(index)
        return index
    }

    /// Whether the record with this engine's key points at the target of a part.
    private func record(_ key: UnsafeRawBufferPointer, pointsAtTargetOf part: [UInt8], _ relationship: RelationshipBinding) throws -> Bool {
        guard let keyspace = try reader.keyspace(named: relationship.model.schema.name) else { return false }
        var isSource = false
        _ = try reader.get(key.bytes, in: keyspace) { record in
            try withRecordView(record, key: key.bytes, OpenModel(relationship.model)) {
                isSource = try relationship.record($0, pointsAtTargetOf: part)
            }
        }
        return isSource
    }

    private func scanSources(
        _ part: [UInt8], _ relationship: RelationshipBinding, _ body: (_ recordKey: RawSpan, _ stop: inout Bool) throws -> Void
    ) throws {
        guard let keyspace = try reader.keyspace(named: relationship.model.schema.name) else { return }
        let model = OpenModel(relationship.model)
        var stop = false
        var watch = watch
        try reader.scan(in: keyspace) { key, record in
            try watch.step()
            var isSource = false
            try withRecordView(record, key: key, model) { isSource = try relationship.record($0, pointsAtTargetOf: part) }
            if isSource { try body(key, &stop) }
            return stop ? .stop : .next
        }
    }
}

extension ReadTransaction {
    /// Whether anything points at a target.
    func isReferenced(_ target: AnyReference) throws -> Bool {
        var isReferenced = false
        for relationship in try relationships.table.relationships(to: target.modelName) where !isReferenced {
            try forEachSource(of: target, in: relationship) { _, stop in
                isReferenced = true
                stop = true
            }
        }
        return isReferenced
    }

    /// Whether the object that a reference points at is stored. The program need not have its model.
    func isStored(_ target: AnyReference) throws -> Bool {
        guard let keyspace = try recordKeyspace(of: target.modelName) else { return false }
        let key = RecordKey(target.keyBytes)
        var isStored = false
        _ = try reader.get(key.bytes.span.bytes, in: keyspace) { record in
            // Only a shortened key may be another id's.
            isStored = try key.long == nil || storedRecord(record, key: key.bytes.span.bytes).key == target.keyBytes
        }
        return isStored
    }

    /// The keyspace of a model's records; nil when there is none, or it is one of the store's own.
    func recordKeyspace(of modelName: String) throws -> Keyspace? {
        guard !modelName.isEmpty, !Catalogue.isReserved(modelName) || core.model(named: modelName) != nil else { return nil }
        return try reader.keyspace(named: modelName)
    }

    /// The whole key of the record with this engine's key, which is in the record alone when it is too long for a key.
    func wholeKey(_ key: RawSpan, of model: ModelBinding) throws -> [UInt8] {
        guard key.byteCount > RecordKey.maxWholeSize, let keyspace = try reader.keyspace(named: model.schema.name) else { return [UInt8](copying: key) }
        return try wholeKey(key, in: keyspace)
    }

    /// As above where the records are known.
    func wholeKey(_ key: RawSpan, in keyspace: Keyspace) throws -> [UInt8] {
        guard key.byteCount > RecordKey.maxWholeSize else { return [UInt8](copying: key) }
        return try reader.withValue(of: key, in: keyspace) { try storedRecord($0, key: key).key } ?? [UInt8](copying: key)
    }
}

extension ReadTransaction: ReferenceLookup {
    func hasDanglingReference(_ record: RecordView, of modelName: String) throws -> Bool {
        var isDangling = false
        for relationship in try relationships.table.relationships(of: modelName) where !isDangling {
            try relationship.forEachTarget(of: record) { target in
                if try !isDangling && !isStored(target) { isDangling = true }
            }
        }
        return isDangling
    }

    func memberReader(of path: FieldPath, in binding: ModelBinding, _ watch: ReadWatch?) throws -> FieldReader? {
        guard try leadsThroughMembers(path, binding) else { return nil }
        let lookup = try MemberLookup(self, path, binding, watch ?? self.watch)
        return FieldReader(lookup.rule, .looked(lookup))
    }
}
