extension MixedFetch where Object == StoredRecord {
    /// Passes the records to the closure as lines of JSON, in the query's order, from their bytes, in pieces of about 64 KiB.
    ///
    /// ```swift
    /// try store.fetchRecords(of: ["Song"]).matching("year > 1959").jsonLines { try file.write(contentsOf: $0) }
    /// ```
    ///
    /// A line is what ``ObjectStore/exportJSON(to:progress:)`` writes of the record, without the place of its
    /// layout. Memory is as of ``forEach(_:)``.
    ///
    /// - Parameter write: gets each piece of UTF-8, which ends with a line and is valid during the call. When it throws, the reading ends with its error. Of a
    ///   record that cannot be read it has got all before it.
    /// - Returns: how many records there were.
    /// - Throws: what ``all()`` throws.
    @discardableResult
    public func jsonLines(into write: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        try withoutActuallyEscaping(write) { write in
            try source.read { transaction in
                let models = try models.parts(in: transaction).map(\.model)
                let lines = try RecordLines(transaction, write)
                do {
                    try MixedRun(transaction, models, draft).forEachRecord { model, _, key, record in
                        try lines.add(record, key: key, models[model])
                        return .next
                    }
                } catch {
                    try lines.flush()
                    throw error
                }
                try lines.flush()
                return lines.count
            }
        }
    }
}

/// Writes records of any models as lines of JSON.
private final class RecordLines {
    private static let pieceSize = 1 << 16

    private let transaction: ReadTransaction
    private let receive: (UnsafeRawBufferPointer) throws -> Void
    private let ids: [UInt16: IDCoding]
    private var writers: [UInt16: JSONRecordWriter] = [:]
    private var last: (number: UInt16, writer: JSONRecordWriter)?
    private var writer = JSONWriter(capacity: pieceSize + 1 << 12)
    /// Where the last whole line ends.
    private var end = 0
    private(set) var count = 0

    init(_ transaction: ReadTransaction, _ write: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
        self.transaction = transaction
        receive = write
        ids = try Dictionary(Catalogue.entries(transaction.reader).map { ($0.layout.number, IDCoding($0.id)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a record: of a model that the program has in the model's current layout, of another in its own.
    func add(_ record: RawSpan, key: RawSpan, _ model: OpenModel) throws {
        if model.type == ObjectIdentifier(StoredRecord.self) {
            try addStored(record, key: key, model)
        } else {
            try transaction.withRecordView(record, key: key, model) { try append($0, of: model.binding.layout) }
        }
        writer.endLine()
        end = writer.bytes.count
        count += 1
        if writer.bytes.count >= Self.pieceSize { try flush() }
    }

    /// Gives the whole lines that wait.
    func flush() throws {
        if end == 0 { return }
        let size = end
        defer {
            writer.bytes.count = 0
            end = 0
        }
        try writer.bytes.withBytes { try $0.withUnsafeBytes { try receive(UnsafeRawBufferPointer(rebasing: $0[..<size])) } }
    }

    private func addStored(_ record: RawSpan, key: RawSpan, _ model: OpenModel) throws {
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in
                do {
                    let layout = try transaction.storedLayout(RecordDecoder.header(of: record).layout)
                    var view = try RecordView(checking: record, key: key, layout: layout)
                    view.annexes = transaction.annexes(of: layout)
                    try append(view, of: layout)
                } catch {
                    throw model.binding.recordError(error, key: key)
                }
            }
        }
    }

    private func append(_ record: RecordView, of layout: RecordLayout) throws {
        if last?.number != layout.number {
            let writer = writers[layout.number] ?? JSONRecordWriter(layout, id: ids[layout.number] ?? IDCoding(IDSchema(type: "composite", parts: [])))
            writers[layout.number] = writer
            last = (layout.number, writer)
        }
        try last?.writer.write(record, to: &writer)
    }
}
