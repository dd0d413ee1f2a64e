/// A walk through an index from each different value of one of its parts to the next, however many objects have it.
struct DistinctWalk {
    /// How many entries of one value are passed over before the next value is sought.
    private static let maxRepeats = 16

    private let transaction: ReadTransaction
    private let model: OpenModel
    let scan: IndexScan
    /// The number of the part.
    private let position: Int
    private let part: IndexFields.Part
    private let type: FieldType
    private let layout: PartLayout
    private let watch: ReadWatch

    /// What the walk is given: the part of a value, ascending, and how to make the value.
    private typealias Body = (_ part: UnsafeRawBufferPointer, _ value: () throws -> StoredValue) throws -> ScanStep

    /// nil when the entries of the scan do not come in the order of the values at the path.
    init?(_ transaction: ReadTransaction, _ model: OpenModel, _ scan: IndexScan, _ path: FieldPath, _ watch: ReadWatch) {
        let parts = scan.index.fields.parts
        guard scan.index.schema.kind.isOrdered, scan.index.slice == nil, !scan.index.isMultiValued, scan.fixedParts < parts.count, !scan.mustRecheck else {
            return nil
        }
        let part = parts[scan.fixedParts]
        guard part.part.path == path, part.part.ignoring.isEmpty, let type = part.type else { return nil }
        self.transaction = transaction
        self.model = model
        self.scan = scan
        self.part = part
        self.watch = watch
        self.type = type
        position = scan.fixedParts
        layout = PartLayout(parts.map { ($0.type, $0.part.direction) })
    }

    /// The different values, ascending; nil is one of them.
    func values() throws -> [StoredValue] {
        var values: [StoredValue] = []
        _ = try forEach { _, value in
            values.append(try value())
            return .next
        }
        return values
    }

    /// How many different values there are, nil not counted.
    func count() throws -> Int {
        var count = 0
        _ = try forEach { part, _ in
            if part[0] == KeyPart.present { count += 1 }
            return .next
        }
        return count
    }

    /// The parts of the different values, ascending; nil when there are more than `limit`, or when records would have to be read for them.
    func parts(upTo limit: Int) throws -> [[UInt8]]? {
        var parts: [[UInt8]] = []
        let areAll = try forEach(readingRecords: false) { part, _ in
            parts.append([UInt8](part))
            return parts.count > limit ? .stop : .next
        }
        return areAll ? parts : nil
    }

    /// What a walk has met so far, in all ranges: they may have entries of one value each.
    private struct Progress {
        /// What the entries of the value that was handed on last begin with; empty when there is none.
        var last: [UInt8] = []
        /// How many entries of it the current part of the walk passed over.
        var repeats = 0
        var long = LongValues()
        let readsRecords: Bool
        var watch: ReadWatch

        /// The part of a range behind the entries of the last value.
        func rest(of range: KeyRange, _ order: ScanOrder) -> KeyRange {
            guard !last.isEmpty else { return range }
            if order == .descending {
                return range.upper.map { $0.lexicographicallyPrecedes(last) } ?? false ? range : KeyRange(from: range.lower, upTo: last)
            }
            guard let end = KeyRange.prefix(last).upper else { return KeyRange(from: last, upTo: last) }
            return range.lower.lexicographicallyPrecedes(end) ? KeyRange(from: end, upTo: range.upper) : range
        }
    }

    /// Returns whether the walk came to its end.
    private func forEach(readingRecords: Bool = true, _ body: Body) throws -> Bool {
        try transaction.flushIndexes()
        guard let keyspace = try transaction.indexKeyspace(scan.index) else { return true }
        let order: ScanOrder = part.part.direction == .ascending ? .ascending : .descending
        var progress = Progress(readsRecords: readingRecords, watch: watch)
        for range in order == .ascending ? scan.ranges : scan.ranges.reversed() {
            var end: End
            repeat {
                let rest = progress.rest(of: range, order)
                end = rest.isEmpty ? .endOfRange : try walk(rest, keyspace, order, &progress, body)
                if end == .stopped { return false }
            } while end == .repeated
        }
        return try progress.long.hand(body) == .next
    }

