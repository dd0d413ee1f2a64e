/// Finds what points at many records through one relationship, in the order of its index.
struct SourceScan {
    let relationship: RelationshipBinding
    private let transaction: WriteTransaction
    private let index: IndexBinding?
    private let entries: Keyspace?

    /// - Throws: what writing the index's noted changes throws.
    init(_ transaction: WriteTransaction, _ relationship: RelationshipBinding) throws {
        self.transaction = transaction
        self.relationship = relationship
        // Unique indexes are judged by the end of a batch, not now.
        try transaction.maintenance?.flush(insideBatch: true)
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
        let cursor = try transaction.reader.cursor(in: entries)
        /// How many entries are passed by before the cursor seeks.
        let maxSteps = 3
        var isAtEntry = false
        var hasSought = false
        for target in targets {
            let reference = RecordNumber(model: Int32(model), key: UInt32(target))
            guard let part = try part(of: reference, records) else { continue }
            guard part.count <= EntryFormat.keptPartsSize else {
                try transaction.forEachSource(of: records.reference(reference), in: relationship) { source, stop in
                    stop = try source.withUnsafeBytes { try body(target, $0) } == .stop
                }
                continue
            }
            var steps = hasSought ? 0 : maxSteps
            var place = -1
            if !hasSought { hasSought = true } else if !isAtEntry { return } else { place = try compare(cursor, part) }
            while place < 0 {
                isAtEntry = try steps < maxSteps ? cursor.next() : cursor.seek(to: part.span.bytes)
                steps += 1
                guard isAtEntry else { break }
                place = try compare(cursor, part)
            }
            while isAtEntry, place == 0 {
                var step = ScanStep.next
                _ = try cursor.withEntry { key, value in
                    let entry = try IndexEntry.readable(key, value, of: index)
                    step = try body(target, entry.recordKey)
                }
                if step == .stop { break }
                isAtEntry = try cursor.next()
                if isAtEntry { place = try compare(cursor, part) }
            }
        }
    }

    /// Where the entry that a cursor is at stands: below a part, 0 for one of it, or above.
    private func compare(_ cursor: any StorageCursor, _ part: [UInt8]) throws -> Int {
        var place = 0
        _ = try cursor.withEntry { key, _ in
            key.withUnsafeBytes { key in
                part.withUnsafeBytes { part in
                    place = KeyList.compare(UnsafeRawBufferPointer(rebasing: key.prefix(part.count)), part)
                }
            }
        }
        return place
    }

    /// The part of the index's entries of a target; nil when it has a key that no reference of the relationship can have.
    private func part(of record: RecordNumber, _ records: RecordTable) throws -> [UInt8]? {
        do {
            return try relationship.references.bytes(of: records.reference(record))
        } catch TroveError.corruptKey {
            return nil
        }
    }

    /// Looks at all records: the index is not ready.
    private func scanRecords(
        _ targets: [Int], _ records: RecordTable, _ model: Int, _ body: (_ target: Int, _ source: UnsafeRawBufferPointer) throws -> ScanStep
    ) throws {
        guard let keyspace = try transaction.reader.keyspace(named: relationship.model.schema.name) else { return }
        var parts: [[UInt8]: Int] = [:]
        for target in targets {
            if let part = try part(of: RecordNumber(model: Int32(model), key: UInt32(target)), records) { parts[part] = target }
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
