import Foundation

// MARK: - Natively stored values

extension Lazy: Storable where Value: Storable {
    public static var fieldType: FieldType { .lazy(Value.fieldType) }

    public func encodeField(into record: inout RecordEncoder) throws { try record.append(box) }

    public static func decodeField(from record: inout RecordDecoder) throws -> Lazy { Lazy(try record.lazyBox(.storable)) }

    /// Writes the whole value, as part of another one.
    public func encodeNested(into bytes: inout ByteWriter) throws { try load().encodeNested(into: &bytes) }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Lazy { Lazy(try Value.decodeNested(from: &bytes)) }
}

extension Lazy: OptionalValue where Value: OptionalValue, Value: Storable {
    @usableFromInline static var absent: Lazy { Lazy(Value.absent) }
}

// MARK: - Codable values

extension RecordEncoder {
    /// Writes a lazy `Codable` value as the next field.
    @_disfavoredOverload
    public mutating func encode<Value: Codable>(_ value: Lazy<Value>) throws { try append(value.box) }
}

extension RecordDecoder {
    /// Reads a lazy `Codable` value as the next field.
    @_disfavoredOverload
    public mutating func decode<Value: Codable>() throws -> Lazy<Value> {
        if let value: Lazy<Value> = try lazyCodable() { return value }
        let value: Value = try Self.valueOfMissingField()
        return Lazy(LazyBox(value, .codable))
    }

    /// Reads a lazy `Codable` value as the next field, or returns `value` when the record lacks it.
    @_disfavoredOverload
    public mutating func decode<Value: Codable>(default value: @autoclosure () throws -> Lazy<Value>) throws -> Lazy<Value> {
        try lazyCodable() ?? value()
    }

    private mutating func lazyCodable<Value: Codable>() throws -> Lazy<Value>? {
        field += 1
        if plan == nil { return Lazy(try lazyBox(.codable)) }
        return try planned({ Lazy(try $0.lazyBox(.codable)) }) { stored in
            let value = try stored.decoded(as: Value.self)
            return Lazy(LazyBox(value, .codable))
        }
    }
}

// MARK: - Bytes

extension RecordEncoder {
    /// Writes a lazy value as the next field, and offers its annex when it has one.
    mutating func append<Value>(_ box: LazyBox<Value>) throws {
        let form = try keepsLazyValues ? box.wholeForm() : box.form()
        if case .annex(let id) = form { offer(id, box) }
        form.append(to: &bytes)
        endVariable()
    }

    /// Writes the value with this nested encoding as the next field, which is lazy.
    mutating func appendLazy(nested: UnsafeRawBufferPointer) {
        let form: LazyForm = keepsLazyValues ? .whole([UInt8](nested)) : LazyForm(ofNested: nested)
        if case .annex(let id) = form { offer(id, AnnexBytes([UInt8](nested))) }
        form.append(to: &bytes)
        endVariable()
    }

    /// Writes a lazy value as another record has it as the next field.
    ///
    /// - Parameter annex: makes what has the bytes of its annex.
    mutating func appendLazy(form bytes: UnsafeRawBufferPointer, _ annex: (AnnexID) -> (any AnnexProvider)?) throws {
        if let id = try LazyForm.annexID(in: bytes) {
            if let provider = annex(id) { offer(id, provider) }
            self.bytes.append(bytes)
            endVariable()
        } else {
            appendLazy(nested: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        }
    }
}

extension RecordDecoder {
    /// The next field, which is lazy.
    mutating func lazyBox<Value>(_ coding: LazyCoding<Value>) throws -> LazyBox<Value> {
        let bytes = try variable()
        guard let id = try LazyForm.annexID(in: bytes) else {
            return LazyBox(try coding.value(ofNested: UnsafeRawBufferPointer(rebasing: bytes.dropFirst())), coding)
        }
        if let known = annexSource?.provider(of: id) as? LazyBox<Value> { return known }
        return LazyBox(storedAnnex(id), coding)
    }

    /// The annex of the field that was read last.
    private func storedAnnex(_ id: AnnexID) -> StoredAnnex {
        var position = field - 1
        if let plan, plan.sources.indices.contains(position) {
            switch plan.sources[position] {
            case .same(let stored, _), .widened(let stored, _), .member(let stored, _, _): position = stored
            case .missing: break
            }
        }
        let name = layout.fields.indices.contains(position) ? layout.fields[position].name : "?"
        return StoredAnnex(id, modelName: layout.modelName, field: name, recordKey: [UInt8](key), annexSource)
    }
}

// Fields of records that are known by their names hold a lazy value as its record has it: data with the bytes of a ``LazyForm``.

extension FieldType {
    /// The type of the values themselves.
    var withoutLazy: FieldType {
        if case .lazy(let type) = self { type } else { self }
    }
}

extension StoredValue {
    /// The value as a lazy field has it, whole.
    func lazyForm() throws -> StoredValue {
        var bytes = ByteWriter()
        bytes.append(0 as UInt8)
        try encodeNested(into: &bytes)
        return .data(Data(bytes.bytes()))
    }

    /// Whether this form has a value whole whose annex another one names.
    func isLazyForm(ofSameValueAs other: StoredValue) throws -> Bool {
        guard case .data(let whole) = self, case .data(let form) = other, let id = try form.withUnsafeBytes({ try LazyForm.annexID(in: $0) }) else {
            return false
        }
        return whole.withUnsafeBytes { AnnexID(of: UnsafeRawBufferPointer(rebasing: $0.dropFirst())) } == id
    }

    /// The same of any two forms; false of one that is damaged.
    func isSameLazyValue(as other: StoredValue) -> Bool {
        do {
            return try isLazyForm(ofSameValueAs: other)
        } catch {
            return false
        }
    }

    /// The form that a lazy field has of the same value, whole where something in memory has it.
    func holding(_ provider: (AnnexID) -> (any AnnexProvider)?) throws -> StoredValue {
        guard case .data(let form) = self, let id = try form.withUnsafeBytes({ try LazyForm.annexID(in: $0) }), let known = provider(id),
            known.isInMemory
        else { return self }
        return .data(Data([0] + (try known.annexBytes())))
    }

    /// Whether a lazy field has this for nil.
    var isLazyNil: Bool { self == .data(Data([0, NestedTag.null.rawValue])) }

    /// The value that a lazy field has in this form.
    ///
    /// - Parameter annex: the annex with an id; nil where it cannot be read.
    /// - Throws: what reading throws; `DecodingFault.unfit` without an annex.
    func valueOfLazyForm(_ annex: (AnnexID) throws -> StoredAnnex?) throws -> StoredValue {
        guard case .data(let form) = self else { return self }
        return try form.withUnsafeBytes { form in
            guard let id = try LazyForm.annexID(in: form) else {
                return try FieldValue(nested: UnsafeRawBufferPointer(rebasing: form.dropFirst())).storedValue()
            }
            guard let annex = try annex(id) else { throw DecodingFault.unfit(reason: "the value is not in its record") }
            var value = StoredValue.null
            try annex.withBytes { value = try FieldValue(nested: $0).storedValue() }
            return value
        }
    }
}

extension RecordDecoder {
    /// The value at a position of the record's own layout, read from its annex where it has one.
    mutating func wholeValue(at position: Int) throws -> StoredValue {
        let value = try storedValue(at: position)
        let field = layout.fields[position]
        guard field.type.isLazy else { return value }
        return try value.valueOfLazyForm { StoredAnnex($0, modelName: layout.modelName, field: field.name, recordKey: [UInt8](key), annexSource) }
    }
}
