/// The parts of one of several entries of a record.
struct MemberParts: Hashable {
    let bytes: [UInt8]
    /// Whether one of them is nil, or stands for a collection without members.
    let hasNil: Bool
}

extension IndexBinding {
    /// Appends the parts of a record's entry, each in its direction; returns whether one of them is nil.
    ///
    /// Not for an index of several entries a record.
    func appendParts(of record: RecordView, to key: inout ByteWriter) throws -> Bool {
        var hasNil = false
        for part in fields.parts {
            let start = key.count
            try part.append(of: record, to: &key)
            if part.isNil(key, from: start) { hasNil = true }
        }
        return hasNil
    }

    /// The parts of each of a record's entries, ascending, none twice.
    ///
    /// A collection that is nil or has no members gives one entry with a part of its own, so that the record is found by the parts before it.
    func allParts(of record: RecordView) throws -> [MemberParts] {
        guard let multiple = fields.multiplePart else {
            var key = ByteWriter(capacity: 64)
            let hasNil = try appendParts(of: record, to: &key)
            return [MemberParts(bytes: key.bytes(), hasNil: hasNil)]
        }
        var before = ByteWriter(capacity: 64)
        var after = ByteWriter(capacity: 64)
        var hasNil = false
        for (position, part) in fields.parts.enumerated() where position != multiple {
            if position < multiple {
                let start = before.count
                try part.append(of: record, to: &before)
                if part.isNil(before, from: start) { hasNil = true }
            } else {
                let start = after.count
                try part.append(of: record, to: &after)
                if part.isNil(after, from: start) { hasNil = true }
            }
        }
        let (prefix, suffix) = (before.bytes(), after.bytes())
        let members = try fields.parts[multiple].memberParts(of: record)
        return members.map { member in
            MemberParts(bytes: prefix + member.bytes + suffix, hasNil: hasNil || member.hasNil)
        }
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
        try reader.appendKeyPart(record, ignoringCase: part.ignoringCase, direction: part.direction, to: &key)
    }

    /// Whether a part that begins at `start` stands for nil or for a collection without members.
    func isNil(_ key: borrowing ByteWriter, from start: Int) -> Bool {
        isNil(key.base.load(fromByteOffset: start, as: UInt8.self))
    }

    private func isNil(_ firstByte: UInt8) -> Bool { inDirection(firstByte) != KeyPart.present }

    /// A byte of an ascending part as one of a part in this direction, and the other way round.
    func inDirection(_ byte: UInt8) -> UInt8 { part.direction == .ascending ? byte : ~byte }

    /// The parts of a collection's members, ascending, none twice; that of no members when there are none.
    func memberParts(of record: RecordView) throws -> [MemberParts] {
        var found: Set<MemberParts> = []
        if let members {
            try reader.forEachMember(record, members, ignoringCase: part.ignoringCase, direction: part.direction) { member in
                let bytes = [UInt8](copying: member)
                found.insert(MemberParts(bytes: bytes, hasNil: isNil(bytes[0])))
            }
        }
        if found.isEmpty { found.insert(MemberParts(bytes: [inDirection(EntryFormat.noMembers)], hasNil: true)) }
        return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
