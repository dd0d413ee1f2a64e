/// Where the value of a path is, worked out once for a layout.
enum FieldAccess: Sendable {
    /// In the record's fixed part.
    case fixed(FieldType, offset: Int, NilBits)
    /// In the record's variable part.
    case variable(VariableForm, number: Int, NilBits)
    /// Inside a nested value in the record's variable part.
    case nested(number: Int, NilBits, names: [[UInt8]])
    /// A lazy value, which may be in the record's annex, or inside it.
    case lazy(LazyPlace, names: [[UInt8]])
    /// The record's key, of this type; nil for an id of several values.
    case id(FieldType?)
    /// Made by a function of the object, or inside such a value.
    case derived(DerivedField, names: [[UInt8]])
    /// The member that the innermost quantifier looks at, or inside it.
    case element(names: [[UInt8]])
    /// Behind references, at this place among the values that were read for the record; see ``ReferencedValues``.
    case referenced(Int)
    /// The number of elements of a collection.
    indirect case count(FieldAccess)
    /// An aggregate of the members of a collection.
    case members(MemberAccess)
    /// What the transaction finds for the record.
    case looked(any FieldLookup)

    /// What the bytes of a variable-width value are.
    enum VariableForm: Sendable {
        case text, url, data, nested

        init(_ type: FieldType) {
            self =
                switch type {
                case .string: .text
                case .url: .url
                case .data: .data
                default: .nested
                }
        }
    }

    /// Calls `body` with the value, which is valid during the call.
    @inline(__always)
    func withValue<Result>(in record: RecordView, _ body: (FieldValue) throws -> Result) throws -> Result {
        switch self {
        case .derived(let field, let names): try Self.withDerived(field, names, record, body)
        case .lazy(let place, let names): try place.withValue(in: record) { try body($0.following(names)) }
        case .id(let type): try RecordID.withValue(of: record.wholeKey, type: type, body)
        case .count(let collection): try body(Self.count(of: collection, in: record))
        case .members(let members): try Self.withCopy(of: members.value(in: record), body)
        case .looked(let lookup): try Self.withCopy(of: lookup.value(for: record), body)
        default: try body(value(in: record))
        }
    }

    private static func withDerived<Result>(
        _ field: DerivedField, _ names: [[UInt8]], _ record: RecordView, _ body: (FieldValue) throws -> Result
    ) throws -> Result {
        var bytes = ByteWriter(capacity: 64)
        try field.encode(record, &bytes)
        return try bytes.withBytes { span in
            try span.withUnsafeBytes { try body(FieldValue(nested: $0).following(names)) }
        }
    }

    private static func withCopy<Result>(of value: StoredValue, _ body: (FieldValue) throws -> Result) throws -> Result {
        let copy = try Literal(value)
        return try withExtendedLifetime(copy) { try body(copy.value) }
    }

    /// How many elements a collection has; nil when there is none.
    private static func count(of collection: FieldAccess, in record: RecordView) throws -> FieldValue {
        try collection.withValue(in: record) { value in
            if case .container(let container) = value { .int(Int64(container.count)) } else { .null }
        }
    }

    /// The value, where it lies in the record. Not for ids, aggregates, lazy and derived values, which lie nowhere in this form.
    func value(in record: RecordView) throws -> FieldValue {
        switch self {
        case .fixed(let type, let offset, let nilBits):
            nilBits.areSet(in: record) ? .null : try Self.fixed(type, record.base + offset)
        case .variable(let form, let number, let nilBits):
            nilBits.areSet(in: record) ? .null : try Self.variable(form, record.variable(number))
        case .nested(let number, let nilBits, let names):
            nilBits.areSet(in: record) ? .null : try FieldValue(nested: record.variable(number)).following(names)
        case .id, .lazy, .derived, .members, .looked: .null
        case .count(let collection): try Self.count(of: collection, in: record)
        case .element(let names): try record.element?.value.following(names) ?? .null
        case .referenced(let place):
            if let bytes = record.referenced?[place], !bytes.isEmpty { try FieldValue(nested: bytes) } else { .null }
        }
    }

