extension IndexBinding {
    /// Appends a change of each of a record's entries and returns how many they are.
    ///
    /// - Parameter paths: the numbers of paths, which an index of all paths needs.
    func appendEntries(of record: RecordView, _ action: EntryArena.Action, to arena: inout EntryArena, _ paths: PathNumbers? = nil) throws -> Int {
        if let multiple = fields.multiplePart {
            let parts = try entryParts(of: record, multiple, paths)
            for position in 0..<parts.members.count { try appendEntry(parts, position, of: record, action, to: &arena) }
            return parts.members.count
        }
        var draft = arena.begin()
        let isUnjudged = try appendParts(of: record, to: &arena.bytes)
        try finish(&draft, isUnjudged: isUnjudged, record, action, &arena)
        return 1
    }

    /// Appends a change of the entry that a record has for the member at a position.
    func appendEntry(
        _ parts: MemberParts, _ position: Int, of record: RecordView, _ action: EntryArena.Action, to arena: inout EntryArena
    ) throws {
        var draft = arena.begin()
        parts.before.withUnsafeBytes { arena.bytes.append($0) }
        let range = parts.members.range(position)
        parts.members.buffer.withUnsafeBytes { arena.bytes.append(UnsafeRawBufferPointer(rebasing: $0[range])) }
        parts.after.withUnsafeBytes { arena.bytes.append($0) }
        let isNil = fields.multiplePart.map { fields.parts[$0].isNil(parts.members.buffer[range.lowerBound]) } ?? false
        try finish(&draft, isUnjudged: parts.isUnjudged || isNil, areHashed: parts.areHashed, record, action, &arena)
    }

    /// Completes a change whose parts, or their hash, have been appended.
    private func finish(
        _ draft: inout EntryArena.Draft, isUnjudged: Bool, areHashed: Bool = false, _ record: RecordView, _ action: EntryArena.Action,
        _ arena: inout EntryArena
    ) throws {
        if let blinding, !areHashed {
            let start = draft.keyStart
            let tag = blinding.tag(of: UnsafeRawBufferPointer(start: arena.bytes.base + start, count: arena.bytes.count - start), recordKey: record.key)
            arena.bytes.count = start
            tag.withUnsafeBytes { arena.bytes.append($0) }
        }
        let header = arena.bytes.finishEntryKey(
            from: draft.keyStart, recordKey: record.key, isUnique: schema.isUnique && !isUnjudged)
        draft.valueStart = arena.bytes.count
        arena.bytes.appendEntryHeader(header, recordKey: record.key)
        try appendCovered(of: record, to: &arena.bytes)
        arena.end(draft, action)
    }
}

/// The parts of a record's entries in an index that has one for each member of a collection.
struct MemberParts {
    /// The parts before that of the member, and those after it.
    let before, after: [UInt8]
    /// Whether a unique index does not compare one of these.
    let isUnjudged: Bool
    /// The part of each member, ascending, none twice; that of no members when there are none.
    let members: KeyList
    /// Whether the members are hashes of all parts, and nothing stands before and after them.
    var areHashed = false
}

extension IndexBinding {
    /// Appends the parts of a record's entry, each in its direction; returns whether a unique index does not compare them.
    ///
    /// Not for an index of several entries a record.
    func appendParts(of record: RecordView, to key: inout ByteWriter) throws -> Bool {
        var isUnjudged = false
        for part in fields.parts {
            let start = key.count
            try part.append(of: record, to: &key)
            if part.isUnjudged(key, from: start) { isUnjudged = true }
        }
        return isUnjudged
    }

    /// The parts of a record's entries, of an index of several entries a record.
    ///
    /// A collection that is nil or has no members gives one entry with a part of its own, so that the record is found by the parts before it.
    ///
    /// - Parameter paths: the numbers of paths, which an index of all paths needs: its members are the values at all paths.
    func memberParts(of record: RecordView, _ multiple: Int, _ paths: PathNumbers? = nil) throws -> MemberParts {
        if let paths {
            return MemberParts(before: [], after: [], isUnjudged: false, members: try paths.entries(of: fields.parts[multiple].reader.access.value(in: record)))
        }
        var before = ByteWriter(capacity: 64)
        var after = ByteWriter(capacity: 64)
        var isUnjudged = false
        for (position, part) in fields.parts.enumerated() where position != multiple {
            if position < multiple {
                let start = before.count
                try part.append(of: record, to: &before)
                if part.isUnjudged(before, from: start) { isUnjudged = true }
            } else {
                let start = after.count
                try part.append(of: record, to: &after)
                if part.isUnjudged(after, from: start) { isUnjudged = true }
            }
        }
        return MemberParts(
            before: before.bytes(), after: after.bytes(), isUnjudged: isUnjudged, members: try fields.parts[multiple].memberParts(of: record))
    }

