import Foundation

extension RecordDecoder {
    /// All values of the record, in the order of its layout; of lazy fields what the record itself has, of those that are still encrypted nil.
    mutating func storedValues(_ layout: RecordLayout) throws -> [StoredValue] {
        try layout.fields.indices.map { try sealedPositions.contains($0) ? .null : storedValue(at: $0) }
    }

    /// The value at a position of the record's own layout.
    mutating func storedValue(at position: Int) throws -> StoredValue {
        let type = try move(to: position)
        return try storedValue(type)
    }

    /// The value of the property at a position of the model's schema, as the model's layout has it; nil when the record lacks it.
    /// Of a lazy property it is what a record has.
    mutating func value(ofProperty number: Int) throws -> StoredValue? {
        guard let plan else { return try storedValue(at: number) }
        switch plan.sources[number] {
        case .same(let position, _): return try storedValue(at: position)
        case .widened(let position, let type): return try wholeValue(at: position).converted(to: type)
        case .member(let position, let name, let type):
            let value = try wholeValue(at: position).member(named: name, as: type.withoutLazy)
            return try type.isLazy ? value?.lazyForm() : value
        case .missing: return nil
        }
    }

    private mutating func storedValue(_ type: FieldType) throws -> StoredValue {
        switch type {
        case .optional(let wrapped): try isNil(wrapped) ? .null : storedValue(wrapped)
        case .array, .set, .dictionary, .codable: try storedContainer(type)
        case .lazy: try lazyForm()
        default: try type.scalar?.storedField(from: &self) ?? .null
        }
    }

    /// A lazy value as the record has it.
    private mutating func lazyForm() throws -> StoredValue {
        let form = try variable()
        _ = try LazyForm.annexID(in: form)
        return .data(Data(form))
    }

    /// A nested value of this type; what is no such value could not be saved again.
    private mutating func storedContainer(_ type: FieldType) throws -> StoredValue {
        let value = try nested { bytes in try StoredValue.decodeNested(from: &bytes) }
        switch (type, value) {
        case (.array, .array), (.set, .array), (.dictionary, .object), (.dictionary, .dictionary), (.codable, _): return value
        default: throw DecodingFault.damaged("the \(value.kind) in it is not \(type.description.withArticle)")
        }
    }
}

extension RecordEncoder {
    /// Writes a value as the next field, of type `type`, which it has been converted to.
    mutating func encode(_ value: StoredValue, as type: FieldType) throws {
        switch (type, value) {
        case (.optional(let wrapped), .null): appendNil(wrapped)
        case (.optional(let wrapped), _):
            appendPresent()
            try encode(value, as: wrapped)
        case (.array, .array), (.set, .array), (.dictionary, .object), (.dictionary, .dictionary), (.codable, _):
            try value.encodeNested(into: &bytes)
            endVariable()
        case (.lazy, .null): try encode(value.lazyForm(), as: type)
        case (.lazy, .data(let form)):
            try form.withUnsafeBytes { try appendLazy(form: $0) { _ in nil } }
        default:
            guard try type.scalar?.encodeField(value, into: &self) != nil else {
                throw DecodingFault.unfit(reason: "the \(value.kind) does not fit \(type.shownInErrors)")
            }
        }
    }
}
