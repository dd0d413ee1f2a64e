/// Records that wait until what their references lead to is read for all of them. Where nothing has to be read, they do not wait.
struct ReferencingBatch {
    private static let maxCount = 256
    private static let maxBytes = 1 << 20

    private let values: ReferencedValues?
    private var watch: ReadWatch
    private var keys = KeyList()
    private var records = KeyList()
    private var size = 0

    /// - Parameter values: what has to be read; nil when nothing has to be.
    init(_ values: ReferencedValues?, _ watch: ReadWatch) {
        self.values = values
        self.watch = watch
    }

    /// Adds a record, and hands all that wait to `body` when they are enough; returns its last answer.
    @inline(__always)
    mutating func add(_ key: RawSpan, _ record: RawSpan, _ body: QueryRun.RecordBody) throws -> ScanStep {
        values == nil ? try body(key, record) : try wait(key, record, body)
    }

    @inline(never)
    private mutating func wait(_ key: RawSpan, _ record: RawSpan, _ body: QueryRun.RecordBody) throws -> ScanStep {
        keys.append(key)
        records.append(record)
        size += record.byteCount
        return keys.count == Self.maxCount || size > Self.maxBytes ? try finish(body) : .next
    }

    /// Hands the records that wait to `body`, until it returns ``ScanStep/stop``.
    @discardableResult
    mutating func finish(_ body: QueryRun.RecordBody) throws -> ScanStep {
        guard let values, !keys.isEmpty else { return .next }
        defer {
            keys.removeAll()
            records.removeAll()
            size = 0
        }
        return try values.visit(keys, records, &watch, body)
    }
}

extension QueryRun {
    /// Calls `body` with the key and record of each result, in order, while what is wanted of its values behind references is at hand, until it returns
    /// ``ScanStep/stop``.
    func forEachResult(_ body: RecordBody) throws {
        var batch = ReferencingBatch(selected, watch)
        try forEachRecord { try batch.add($0, $1, body) }
        try batch.finish(body)
    }
}