    /// The parts of a record's entries as the entries have them.
    ///
    /// Members of one record may share a hash of a blind index, and have one entry then, which stays while one of them does. The hashes of a unique one are so
    /// wide that they share none, and of its members those that are nil are told by their parts.
    func entryParts(of record: RecordView, _ multiple: Int, _ paths: PathNumbers? = nil) throws -> MemberParts {
        let parts = try memberParts(of: record, multiple, paths)
        guard let blinding, !schema.isUnique else { return parts }
        var hashes = KeyList()
        for position in 0..<parts.members.count {
            let whole = parts.before + parts.members[position] + parts.after
            let hash = whole.withUnsafeBytes { blinding.tag(of: $0, recordKey: record.key) }
            hashes.append(hash.span.bytes)
        }
        hashes.sortUniquely()
        return MemberParts(before: [], after: [], isUnjudged: parts.isUnjudged, members: hashes, areHashed: true)
    }

    /// Appends the values of the covered fields.
    func appendCovered(of record: RecordView, to bytes: inout ByteWriter) throws {
        for reader in fields.covered {
            bytes.depth = 0
            try reader.value(record).encodeNested(into: &bytes)
        }
    }

    func coveredBytes(of record: RecordView) throws -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        try appendCovered(of: record, to: &bytes)
        return bytes.bytes()
    }
}

extension IndexFields.Part {
    /// Appends the part of a record, in its direction.
    func append(of record: RecordView, to key: inout ByteWriter) throws {
        try reader.appendKeyPart(record, ignoring: part.ignoring, direction: part.direction, to: &key)
    }

    /// Whether a unique index does not compare a part that begins at `start`: that of nil, of a collection without members, and of what a document has as a
    /// list or with values inside, of which the part tells the class alone.
    func isUnjudged(_ key: borrowing ByteWriter, from start: Int) -> Bool {
        let bytes = key.base + start
        if isNil(bytes.load(as: UInt8.self)) { return true }
        return type == nil && inDirection(bytes.load(fromByteOffset: 1, as: UInt8.self)) == ValueClass.container.rawValue
    }

    func isNil(_ firstByte: UInt8) -> Bool { inDirection(firstByte) != KeyPart.present }

    /// A byte of an ascending part as one of a part in this direction, and the other way round.
    func inDirection(_ byte: UInt8) -> UInt8 { part.direction == .ascending ? byte : ~byte }

    /// The parts of a collection's members, ascending, none twice; that of no members when there are none.
    func memberParts(of record: RecordView) throws -> KeyList {
        var found = KeyList()
        if let members {
            try reader.forEachMember(record, members, ignoring: part.ignoring, direction: part.direction) { found.append($0) }
            found.sortUniquely()
        }
        if found.isEmpty { found.append([inDirection(EntryFormat.noMembers)].span.bytes) }
        return found
    }

    /// The members of a collection by their parts.
    func members(of record: RecordView) throws -> [[UInt8]: StoredValue] {
        var found: [[UInt8]: StoredValue] = [:]
        guard let members else { return found }
        try reader.access.withValue(in: record) { value in
            guard case .container(let container) = value else { return }
            try container.forEachMember(members) { member in
                var key = ByteWriter(capacity: 64)
                try KeyPart.append(member.value, type: type, ignoring: part.ignoring, direction: part.direction, to: &key)
                found[key.bytes()] = try member.value.storedValue()
                return true
            }
        }
        return found
    }
}

/// Makes what the entries of a blind index have in place of their parts: a keyed hash, which shows neither the values nor their order.
struct PartBlinding: Sendable {
    private let options: BlindOptions
    private let sealer: any FieldSealer
    /// What tells the index's hashes from those of others: equal values in two indexes have nothing in common.
    private let index: [UInt8]

    init(_ options: BlindOptions, modelName: String, indexName: String, _ sealer: any FieldSealer) {
        self.options = options
        self.sealer = sealer
        index = Array(modelName.utf8) + [0] + Array(indexName.utf8)
    }

    /// The hash that a record's entry has for its parts.
    ///
    /// - Parameter recordKey: chooses among the hashes that a value has.
    func tag(of parts: UnsafeRawBufferPointer, recordKey: UnsafeRawBufferPointer) -> [UInt8] {
        tag(of: parts, share: options.spread == 1 ? 0 : UInt8(Checksum.hash(recordKey) % UInt64(options.spread)))
    }

    /// All the hashes that the entries of records with these parts may have.
    func tags(of parts: [UInt8]) -> [[UInt8]] {
        (0..<UInt8(options.spread)).map { share in parts.withUnsafeBytes { tag(of: $0, share: share) } }
    }

    private func tag(of parts: UnsafeRawBufferPointer, share: UInt8) -> [UInt8] {
        let value = [share] + parts
        let hash = sealer.tag(of: value.span.bytes, in: index.span.bytes) & (.max << UInt128(128 - options.bits))
        return withUnsafeBytes(of: hash.bigEndian) { Array($0.prefix((options.bits + 7) / 8)) }
    }
}
