extension ReadTransaction {
    /// The object in a record; nil when `whole` is given and the record is of another id with the same shortened key.
    func decode<Object: Model>(
        _ record: RawSpan, key: RawSpan, _ binding: ModelBinding, matching whole: [UInt8]? = nil
    ) throws -> Object? {
        try withDecoder(record, key: key, binding) { decoder, stored in
            if let whole, try decoder.wholeKey() != whole { return nil }
            let object = try Object(from: &decoder)
            guard stored.version < binding.schema.version else { return object }
            return try upgraded(object, &decoder, stored)
        }
    }

    private func upgraded<Object: Model>(
        _ object: Object, _ decoder: inout RecordDecoder, _ stored: RecordLayout
    ) throws -> Object {
        let old = StoredRecord(key: try decoder.wholeKey(), layout: stored, values: try decoder.storedValues(stored))
        var object = object
        do {
            try object.upgrade(from: old)
        } catch {
            throw TroveError.upgradeFailed(model: stored.typeName, id: object.id.shownInErrors, underlying: error)
        }
        return object
    }

    /// Runs `body` with a decoder of a checked record, and turns its faults into errors that name the model, field and id.
    private func withDecoder<Result>(
        _ record: RawSpan, key: RawSpan, _ binding: ModelBinding,
        _ body: (inout RecordDecoder, RecordLayout) throws -> Result
    ) throws -> Result {
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in
                var field = 0
                do {
                    let number = try RecordDecoder.header(of: record).layout
                    let isCurrent = number == binding.layout.number
                    let layout = isCurrent ? binding.layout : try core.catalogue.layout(number, reader: reader)
                    guard layout.typeName == binding.schema.name else { throw DecodingFault.damaged("its layout is one of \(layout.typeName)") }
                    var decoder = try RecordDecoder(record, key: key, layout: layout, plan: isCurrent ? nil : binding.plan(for: layout))
                    do {
                        return try body(&decoder, layout)
                    } catch {
                        field = decoder.field
                        throw error
                    }
                } catch let fault as DecodingFault {
                    throw fault.error(model: binding.schema, field: field, key: [UInt8](key))
                } catch TroveError.corruptValue(let reason) {
                    throw DecodingFault.damaged(reason).error(model: binding.schema, field: field, key: [UInt8](key))
                } catch TroveError.corruptKey(let reason) {
                    throw DecodingFault.damaged(reason).error(model: binding.schema, field: field, key: [UInt8](key))
                }
            }
        }
    }
}

extension DecodingFault {
    /// The error users see. `field` is the number of fields read, the failing one included.
    func error(model: ModelSchema, field: Int, key: [UInt8]) -> TroveError {
        let id = StoredRecord.text(of: key)
        let name = field > 0 && field <= model.fields.count ? model.fields[field - 1].name : "?"
        return switch self {
        case .damaged(let reason): .corruptRecord(model: model.name, id: id, reason: reason)
        case .overrun: .schemaMismatch(model: model.name, reason: "init(from:) read other fields than the schema lists")
        case .unfit(let reason): .decodingFailed(model: model.name, field: name, id: id, reason: reason)
        case .missing:
            .decodingFailed(model: model.name, field: name, id: id, reason: "the record lacks it, and it has no default value")
        }
    }
}

extension StorableKey {
    /// The id as messages show it.
    var shownInErrors: String { String(String(describing: self).prefix(80)) }
}
