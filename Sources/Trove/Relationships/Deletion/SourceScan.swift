/// Finds what points at many records through one relationship, in the order of its index.
///
/// It may be used again as long as the transaction changes nothing.
final class SourceScan {
    let relationship: RelationshipBinding
    private let transaction: WriteTransaction
    private let index: IndexBinding?
    private let entries: Keyspace?
    private var cursor: (any StorageCursor)?

    /// - Throws: what writing the index's noted changes throws.
    init(_ transaction: WriteTransaction, _ relationship: RelationshipBinding) throws {
        self.transaction = transaction
        self.relationship = relationship
        // Unique indexes are judged by the end of a batch, not now.
        try transaction.pipeline?.flush(insideBatch: true)
        index = try transaction.reverseIndex(of: relationship)
        entries = try index.flatMap { try transaction.indexKeyspace($0) }
    }

    /// Calls `body` with each source of each target, by its number and the source's key in the engine, until it has enough of the target.
    ///
    /// - Parameter targets: the numbers of records of one model, in the order of their keys.
    func forEachSource(
        of targets: [Int], in records: RecordTable, _ model: Int, _ body: (_ target: Int, _ source: UnsafeRawBufferPointer) throws -> ScanStep
    ) throws {
        guard relationship.mayPoint(at: records.modelNames[model]), !targets.isEmpty else { return }
        guard let index else { return try scanRecords(targets, records, model, body) }
        guard let entries else { return }
        let cursor = try self.cursor ?? transaction.reader.cursor(in: entries)
        self.cursor = cursor
        var walk = Walk(cursor: cursor)
        var part = ByteWriter(capacity: 64)
        for target in targets {
            let record = RecordNumber(model: Int32(model), key: UInt32(target))
            part.count = 0
            guard try append(partOf: record, records, model, to: &part) else { continue }
            guard part.count <= EntryFormat.keptPartsSize else {
                try transaction.forEachSource(of: records.reference(record), in: relationship) { source, stop in
                    stop = try source.withUnsafeBytes { try body(target, $0) } == .stop
                }
                continue
            }
            let goesOn = try part.withBytes { part in
                guard try walk.move(to: part) else { return false }
                while try walk.isAt(part) {
                    var step = ScanStep.next
                    _ = try cursor.withEntry { key, value in
                        step = try body(target, IndexEntry.readable(key, value, of: index).recordKey)
                    }
                    guard step == .next, try walk.next() else { break }
                }
                return true
            }
            if !goesOn { return }
        }
    }

    /// A cursor that goes up, by steps where the way is short.
    private struct Walk {
        /// How many entries are passed by before the cursor seeks.
        private static let maxSteps = 3

        let cursor: any StorageCursor
        private var isAtEntry = false
        private var hasBegun = false

        init(cursor: any StorageCursor) { self.cursor = cursor }

        mutating func next() throws -> Bool {
            isAtEntry = try cursor.next()
            return isAtEntry
        }

        /// Moves to the first entry at or above a part; false when there is none.
        mutating func move(to part: RawSpan) throws -> Bool {
            if hasBegun {
                var steps = 0
                while isAtEntry, try place(of: part) < 0 {
                    isAtEntry = try steps < Self.maxSteps ? cursor.next() : cursor.seek(to: part)
                    steps += 1
                }
            } else {
                hasBegun = true
                isAtEntry = try cursor.seek(to: part)
            }
            return isAtEntry
        }

        /// Whether the entry is one of a part.
        func isAt(_ part: RawSpan) throws -> Bool { try isAtEntry && place(of: part) == 0 }

        /// Where the entry stands: below a part, 0 for one of it, or above.
        private func place(of part: RawSpan) throws -> Int {
            var place = 0
            _ = try cursor.withEntry { key, _ in
                place = key.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0.prefix(part.byteCount)).bytes.compare(to: part) }
            }
            return place
        }
    }

    /// Appends the part of the index's entries of a target; false when it has a key that no reference of the relationship can have.
    private func append(partOf record: RecordNumber, _ records: RecordTable, _ model: Int, to part: inout ByteWriter) throws -> Bool {
        do {
            if relationship.target != nil, !records.lacksWholeKey(record) {
                try records.withWholeKey(record) { try relationship.references.append(key: $0, to: &part) }
                return true
            }
            guard let bytes = try relationship.references.bytes(of: records.reference(record)) else { return false }
            bytes.withUnsafeBytes { part.append($0) }
            return true
        } catch TroveError.corruptKey {
            return false
        }
    }

    /// Looks at all records: the index is not ready.
    private func scanRecords(
        _ targets: [Int], _ records: RecordTable, _ model: Int, _ body: (_ target: Int, _ source: UnsafeRawBufferPointer) throws -> ScanStep
    ) throws {
        guard let keyspace = try transaction.reader.keyspace(named: relationship.model.schema.name) else { return }
        var parts: [[UInt8]: Int] = [:]
        for target in targets {
            var part = ByteWriter(capacity: 64)
            let record = RecordNumber(model: Int32(model), key: UInt32(target))
            if try append(partOf: record, records, model, to: &part) { parts[part.bytes()] = target }
        }
        let source = OpenModel(relationship.model)
        try transaction.reader.scan(in: keyspace) { key, record in
            try transaction.withRecordView(record, key: key, source) { view in
                var found: Set<Int> = []
                try relationship.forEachPart(of: view) { part in
                    guard let target = parts[[UInt8](copying: part)], found.insert(target).inserted else { return }
                    if try body(target, view.key) == .stop { parts[[UInt8](copying: part)] = nil }
                }
            }
            return parts.isEmpty ? .stop : .next
        }
    }
}
