/// A scan of the records of a model in one transaction, which lets those through that pass a filter.
struct RecordScan {
    private let transaction: ReadTransaction
    private let model: OpenModel
    private let filter: CompiledFilter?
    /// What hands out records as they are stored, when the filter can judge them so.
    private let source: SealingReader?
    private(set) var rows = RecordRows()

    /// - Parameters:
    ///   - conditions: the filter.
    ///   - filter: the same compiled; nil when every record passes.
    init(_ transaction: ReadTransaction, _ model: OpenModel, _ conditions: Filter, _ filter: CompiledFilter?) throws {
        self.transaction = transaction
        self.model = model
        self.filter = filter
        source = filter == nil ? nil : try transaction.storedRecords(of: model, for: conditions)
    }

    /// Reads the records of a range in key order.
    ///
    /// - Parameters:
    ///   - isOrdered: whether the order is that of the ids, also of long ones, behind `start`.
    ///   - readsRecords: whether `body` looks at the records.
    ///   - stepper: asked before each record.
    mutating func read(
        _ range: KeyRange, _ order: ScanOrder, isOrdered: Bool, behind start: ArraySlice<UInt8>? = nil, readsRecords: Bool, _ stepper: inout some ScanStepping,
        _ body: QueryRun.RecordBody
    ) throws {
        guard let keyspace = model.keyspace else { return }
        // Locals: a property would be looked up and checked for exclusive access once a record.
        let (filter, transaction, model) = (filter, transaction, model)
        let (reader, watch) = (try transaction.reader, stepper.watch)
        func scan(_ body: QueryRun.RecordBody) throws {
            if isOrdered { return try transaction.scanInIDOrder(range, of: model, order, behind: start, watch, body) }
            try reader.scan(range, in: keyspace, order: order, body)
        }
        var (met, matches) = (0, 0)
        defer {
            rows.met += met
            rows.matches += matches
        }
        guard let filter else {
            return try scan { key, record in
                guard try stepper.step(at: key) == .next else { return .stop }
                met &+= 1
                matches &+= 1
                return try body(key, record)
            }
        }
        try withExtendedLifetime(filter) {
            let unretained = Unmanaged.passUnretained(filter)
            if let source {
                return try source.wrappedReader.scan(range.rest(order, after: start), in: keyspace, order: order) { key, record in
                    guard try stepper.step(at: key) == .next else { return .stop }
                    met &+= 1
                    var passes = false
                    try transaction.withStoredView(record, key: key, model, source) { passes = try filter.matches($0) }
                    guard passes else { return .next }
                    matches &+= 1
                    return readsRecords ? try source.withPlain(record, key: key) { try body(key, $0) } : try body(key, record)
                }
            }
            try scan { key, record in
                guard try stepper.step(at: key) == .next else { return .stop }
                met &+= 1
                var passes = false
                try transaction.withRecordView(record, key: key, model) { view in
                    passes = try unretained._withUnsafeGuaranteedRef { try $0.matches(view) }
                }
                guard passes else { return .next }
                matches &+= 1
                return try body(key, record)
            }
        }
    }
}

/// Scans that open a record's encrypted fields only when it passes, where the filter does not ask for them: opening takes longer than all else.
extension ReadTransaction {
    /// What hands out records as they are stored, when a scan can judge them so by a filter; nil when it cannot, or nothing is encrypted.
    func storedRecords(of model: OpenModel, for filter: Filter) throws -> SealingReader? {
        guard let source = try reader as? SealingReader, !model.binding.hasLongIDs else { return nil }
        let binding = model.binding
        // Words are searched for in all properties with full text, without a path. A quantifier's condition may name the record's own properties, too.
        let readsEncrypted = filter.hasFullText || filter.hasPath { path in
            if path.field.isEmpty || path == binding.idPath { return false }
            guard let place = binding.fieldPlace(of: path) else { return true }
            return binding.schema.fields[place.position].isEncrypted
        }
        return readsEncrypted ? nil : source
    }

    /// Calls `body` with a record as it is stored, in the model's current layout, of which it reads no encrypted field.
    func withStoredView(
        _ record: RawSpan, key: RawSpan, _ model: OpenModel, _ source: SealingReader, _ body: (RecordView) throws -> Void
    ) throws {
        let fields = model.binding.schema.fields
        let isRead = try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in
                guard SealedRecord.isSealed(record), RecordFormat.isSound(record, key: key),
                    try RecordDecoder.header(of: record).layout == model.binding.layout.number
                else { return false }
                do {
                    var view = try RecordView(trusting: record, key: key, layout: model.binding.layout, passesOverSealed: true)
                    // One that was sealed when the model said of more fields that they are encrypted.
                    guard try SealedRecord.seals(only: { fields[$0].isEncrypted }, in: view) else { return false }
                    view.annexes = annexes(of: model.binding.layout)
                    try body(view)
                } catch {
                    throw model.binding.recordError(error, key: key)
                }
                return true
            }
        }
        if isRead { return }
        try source.withPlain(record, key: key) { try withRecordView($0, key: key, model, body) }
    }
}
