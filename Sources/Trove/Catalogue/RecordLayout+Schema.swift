extension RecordBuffer {
    /// Leaves the object's record in the buffer, under the whole key that is in ``key``.
    mutating func encode(_ object: some Model, _ layout: RecordLayout) throws {
        begin(layout, isWide: false)
        try object.encode(into: &record)
        if try finish() { return }
        begin(layout, isWide: true)
        try object.encode(into: &record)
        _ = try finish()
    }

    /// Leaves the record's key and bytes in the buffer.
    mutating func encode(_ stored: StoredRecord, _ layout: RecordLayout) throws {
        key.removeAll()
        key.append(whole: stored.key)
        for isWide in [false, true] {
            begin(layout, isWide: isWide)
            for (value, field) in zip(stored.values, layout.fields) {
                do {
                    try record.encode(value, as: field.type)
                } catch DecodingFault.unfit(let reason) {
                    throw TroveError.encodingFailed(model: stored.typeName, field: field.name, reason: reason)
                }
            }
            if try finish() { return }
        }
    }
}
