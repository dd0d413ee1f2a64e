/// Objects are made in code that is generic over the model and specialised where the application calls it; what
/// does not depend on the model's type is here once.
extension ReadTransaction {
    /// The object of a checked record.
    @inlinable
    func object<Object: Model>(_ record: inout RecordDecoder) throws -> Object {
        try Object.makeObject(from: &record, in: self)
    }

    /// A new object of a checked record, which no context knows.
    @inlinable
    func newObject<Object: Model>(_ record: inout RecordDecoder) throws -> Object {
        let object = try Object(from: &record)
        return record.isOutdated ? try upgraded(object, &record) : object
    }

    @usableFromInline func upgraded<Object: Model>(_ object: Object, _ record: inout RecordDecoder) throws -> Object {
        let layout = record.layout
        let old = StoredRecord(key: try record.wholeKey(), layout: layout, values: try record.storedValues(layout))
        var object = object
        do {
            try object.upgrade(from: old)
            guard object.id.keyBytes == old.key else { throw ChangedIdentity() }
        } catch {
            throw TroveError.upgradeFailed(model: layout.typeName, id: object.id.shownInErrors, underlying: error)
        }
        return object
    }

    /// Runs `body` with a decoder of a record, checked, unless `whole` is given and the record is of another id with the same
    /// shortened key. Faults become errors that name the model, field and id.
    @usableFromInline func withDecoder(
        _ record: RawSpan, key: RawSpan, _ model: OpenModel, matching whole: [UInt8]? = nil,
        _ body: (inout RecordDecoder) throws -> Void
    ) throws {
        let binding = model.binding
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in
                var field = 0
                do {
                    let number = try RecordDecoder.header(of: record).layout
                    let isCurrent = number == binding.layout.number
                    let layout = isCurrent ? binding.layout : try core.catalogue.layout(number, reader: reader)
                    guard layout.typeName == binding.schema.name else { throw DecodingFault.damaged("its layout is one of \(layout.typeName)") }
                    var decoder = try RecordDecoder(record, key: key, layout: layout, plan: isCurrent ? nil : try binding.plan(for: layout))
                    if let whole, try decoder.wholeKey() != whole { return }
                    do {
                        try body(&decoder)
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

/// An upgrade must leave an object under its key: the old record would stay beside the new one.
struct ChangedIdentity: Error, CustomStringConvertible {
    var description: String { "it changed the id; save the object under its new id and delete the old one in a transaction" }
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
    @usableFromInline var shownInErrors: String { String(String(describing: self).prefix(80)) }
}
