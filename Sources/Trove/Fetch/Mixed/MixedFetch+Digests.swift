/// A record with what tells its stored bytes from others.
package struct DigestedRecord: Sendable {
    package let record: StoredRecord
    /// A hash of the bytes that the store has, the same in every process: also of values that nest deeply, and of encrypted ones that nobody here can read.
    package let digest: UInt64
}

extension ObjectSource {
    /// A query as ``fetchRecords(of:)``, for whoever asks what has changed since.
    package func fetchDigestedRecords(of names: [String]) -> MixedFetch<DigestedRecord, Self> { MixedFetch(self, .digested(names)) }
}

extension ModelSelection<DigestedRecord> {
    fileprivate static func digested(_ names: [String]) -> ModelSelection {
        let records = ModelSelection<StoredRecord>.named(names)
        return ModelSelection(names.joined(separator: ", "), []) { transaction in
            try records.parts(in: transaction).map { part in
                Part(model: part.model) { record, key, transaction in
                    let digest = record.withUnsafeBytes { RecordChecksum.version(of: $0) }
                    return DigestedRecord(record: try part.make(record, key, transaction), digest: digest)
                }
            }
        }
    }
}
