/// Values of some paths of a query's results, in place of whole objects.
struct FieldSelection {
    private let run: QueryRun
    private let readers: [FieldReader]
    /// Where an index has the values, so that records need not be read but for those whose entries were cut.
    private let covering: Covering?

    /// - Throws: what ``QueryRun`` throws; ``TroveError/unknownField(model:field:known:)``, ``TroveError/unknownPath(model:path:reason:)``.
    init(_ transaction: ReadTransaction, _ model: OpenModel, _ draft: QueryDraft, _ paths: [FieldPath]) throws {
        let paths = try transaction.namingReferences(paths, of: model.binding)
        let referenced = try transaction.referencedValues(model, at: paths)
        readers = try paths.map { try referenced?.reader(of: $0) ?? FieldReader($0, in: model.binding) }
        run = try QueryRun(transaction, model, draft, .values(paths), selected: referenced)
        // No index has what is behind a reference.
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
            try run.forEachResult { key, record in
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
        rows.reserve(run.plan.access.estimatedRows)
        try run.forEachEntry(scan) { entry in
            run.rows[step] += 1
            let key = entry.recordKey.bytes
            if try row.load(entry) { try append(row, key, to: &rows) } else { try appendRecord(of: key, to: &rows) }
        }
        rows.sort(run.plan.arrangement == .key(.descending) ? .descending : .ascending, behind: run.start?.key, window)
        return rows
    }

    private func append(_ row: CoveredRow, _ key: RawSpan, to rows: inout SelectedRows) throws {
        rows.keys.append(key)
        for number in readers.indices { rows.values.append(try row.value(number)) }
    }

    private func append(_ key: RawSpan, _ record: RawSpan, to rows: inout SelectedRows) throws {
        try run.transaction.withRecordView(record, key: key, run.model) { view in
            rows.keys.append(try view.wholeKey)
            let view = run.selected?.looking(view) ?? view
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
@usableFromInline
struct SelectedRows {
    /// How many values a row has.
    @usableFromInline let width: Int
    /// The bytes of the ids.
    fileprivate var keys = KeyList()
    @usableFromInline fileprivate(set) var values: [StoredValue] = []
    /// The numbers of the results' rows, in the order of the results; nil when it is that in which the rows were found.
    @usableFromInline private(set) var order: [Int]?

    @usableFromInline var count: Int { order?.count ?? keys.count }

    init(width: Int) {
        self.width = width
    }

    /// Makes room for the rows that are expected, so that their values need not move while they grow; not where nobody has counted.
    fileprivate mutating func reserve(_ expected: Double) {
        guard expected.isFinite else { return }
        // Somewhat more than a sample tells: room that is not used takes no memory from the system, growing takes all of it again.
        let count = Int(min(expected * 1.25, 65_536))
        keys.expect(count)
        values.reserveCapacity(count * width)
    }

    /// The values of a row.
    subscript(row: Int) -> ArraySlice<StoredValue> {
        let number = number(of: row)
        return values[number * width..<(number + 1) * width]
    }

    /// A value of a row.
    @inlinable
    func value(_ column: Int, of row: Int) -> StoredValue { values[number(of: row) * width + column] }

    /// The bytes of a row's id.
    func key(of row: Int) -> [UInt8] { keys[number(of: row)] }

    @inlinable
    func number(of row: Int) -> Int { order?[row] ?? row }

    /// Puts the rows in the order of the ids, and leaves out those that are not behind a place or not in a window.
    mutating func sort(_ direction: ScanOrder, behind start: ArraySlice<UInt8>?, _ window: ResultWindow) {
        var sorted = keys.ascending()
        if direction == .descending { sorted.reverse() }
        if let start {
            sorted.removeAll { row in
                let place = keys.withKey(at: row) { $0.compare(to: start) }
                return direction == .ascending ? place <= 0 : place >= 0
            }
        }
        order = window.passing(sorted)
    }
}
