/// A field of an object that points at another object: an object, and the field of it that has the reference.
public struct ReferenceSource: Sendable, Hashable {
    /// The name of the pointing object's model.
    public let modelName: String
    /// The bytes of the pointing object's id, ``StorableKey/keyBytes``.
    public let keyBytes: [UInt8]
    /// The field with the reference.
    public let field: String
    /// What tells how the id is shown.
    private let model: ModelBinding?

    init(modelName: String, keyBytes: [UInt8], field: String, model: ModelBinding? = nil) {
        self.modelName = modelName
        self.keyBytes = keyBytes
        self.field = field
        self.model = model
    }

    /// A reference to the pointing object.
    public var reference: AnyReference { AnyReference(modelName: modelName, keyBytes: keyBytes) }
}

extension ReferenceSource {
    public static func == (left: ReferenceSource, right: ReferenceSource) -> Bool { left.reference == right.reference && left.field == right.field }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(reference)
        hasher.combine(field)
    }
}

extension ReferenceSource: CustomStringConvertible {
    /// The pointing object and the field, as `Song(7).album`.
    public var description: String { "\(reference.shown(by: model)).\(field)" }
}

extension AnyReference {
    /// The model's name and the id, as the model shows it where it is known.
    fileprivate func shown(by model: ModelBinding?) -> String { model.map { "\(modelName)(\($0.shownID(keyBytes)))" } ?? description }
}

/// A reference to an object that is not stored.
///
/// There may be such: objects are saved in any order, and ``DeleteRule/noAction`` leaves references behind.
public struct DanglingReference: Sendable, Hashable, CustomStringConvertible {
    /// The object and field with the reference.
    public let source: ReferenceSource
    /// The missing object.
    public let target: AnyReference
    /// What tells how the missing object's id is shown.
    private let targetModel: ModelBinding?

    init(source: ReferenceSource, target: AnyReference, _ targetModel: ModelBinding? = nil) {
        self.source = source
        self.target = target
        self.targetModel = targetModel
    }

    public static func == (left: DanglingReference, right: DanglingReference) -> Bool { left.source == right.source && left.target == right.target }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(target)
    }

    /// What points at what, as `Song(7).album points at Album(3), which is not stored`.
    public var description: String { "\(source) points at \(target.shown(by: targetModel)), which is not stored" }
}

extension ReadTransaction {
    /// The record with this engine's key as what has a relationship.
    func source(_ key: RawSpan, _ relationship: RelationshipBinding) throws -> ReferenceSource {
        let model = relationship.model
        return ReferenceSource(modelName: model.schema.name, keyBytes: try wholeKey(key, of: model), field: relationship.name, model: model)
    }

    private func danglingReference(_ key: RawSpan, _ relationship: RelationshipBinding, _ target: AnyReference) throws -> DanglingReference {
        try DanglingReference(source: source(key, relationship), target: target, relationship.target ?? namedModel(target.modelName))
    }

    /// Calls `body` with each reference of one relationship that points at what is not stored.
    func forEachDanglingReference(of relationship: RelationshipBinding, _ body: (DanglingReference) throws -> ScanStep) throws {
        try flushIndexes()
        guard let index = try reverseIndex(of: relationship) else { return try scanDangling(relationship, body) }
        guard let entries = try indexKeyspace(index) else { return }
        let targets = TargetWalk(self)
        var last: (part: [UInt8], target: AnyReference?) = ([], nil)
        var watch = watch
        try reader.scan(in: entries) { key, value in
            try watch.step()
            let entry = try IndexEntry.readable(key, value, of: index)
            if entry.isShortened { return try shortenedDangling(entry, relationship, body) }
            // Sources of one target come one after the other.
            if !entry.parts.elementsEqual(last.part) {
                let target = try relationship.references.target(of: entry.parts)
                last = ([UInt8](entry.parts), try target.flatMap { try targets.isStored($0) ? nil : $0 })
            }
            guard let target = last.target else { return .next }
            return try body(danglingReference(entry.recordKey.bytes, relationship, target))
        }
    }

