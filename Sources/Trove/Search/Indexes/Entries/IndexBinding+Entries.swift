extension IndexBinding {
    /// Appends a change of each of a record's entries and returns how many they are.
    func appendEntries(of record: RecordView, _ action: EntryArena.Action, to arena: inout EntryArena) throws -> Int {
        if let multiple = fields.multiplePart {
            let parts = try memberParts(of: record, multiple)
            for position in 0..<parts.members.count { try appendEntry(parts, position, of: record, action, to: &arena) }
            return parts.members.count
        }
        var draft = arena.begin()
        let hasNil = try appendParts(of: record, to: &arena.bytes)
        try finish(&draft, hasNil: hasNil, record, action, &arena)
        return 1
    }

    /// Appends a change of the entry that a record has for the member at a position.
    func appendEntry(
        _ parts: MemberParts, _ position: Int, of record: RecordView, _ action: EntryArena.Action, to arena: inout EntryArena
    ) throws {
        var draft = arena.begin()
        parts.before.withUnsafeBytes { arena.bytes.append($0) }
        let range = parts.members.range(position)
        parts.members.bytes.withUnsafeBytes { arena.bytes.append(UnsafeRawBufferPointer(rebasing: $0[range])) }
        parts.after.withUnsafeBytes { arena.bytes.append($0) }
        let isNil = fields.multiplePart.map { fields.parts[$0].isNil(parts.members.bytes[range.lowerBound]) } ?? false
        try finish(&draft, hasNil: parts.hasNil || isNil, record, action, &arena)
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