    /// How a part of the walk ended.
    private enum End {
        case endOfRange
        /// By the body, or by a value that is in a record alone, where none are to be read.
        case stopped
        /// The last value has too many entries to be passed over one by one.
        case repeated
    }

    /// Walks until a value repeats too often, or something stops it.
    private func walk(_ range: KeyRange, _ keyspace: Keyspace, _ order: ScanOrder, _ progress: inout Progress, _ body: Body) throws -> End {
        var step = ScanStep.next
        progress.repeats = 0
        try transaction.reader.scan(range, in: keyspace, order: order) { key, value in
            try progress.watch.step()
            let entry = try IndexEntry.readable(key, value, of: scan.index)
            if !progress.last.isEmpty, entry.parts.starts(with: progress.last) {
                progress.repeats += 1
                return progress.repeats > Self.maxRepeats ? .stop : .next
            }
            (progress.last, progress.repeats) = ([], 0)
            let start = layout.size(ofFirst: position, in: entry.parts)
            let end = layout.size(ofFirst: position + 1, in: entry.parts)
            guard let start, let end, end <= EntryFormat.keptPartsSize else {
                if !entry.isShortened, start == nil || end == nil { throw scan.index.otherParts }
                step = progress.readsRecords ? try add(entry, to: &progress.long, body) : .stop
                return step
            }
            step = try progress.long.hand(body)
            if step == .stop { return .stop }
            progress.last = [UInt8](entry.parts[..<end])
            step = try hand(UnsafeRawBufferPointer(rebasing: entry.parts[start..<end]), of: entry, body)
            return step
        }
        if step == .stop { return .stopped }
        return progress.repeats > Self.maxRepeats ? .repeated : .endOfRange
    }

    private func hand(_ bytes: UnsafeRawBufferPointer, of entry: IndexEntry, _ body: Body) throws -> ScanStep {
        let isInverted = part.part.direction == .descending
        func value() throws -> StoredValue {
            if type.scalar?.partTellsValue == true {
                return try scan.index.withPartValue(of: bytes, type, isInverted: isInverted) { try $0.storedValue() }
            }
            return try self.value(in: entry).value
        }
        if !isInverted { return try body(bytes, value) }
        return try bytes.map { ~$0 }.withUnsafeBytes { try body($0, value) }
    }

    /// A value that is not whole in its entry, or stands among such.
    private func add(_ entry: IndexEntry, to long: inout LongValues, _ body: Body) throws -> ScanStep {
        let kept = [UInt8](entry.parts.prefix(EntryFormat.keptPartsSize))
        if kept != long.kept {
            if try long.hand(body) == .stop { return .stop }
            long.kept = kept
        }
        let (part, value) = try value(in: entry)
        long.values[part] = value
        return .next
    }

    /// The value in the record of an entry, and its part, ascending.
    private func value(in entry: IndexEntry) throws -> (part: [UInt8], value: StoredValue) {
        var found: ([UInt8], StoredValue)?
        let key = entry.recordKey.bytes
        if let keyspace = model.keyspace {
            _ = try transaction.reader.get(key, in: keyspace) { record in
                try transaction.withRecordView(record, key: key, model) { view in
                    var bytes = ByteWriter(capacity: 256)
                    try part.reader.appendKeyPart(view, ignoring: [], direction: .ascending, to: &bytes)
                    found = (bytes.bytes(), try part.reader.value(view))
                }
            }
        }
        guard let found else {
            throw scan.index.missingRecord(of: key)
        }
        return found
    }

    /// Values that agree in all bytes that their entries have of them, so that these do not tell their order.
    private struct LongValues {
        var kept: [UInt8] = []
        var values: [[UInt8]: StoredValue] = [:]

        /// Hands the values on in their order, and forgets them.
        mutating func hand(_ body: Body) throws -> ScanStep {
            guard !values.isEmpty else { return .next }
            let sorted = values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            (kept, values) = ([], [:])
            for (part, value) in sorted {
                if try part.withUnsafeBytes({ bytes in try body(bytes) { value } }) == .stop { return .stop }
            }
            return .next
        }
    }
}
