import Foundation

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
        guard case .data(let whole) = self, case .data(let form) = other, let id = try form.withUnsafeBytes({ try LazyForm.annexID(in: $0) }) else { return false }
        return whole.withUnsafeBytes { AnnexID(of: UnsafeRawBufferPointer(rebasing: $0.dropFirst())) } == id
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
