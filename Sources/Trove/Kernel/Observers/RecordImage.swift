/// A record as those who follow changes are told of it: its bytes, which are decoded when somebody asks.
struct RecordImage: Sendable {
    let bytes: [UInt8]
    /// The layout that the bytes have.
    let layout: RecordLayout
    /// Where its lazy values are read from that are asked for.
    let annexes: (any AnnexSource)?
    /// What its model calls the fields now, where the program does not have it.
    var names = PresentNames.none

    /// The record by its fields; nil when a value of it cannot be read.
    func storedRecord(_ reference: AnyReference) -> StoredRecord? {
        do {
            return try bytes.withUnsafeBytes { bytes in
                try RecordKey(reference.keyBytes).bytes.withUnsafeBytes { key in
                    var decoder = try RecordDecoder(bytes, key: key, layout: layout, plan: nil)
                    var record = StoredRecord(key: reference.keyBytes, layout: layout, values: try decoder.storedValues(layout), annexes: annexes)
                    record.names = names
                    return record
                }
            }
        } catch {
            // Only the bytes can be at fault, and whoever may delete or replace the object has to hear of it all the same.
            return nil
        }
    }
}

extension RecordImage {
    /// A record in the current layout of its model.
    init(_ view: RecordView, _ binding: ModelBinding, _ transaction: ReadTransaction) {
        self.init(bytes: [UInt8](view.bytes), layout: binding.layout, annexes: transaction.annexes(of: binding.layout))
    }
}

extension ReadTransaction {
    /// A stored record in its model's current layout, or as it was written when the program does not have the model; nil when nobody can read it.
    func recordImage(_ record: RawSpan, key: RawSpan, _ binding: ModelBinding?) throws -> RecordImage? {
        guard let binding else {
            return try record.withUnsafeBytes { record in try key.withUnsafeBytes { try recordImage(asWritten: record, key: $0) } }
        }
        var found: RecordImage?
        do {
            try withRecordView(record, key: key, OpenModel(binding)) { found = RecordImage($0, binding, self) }
        } catch let error as StorageError {
            throw error
        } catch {
            return nil
        }
        return found
    }

    /// A record in the layout in which it was written; nil when nobody can read it.
    func recordImage(asWritten record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) throws -> RecordImage? {
        guard let layout = try layout(of: record, key: key) else { return nil }
        return RecordImage(bytes: [UInt8](record), layout: layout, annexes: annexes(of: layout), names: try presentNames(in: layout))
    }
}
