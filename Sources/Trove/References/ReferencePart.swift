/// The bytes that references of one relationship have as parts of its index, which are in the order of the targets' ids.
struct ReferencePart: Sendable {
    /// The target's ids; nil when one is made of several values.
    private let idType: FieldType?
    /// The model pointed at; nil when the reference says which.
    private let modelName: String?
    /// The type of one stored reference.
    private let type: FieldType

    init(_ target: ModelBinding?) {
        idType = target?.idType?.unwrapped
        modelName = target?.schema.name
        type = RelationshipBinding.referenceType(target)
    }

    /// The part of entries that point at a target; nil when the relationship cannot.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the target's key is not one of its model's ids.
    func bytes(of target: AnyReference) throws -> [UInt8]? {
        var part = ByteWriter(capacity: 32)
        guard let modelName else {
            try target.storedBytes.withUnsafeBytes { try append(.data($0), to: &part) }
            return part.bytes()
        }
        guard target.modelName.hasBytes(of: modelName) else { return nil }
        try target.keyBytes.withUnsafeBytes { try append(key: $0, to: &part) }
        return part.bytes()
    }

    /// Appends the part of entries that point at the target with this whole key, of the relationship's one model.
    func append(key: UnsafeRawBufferPointer, to part: inout ByteWriter) throws {
        try RecordID.withValue(of: key, type: idType) { try append($0, to: &part) }
    }

    private func append(_ value: FieldValue, to part: inout ByteWriter) throws {
        try KeyPart.append(value, type: type, ignoring: [], direction: .ascending, to: &part)
    }

    /// The target of a part; nil for that of nil, or of a collection without members.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are no whole part.
    func target(of part: UnsafeRawBufferPointer) throws -> AnyReference? {
        guard let bytes = try key(of: part) else { return nil }
        return try modelName.map { AnyReference(modelName: $0, keyBytes: bytes) } ?? AnyReference(storedBytes: bytes)
    }

    /// The target's whole key, or, of a relationship to any model, the stored bytes of the reference; nil for the part of nil.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are no whole part.
    func key(of part: UnsafeRawBufferPointer) throws -> [UInt8]? {
        guard part.first == KeyPart.present else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: part.dropFirst())
        var part = KeyDecoder(bytes)
        guard let idType else { return try part.escaped() }
        guard let scalar = idType.scalar, !scalar.partIsKey else { return [UInt8](bytes) }
        return try scalar.keyBytes(ofPart: &part)
    }
}

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
            return try reader.forEachMember(record, part, ignoring: [], direction: .ascending, body)
        }
        var bytes = ByteWriter(capacity: 32)
        try reader.appendKeyPart(record, ignoring: [], direction: .ascending, to: &bytes)
        try bytes.withBytes(body)
    }

    /// Whether a record's field points at the target of a part.
    func record(_ record: RecordView, pointsAtTargetOf part: [UInt8]) throws -> Bool {
        var isFound = false
        try forEachPart(of: record) { if $0.isEqual(to: part.span.bytes) { isFound = true } }
        return isFound
    }
}