    /// As above for an entry of a target with a long id, which the record alone has whole.
    private func shortenedDangling(
        _ entry: IndexEntry, _ relationship: RelationshipBinding, _ body: (DanglingReference) throws -> ScanStep
    ) throws -> ScanStep {
        guard let keyspace = try recordKeyspace(of: relationship.model.schema.name) else { return .next }
        var dangling: AnyReference?
        _ = try reader.get(entry.recordKey.bytes, in: keyspace) { record in
            try withRecordView(record, key: entry.recordKey.bytes, OpenModel(relationship.model)) { view in
                try relationship.forEachPart(of: view) { part in
                    var short = ByteWriter(capacity: part.byteCount)
                    part.withUnsafeBytes { short.append($0) }
                    guard short.shortenParts(from: 0), short.bytes().elementsEqual(entry.parts) else { return }
                    dangling = try part.withUnsafeBytes { try relationship.references.target(of: $0) }
                }
            }
        }
        guard let target = dangling, try !isStored(target) else { return .next }
        return try body(danglingReference(entry.recordKey.bytes, relationship, target))
    }

    /// As above from the records, while the index is not ready.
    private func scanDangling(_ relationship: RelationshipBinding, _ body: (DanglingReference) throws -> ScanStep) throws {
        guard let keyspace = try recordKeyspace(of: relationship.model.schema.name) else { return }
        let model = OpenModel(relationship.model)
        var watch = watch
        try reader.scan(in: keyspace) { key, record in
            try watch.step()
            var targets: [AnyReference] = []
            try withRecordView(record, key: key, model) { targets = try relationship.targets(of: $0) }
            var known: Set<AnyReference> = []
            for target in targets where known.insert(target).inserted {
                guard try !isStored(target) else { continue }
                if try body(danglingReference(key, relationship, target)) == .stop { return .stop }
            }
            return .next
        }
    }
}

/// Tells of one target after the other whether it is stored, walking the records' keys forward as the targets ascend.
private final class TargetWalk {
    /// How many keys the walk passes over before it seeks.
    private static let maxSteps = 8

    private let transaction: ReadTransaction
    private var modelName = ""
    private var cursor: (any StorageCursor)?
    /// The key that the cursor is at; nil before the first look, empty behind the last key.
    private var place: [UInt8]?

    init(_ transaction: ReadTransaction) {
        self.transaction = transaction
    }

    func isStored(_ target: AnyReference) throws -> Bool {
        // A shortened key may be another id's.
        if target.keyBytes.count > RecordKey.maxWholeSize { return try transaction.isStored(target) }
        if target.modelName != modelName || place == nil {
            modelName = target.modelName
            cursor = try transaction.recordKeyspace(of: modelName).map { try transaction.reader.cursor(in: $0) }
            place = nil
        }
        guard let cursor, !target.keyBytes.isEmpty else { return false }
        if var here = place {
            // Nothing is above the last key but what has not been asked for yet.
            if here.isEmpty { return false }
            var steps = 0
            while here.lexicographicallyPrecedes(target.keyBytes), steps < Self.maxSteps {
                here = try cursor.next() ? key(cursor) : []
                place = here
                if here.isEmpty { return false }
                steps += 1
            }
            if here == target.keyBytes { return true }
            if !here.lexicographicallyPrecedes(target.keyBytes), steps > 0 { return false }
        }
        place = try cursor.seek(to: target.keyBytes.span.bytes) ? key(cursor) : []
        return place == target.keyBytes
    }

    private func key(_ cursor: any StorageCursor) throws -> [UInt8] {
        var key: [UInt8] = []
        _ = try cursor.withEntry { bytes, _ in key = [UInt8](copying: bytes) }
        return key
    }
}
