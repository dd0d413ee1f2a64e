extension RelationshipBinding {
    /// Calls `body` with each object that a record's field points at, in order and with repetitions.
    func forEachTarget(of record: RecordView, _ body: (AnyReference) throws -> Void) throws {
        try forEachPart(of: record) { part in
            if let target = try part.withUnsafeBytes({ try references.target(of: $0) }) { try body(target) }
        }
    }

    /// The objects that a record's field points at, in order and with repetitions.
    func targets(of record: RecordView) throws -> [AnyReference] {
        var targets: [AnyReference] = []
        try forEachTarget(of: record) { targets.append($0) }
        return targets
    }

    /// Calls `body` with the index's part of each reference of a record, whole, in order and with repetitions; that of nil among them.
    /// The bytes are valid during the call.
    func forEachPart(of record: RecordView, _ body: (RawSpan) throws -> Void) throws {
        if let part {
            return try reader.forEachMember(record, part, ignoringCase: false, direction: .ascending, body)
        }
        var bytes = ByteWriter(capacity: 32)
        try reader.appendKeyPart(record, ignoringCase: false, direction: .ascending, to: &bytes)
        try bytes.withBytes(body)
    }

    /// Whether a record's field points at the target of a part.
    func record(_ record: RecordView, pointsAtTargetOf part: [UInt8]) throws -> Bool {
        var isFound = false
        try forEachPart(of: record) { if $0.isEqual(to: part.span.bytes) { isFound = true } }
        return isFound
    }
}
