extension IndexBinding {
    /// Appends a change of each of a record's entries and returns how many they are.
    func appendEntries(of record: RecordView, _ action: EntryArena.Action, to arena: inout EntryArena) throws -> Int {
        if isMultiValued {
            let entries = try allParts(of: record)
            for parts in entries { try appendEntry(parts, of: record, action, to: &arena) }
            return entries.count
        }
        var draft = arena.begin()
        let hasNil = try appendParts(of: record, to: &arena.bytes)
        try finish(&draft, hasNil: hasNil, record, action, &arena)
        return 1
    }

    /// Appends a change of one of a record's entries, whose parts are given.
    func appendEntry(_ parts: MemberParts, of record: RecordView, _ action: EntryArena.Action, to arena: inout EntryArena) throws {
        var draft = arena.begin()
        parts.bytes.withUnsafeBytes { arena.bytes.append($0) }
        try finish(&draft, hasNil: parts.hasNil, record, action, &arena)
    }

    /// Completes a change whose parts have been appended.
    private func finish(
        _ draft: inout EntryArena.Draft, hasNil: Bool, _ record: RecordView, _ action: EntryArena.Action, _ arena: inout EntryArena
    ) throws {
        let header = arena.bytes.finishEntryKey(
            from: draft.keyStart, recordKey: record.key, isUnique: schema.isUnique && !hasNil)
        draft.valueStart = arena.bytes.count
        arena.bytes.appendEntryHeader(header, recordKey: record.key)
        try appendCovered(of: record, to: &arena.bytes)
        arena.end(draft, action)
    }
}
