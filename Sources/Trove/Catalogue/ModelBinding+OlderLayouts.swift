/// Records of older layouts as those see them who make no objects of them.
extension ModelBinding {
    /// Whether records of another layout have fields of which the model reads nothing: it has removed them, or another program has added them.
    ///
    /// - Throws: what ``plan(for:)`` throws.
    func passesOverFields(of stored: RecordLayout) throws -> Bool {
        let plan = try plan(for: stored)
        return !stored.fields.indices.allSatisfy { plan.reads([$0]) }
    }

    /// Writes a record of an older layout in the current one for who looks at the bytes of values, as conditions and indexes do: with the values that are
    /// stored, as in a record of the current layout. An object would store some otherwise, whose types make of old bytes what they have not stored. Only of
    /// what the record lacks, and of all of an earlier version, which is upgraded, it has the object's.
    ///
    /// - Throws: `DecodingFault`; what making the object throws.
    func show(_ record: inout RecordDecoder, _ buffer: inout RecordBuffer) throws {
        if storedEntry != nil || record.isOutdated { return try normalise(&record, &buffer) }
        if record.layout.documentPosition != nil { return try showDocument(&record, &buffer) }
        let told = try valuesTold(by: &record)
        var values = told.compactMap(\.self)
        if values.count < told.count {
            try normalise(&record, &buffer)
            values = zip(told, try storedValues(in: buffer)).map { $0 ?? $1 }
        }
        try write(values, of: &record, &buffer)
    }

    /// The same of a document that the model has adopted, whose layout is never the current one: as the object has the values, where one can be made. In a
    /// document people wrote them in other forms.
    private func showDocument(_ record: inout RecordDecoder, _ buffer: inout RecordBuffer) throws {
        do {
            try normalise(&record, &buffer)
        } catch DecodingFault.unfit(let reason) {
            let field = record.field
            let told = try valuesTold(by: &record)
            let values = told.compactMap(\.self)
            if values.count < told.count {
                record.field = field
                throw DecodingFault.unfit(reason: reason)
            }
            try write(values, of: &record, &buffer)
        }
    }

    /// Writes values, in the order of the current layout, for who only looks at them.
    private func write(_ values: [StoredValue], of record: inout RecordDecoder, _ buffer: inout RecordBuffer) throws {
        buffer.record.keepsLazyValues = true
        defer { buffer.record.keepsLazyValues = false }
        try buffer.encode(StoredRecord(key: record.wholeKey(), layout: layout, values: values), layout)
    }

    /// The values of the properties, as far as a record of an older layout tells them; nil of one that it lacks and of which only the object has the default
    /// value.
    private func valuesTold(by record: inout RecordDecoder) throws -> [StoredValue?] {
        var values: [StoredValue?] = []
        for (place, field) in schema.fields.enumerated() {
            record.field = place + 1
            if let value = try record.value(ofProperty: place) {
                values.append(value)
            } else {
                values.append(field.isNilWhenMissing ? try StoredValue.null.converted(to: field.type) : .none)
            }
        }
        record.field = 0
        return values
    }

    /// The values of the record in a buffer, which is in the current layout.
    private func storedValues(in buffer: borrowing RecordBuffer) throws -> [StoredValue] {
        try buffer.withBytes { key, record in
            try key.withUnsafeBytes { key in
                try record.withUnsafeBytes { record in
                    var decoder = try RecordDecoder(record, key: key, layout: layout, plan: nil)
                    return try decoder.storedValues(layout)
                }
            }
        }
    }
}