    /// The commonest types are read here, where it is all inlined, others as the table of scalars has them.
    static func fixed(_ type: FieldType, _ place: UnsafeRawPointer) throws -> FieldValue {
        func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type = Value.self, _ offset: Int = 0) -> Value {
            Value(littleEndian: place.loadUnaligned(fromByteOffset: offset, as: type))
        }
        return switch type {
        case .bool: .bool(load(UInt8.self) != 0)
        case .int8: .int(Int64(load(Int8.self)))
        case .int16: .int(Int64(load(Int16.self)))
        case .int32: .int(Int64(load(Int32.self)))
        case .int64: .int(load())
        case .uint8: .int(Int64(load(UInt8.self)))
        case .uint16: .int(Int64(load(UInt16.self)))
        case .uint32: .int(Int64(load(UInt32.self)))
        case .uint64: .integer(load(UInt64.self))
        case .float: .float(Float(bitPattern: load()))
        case .double: .double(Double(bitPattern: load()))
        case .date: .date(Double(bitPattern: load()))
        case .uuid: .wide(.uuid, high: load(UInt64.self).byteSwapped, low: load(UInt64.self, 8).byteSwapped)
        case .objectID: .wide(.objectID, high: load(UInt64.self).byteSwapped, low: load(UInt64.self, 8).byteSwapped)
        default: try type.scalar?.fieldValue(at: place) ?? .null
        }
    }

    private static func variable(_ form: VariableForm, _ bytes: UnsafeRawBufferPointer) throws -> FieldValue {
        switch form {
        case .text: .text(bytes)
        case .url: .url(bytes)
        case .data: .data(bytes)
        case .nested: try FieldValue(nested: bytes)
        }
    }
}

/// The bits of the nil bitmap that belong to a field, one for each optional layer.
struct NilBits: Sendable {
    /// The offset in the record of the first bit's byte.
    let offset: Int
    /// The first bit in its byte; 0 when there is none.
    let mask: UInt8
    private let first: Int
    private let count: Int

    /// Whether the first bit is the only one, or there is none.
    var isSingle: Bool { count < 2 }

    init(_ field: RecordLayout.Field) {
        first = field.nilBit
        count = field.type.optionalDepth
        offset = RecordLayout.headerSize + field.nilBit / 8
        mask = count == 0 ? 0 : 1 << UInt8(field.nilBit & 7)
    }

    /// Whether a layer is nil.
    @inline(__always)
    func areSet(in record: RecordView) -> Bool {
        if mask == 0 { return false }
        // A nil outer layer leaves the bits of inner ones clear.
        return record.base.load(fromByteOffset: offset, as: UInt8.self) & mask != 0 || count > 1 && isInnerSet(in: record)
    }

    private func isInnerSet(in record: RecordView) -> Bool {
        (first + 1..<first + count).contains { bit in
            record.base.load(fromByteOffset: RecordLayout.headerSize + bit / 8, as: UInt8.self) >> UInt8(bit & 7) & 1 == 1
        }
    }
}

/// Where a lazy value is, worked out once for a layout.
final class LazyPlace: Sendable {
    private let modelName: String
    private let field: String
    /// The number of the field's entry in the table of ends.
    private let number: Int

    init(_ field: RecordLayout.Field, of layout: RecordLayout) {
        modelName = layout.modelName
        self.field = field.name
        number = field.place
    }

    /// Calls `body` with the value, which is valid during the call.
    ///
    /// - Throws: what reading an annex throws; what `body` throws.
    func withValue<Result>(in record: RecordView, _ body: (FieldValue) throws -> Result) throws -> Result {
        let form = try record.variable(number)
        guard let id = try LazyForm.annexID(in: form) else {
            return try body(FieldValue(nested: UnsafeRawBufferPointer(rebasing: form.dropFirst())))
        }
        let annex = StoredAnnex(id, modelName: modelName, field: field, recordKey: [UInt8](record.key), record.annexes)
        var result: Result?
        try annex.withBytes { result = try body(FieldValue(nested: $0)) }
        guard let result else { throw annex.gone }
        return result
    }
}
