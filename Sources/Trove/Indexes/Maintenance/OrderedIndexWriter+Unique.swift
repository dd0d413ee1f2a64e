/// A unique index's entries, of which a key has one record's.
extension OrderedIndexWriter {
    /// Notes which values a record takes that the building of the index has not come to, and that it may have given up some it took before.
    func exchangeChecks(_ old: RecordView?, _ new: RecordView?) throws {
        // Only what waits to be written can be an earlier check.
        if let old, !arena.isEmpty {
            do { try appendEntries(of: old, .uncheck) } catch { throw OldRecordFault(underlying: error) }
        }
        if let new { try appendEntries(of: new, .check) }
    }

    /// Writes all changes of one key, made in this order: the record that has it at the end has the entry.
    ///
    /// So a batch may exchange the values of two objects. When two records have the key at the end they are a conflict, unless the changes may
    /// wait for what the rest of the batch brings; then nothing is written and the result is false.
    func writeUnique(_ offsets: [Int], _ keyspace: Keyspace, mayWait: Bool) throws -> Bool {
        let key = arena.key(at: offsets[0])
        // The usual case, in one call of the engine.
        if offsets.count == 1, arena.action(at: offsets[0]) == .add {
            if try writer.insert(key.bytes, arena.value(at: offsets[0]).bytes, in: keyspace) {
                if IndexSample.contains(key.bytes) { try IndexSample.note(key.bytes, of: binding.number, isRemoved: false, writer) }
                return true
            }
        }
        let stored = try owner(of: key.bytes, keyspace)
        var owners = stored.map { [$0] } ?? []
        var lastOfOwner: [[UInt8]: Int] = [:]
        for offset in offsets {
            let record = try [UInt8](IndexEntry(key, arena.value(at: offset)).recordKey)
            if arena.action(at: offset).isRemoval {
                owners.removeAll { $0 == record }
                lastOfOwner[record] = nil
            } else {
                if !owners.contains(record) { owners.append(record) }
                lastOfOwner[record] = offset
            }
        }
        if owners.count > 1 {
            if mayWait { return false }
            throw UniqueConflict(binding: binding, recordKey: owners[owners.count - 1], otherKey: owners[0])
        } else if let owner = owners.first {
            // An owner without a change here is the stored one.
            guard let offset = lastOfOwner[owner], arena.action(at: offset) != .check else {
                if let stored, stored != owner { try write(offsets[0], .remove, keyspace) }
                return true
            }
            try write(offset, stored == nil ? .add : .update, keyspace)
        } else if stored != nil {
            try write(offsets[0], .remove, keyspace)
        }
        return true
    }

    /// The record that has a key; nil when none has.
    private func owner(of key: RawSpan, _ keyspace: Keyspace) throws -> [UInt8]? {
        try writer.withValue(of: key, in: keyspace) { value in
            do {
                return try IndexEntry.read(key, value) { [UInt8]($0.recordKey) }
            } catch TroveError.corruptValue(let reason) {
                throw binding.corrupt(reason)
            }
        }
    }

    func check() throws {
        guard binding.schema.isUnique, let keyspace = try writer.keyspace(named: binding.keyspaceName) else { return }
        // They are asked for here and when they are written.
        if writer.prefetches { try writer.prefetch(arena.keys, in: keyspace) }
        var offset = arena.offset(of: mark)
        while offset < arena.size {
            defer { offset = arena.next(offset) }
            let key = arena.key(at: offset)
            guard !arena.action(at: offset).isRemoval, case let entry = try IndexEntry(key, arena.value(at: offset)), entry.isUnique,
                let owner = try owner(of: key.bytes, keyspace), owner != [UInt8](entry.recordKey)
            else { continue }
            throw UniqueConflict(binding: binding, recordKey: [UInt8](entry.recordKey), otherKey: owner)
        }
    }

    func endBatch() throws {
        if binding.schema.isUnique { try writeEntries(insideBatch: false) }
    }
}
