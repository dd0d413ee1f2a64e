/// What entries a record has.
extension OrderedIndexWriter {
    /// Appends the entries of a record to the arena and returns how many they are.
    @discardableResult
    func appendEntries(of record: RecordView, _ action: EntryArena.Action) throws -> Int {
        if binding.isMultiValued {
            let keys = try binding.allParts(of: record)
            for key in keys { try append(key, record, action) }
            return keys.count
        }
        var draft = arena.begin()
        let hasNil = try binding.appendParts(of: record, to: &arena.bytes)
        try finish(&draft, hasNil: hasNil, record, action)
        return 1
    }

    /// Notes the entries that only one of two states of a record has, of an index with several entries for a record.
    func exchangeMembers(_ old: RecordView, _ new: RecordView) throws {
        let newParts = try binding.allParts(of: new)
        let oldParts: [MemberParts]
        var oldCovered: [UInt8] = []
        do {
            oldParts = try binding.allParts(of: old)
            oldCovered = try binding.coveredBytes(of: old)
            try groups?.note(old, sign: -1)
        } catch {
            throw OldRecordFault(underlying: error)
        }
        try groups?.note(new, sign: 1)
        let isCoveredEqual = try oldCovered == binding.coveredBytes(of: new)
        let (oldSet, newSet) = (Set(oldParts), Set(newParts))
        for parts in oldParts where !newSet.contains(parts) {
            try append(parts, old, .remove)
            growth -= 1
        }
        for parts in newParts {
            if !oldSet.contains(parts) {
                try append(parts, new, .add)
                growth += 1
            } else if !isCoveredEqual {
                try append(parts, new, .update)
            }
        }
    }

    private func append(_ parts: MemberParts, _ record: RecordView, _ action: EntryArena.Action) throws {
        var draft = arena.begin()
        parts.bytes.withUnsafeBytes { arena.bytes.append($0) }
        try finish(&draft, hasNil: parts.hasNil, record, action)
    }

    /// Completes a change whose parts have been appended.
    private func finish(
        _ draft: inout EntryArena.Draft, hasNil: Bool, _ record: RecordView, _ action: EntryArena.Action
    ) throws {
        let header = arena.bytes.finishEntryKey(
            from: draft.keyStart, recordKey: record.key, isUnique: binding.schema.isUnique && !hasNil)
        draft.valueStart = arena.bytes.count
        arena.bytes.appendEntryHeader(header, recordKey: record.key)
        try binding.appendCovered(of: record, to: &arena.bytes)
        arena.end(draft, action)
    }
}
