/// A record as a delegate is told of it: its bytes, which are decoded when somebody asks.
struct RecordImage: Sendable {
    let bytes: [UInt8]
    /// The layout that the bytes have.
    let layout: RecordLayout
    /// Where its lazy values are read from that are asked for.
    let annexes: (any AnnexSource)?

    /// The record by its fields; nil when a value of it cannot be read.
    func storedRecord(_ reference: AnyReference) -> StoredRecord? {
        do {
            return try bytes.withUnsafeBytes { bytes in
                try RecordKey(reference.keyBytes).bytes.withUnsafeBytes { key in
                    var decoder = try RecordDecoder(bytes, key: key, layout: layout, plan: nil)
                    return StoredRecord(key: reference.keyBytes, layout: layout, values: try decoder.storedValues(layout), annexes: annexes)
                }
            }
        } catch {
            // Only the bytes can be at fault, and whoever may delete or replace the object has to hear of it all the same.
            return nil
        }
    }
}
