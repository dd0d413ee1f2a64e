/// Scans that open a record's encrypted fields only when it passes, where the filter does not ask for them: opening takes longer than all else.
extension ReadTransaction {
    /// What hands out records as they are stored, when a scan can judge them so by a filter; nil when it cannot, or nothing is encrypted.
    func storedRecords(of model: OpenModel, for filter: Filter) throws -> SealingReader? {
        guard let source = try reader as? SealingReader, !model.binding.hasLongIDs else { return nil }
        let binding = model.binding
        // Words are searched for in all properties with full text, without a path, and scores read them.
        let readsEncrypted = filter.hasFullText || filter.ownPaths.contains { path in
            if path == binding.idPath { return false }
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
                guard SealedRecord.isSealed(record), RecordFormat.isSound(record, key: key), try RecordDecoder.header(of: record).layout == model.binding.layout.number
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
