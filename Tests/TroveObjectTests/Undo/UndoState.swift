import Trove

/// All that a store of a library says, without live objects.
struct UndoState: Equatable {
    let records: [String: [[UInt8]: [StoredValue]]]

    /// What a read shows.
    init(_ transaction: ReadTransaction) throws {
        var records: [String: [[UInt8]: [StoredValue]]] = [:]
        for name in ["UndoShelf", "UndoBook", "UndoTag"] where try transaction.modelNames().contains(name) {
            try transaction.forEachStoredRecord(of: name) { record, _ in
                var values = record.fieldNames.map { record[$0] ?? .null }
                // Which objects come back to the inner side of an inverse is a rule, but not in which order.
                if name == "UndoTag", case .array(let books) = values[1] { values[1] = .array(books.sorted { "\($0)" < "\($1)" }) }
                records[name, default: [:]][record.key] = values
            }
        }
        self.records = records
    }

    var count: Int { records.values.reduce(0) { $0 + $1.count } }
}
