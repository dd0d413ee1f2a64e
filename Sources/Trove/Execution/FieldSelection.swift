/// Values of some paths of a query's results, in place of whole objects.
struct FieldSelection {
    private let run: QueryRun
    private let readers: [FieldReader]
    /// Where an index has the values, so that records need not be read but for those whose entries were cut.
    private let covering: Covering?

    /// - Throws: what ``QueryRun`` throws; ``TroveError/unknownField(model:field:known:)``, ``TroveError/unknownPath(model:path:reason:)``.
    init(_ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft, _ paths: [FieldPath]) throws {
        readers = try paths.map { try FieldReader($0, in: model.binding) }
        run = try QueryRun(transaction, model, draft, .values(paths))
        covering = Covering(paths, run.plan)
    }

    /// How the values are found.
    ///
    /// - Parameter running: whether to find them too.
    func explain(running: Bool) throws -> Explanation {
        try run.explained(results: running ? rows().count : nil, readsRecords: covering == nil)
    }

    /// The values of all results, in the query's order.
    func rows() throws -> SelectedRows {
        var rows = SelectedRows(width: readers.count)
        guard let covering, case .index(let scan) = run.plan.access.kind else {
            try run.forEachRecord { key, record in
                try append(key, record, to: &rows)
                return .next
            }
            return rows
        }
        let row = CoveredRow(covering)
        var window = ResultWindow(run.query)
        guard !window.isClosed else { return rows }
        if let order = run.plan.order {
            try run.walk(scan, order, keepingEntries: true) { key, entry in
                try window.pass {
                    if let entry, try row.load(entry) { try append(row, key, to: &rows) } else { try appendRecord(of: key, to: &rows) }
                    return .next
                }
            }
            return rows
        }
        let step = run.plan.access.number
        try run.forEachEntry(scan) { entry in
            run.rows[step] += 1
            let key = entry.recordKey.bytes
            if try row.load(entry) { try append(row, key, to: &rows) } else { try appendRecord(of: key, to: &rows) }
        }
        return rows.sorted(run.plan.arrangement == .key(.descending) ? .descending : .ascending, behind: run.start?.key, window)
    }

    private func append(_ row: CoveredRow, _ key: RawSpan, to rows: inout SelectedRows) throws {
        rows.keys.append(key)
        for number in readers.indices { rows.values.append(try row.value(number)) }
    }

    private func append(_ key: RawSpan, _ record: RawSpan, to rows: inout SelectedRows) throws {
        try run.transaction.withRecordView(record, key: key, run.model) { view in
            rows.keys.append(try view.wholeKey)
            for reader in readers { rows.values.append(try reader.value(view)) }
        }
    }

    private func appendRecord(of key: RawSpan, to rows: inout SelectedRows) throws {
        guard let keyspace = run.model.keyspace else { return }
        let isFound = try run.reader.get(key, in: keyspace) { try append(key, $0, to: &rows) }
        if !isFound { try run.throwMissing(key) }
    }
}

/// The values of a selection, row after row in one list.
struct SelectedRows {
    /// How many values a row has.
    let width: Int
    /// The bytes of the ids.
    var keys = KeyList()
    var values: [StoredValue] = []

    var count: Int { keys.count }

    init(width: Int) {
        self.width = width
    }

    /// The values of a row.
    subscript(row: Int) -> ArraySlice<StoredValue> { values[row * width..<(row + 1) * width] }

    /// The rows in the order of the ids, those alone that are behind a place and in a window.
    func sorted(_ order: ScanOrder, behind start: ArraySlice<UInt8>?, _ window: ResultWindow) -> SelectedRows {
        var window = window
        var sorted = SelectedRows(width: width)
        sorted.values.reserveCapacity(values.count)
        keys.bytes.withUnsafeBytes { buffer in
            func key(_ row: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[keys.range(row)]) }
            let ascending = KeyList.ascending(count, key)
            for row in order == .ascending ? ascending : ascending.reversed() {
                if let start {
                    let place = key(row).bytes.compare(to: start)
                    guard order == .ascending ? place > 0 : place < 0 else { continue }
                }
                let step = window.pass {
                    sorted.keys.append(key(row))
                    sorted.values.append(contentsOf: self[row])
                    return .next
                }
                if step == .stop { break }
            }
        }
        return sorted
    }
}
