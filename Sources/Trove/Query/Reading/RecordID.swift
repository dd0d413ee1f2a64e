import Foundation

/// The values of ids, as they are in keys.
enum RecordID {
    /// Calls `body` with the id whose key has these bytes. An id of several values is the data of its key.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of an id of this type; what `body` throws.
    static func withValue<Result>(
        of key: UnsafeRawBufferPointer, type: FieldType?, _ body: (FieldValue) throws -> Result
    ) throws -> Result {
        var decoder = KeyDecoder(key)
        switch type {
        case nil: return try body(.data(key))
        case .optional(let wrapped):
            guard try decoder.byte() == 1 else { return try body(.null) }
            return try withValue(of: UnsafeRawBufferPointer(rebasing: key.dropFirst()), type: wrapped, body)
        case .string, .url, .data:
            let bytes = try decoder.escapedBytes()
            try decoder.finish()
            return try EscapedBytes.withPlain(of: bytes) { try body(value($0, type)) }
        case let type?:
            guard let scalar = type.scalar else { throw TroveError.corruptKey(reason: "an id of type \(type)") }
            let value = try scalar.fieldValue(from: &decoder)
            try decoder.finish()
            return try body(value)
        }
    }

    private static func value(_ bytes: UnsafeRawBufferPointer, _ type: FieldType?) -> FieldValue {
        switch type {
        case .url: .url(bytes)
        case .data: .data(bytes)
        default: .text(bytes)
        }
    }

    /// The engine keys of the records whose id passes a comparison; nil when these are not one range, as for `!=`, and for ids of several optional layers.
    ///
    /// The bounds hold for whole keys and for shortened ones, of which some in the range may belong to ids outside of it.
    ///
    /// - Parameter type: the type of the ids.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when the literal does not compare with it.
    static func keyRange(for comparison: Comparison, literal: StoredValue, type: FieldType) throws -> KeyPartRange? {
        let parts = try KeyPartRange.range(for: comparison, literal: literal, type: type, ignoring: [])
        guard let parts, type.optionalDepth < 2 else { return nil }
        let isOptional = type.optionalDepth == 1
        if parts == .null { return isOptional ? parts : KeyPartRange.none }
        guard let exact = narrowed(parts, to: type.unwrapped) else { return KeyPartRange.none }
        return KeyPartRange(from: keyBound(exact.lower, isOptional), to: keyBound(exact.upper, isOptional))
    }

    /// The engine key of the record whose id is a value, where it is made without more ado; nil for all others.
    static func plainKey(of value: StoredValue, type: FieldType) -> [UInt8]? {
        // Of these types the part of an index is the key behind the byte for presence.
        guard let part = KeyPartRange.plainPart(of: value, type: type), part.count <= RecordKey.maxWholeSize else { return nil }
        return Array(part.dropFirst())
    }

    /// The engine keys of the records whose id, a text or a URL, begins with a text; nil for ids of several optional layers.
    static func keyRange(prefix: String, type: FieldType) -> KeyPartRange? {
        guard type.optionalDepth < 2 else { return nil }
        let isOptional = type.optionalDepth > 0
        if prefix.isEmpty { return isOptional ? .notNull : .all }
        let parts = KeyPartRange.range(prefix: prefix, ignoring: [], type: type.unwrapped)
        return KeyPartRange(from: keyBound(parts.lower, isOptional), to: keyBound(parts.upper, isOptional))
    }

    /// The bound of a part as one of keys, which have no first byte for presence unless they may be nil.
    private static func keyBound(_ bound: KeyPartRange.Bound, _ isOptional: Bool) -> KeyPartRange.Bound {
        if isOptional { return bound }
        return switch bound {
        case .unbounded: .unbounded
        case .included(let part): .included(Array(part.dropFirst()))
        case .excluded(let part): .excluded(Array(part.dropFirst()))
        }
    }

    /// The range for integers and floats in the width they have in keys, which parts do not keep; nil when it is empty.
    private static func narrowed(_ range: KeyPartRange, to type: FieldType) -> KeyPartRange? {
        // Ranges of no value and of all have no bytes to change.
        guard let scalar = type.scalar, !scalar.partIsKey, case .included(let lower) = range.lower, case .included(let upper) = range.upper,
            lower.count == 9, upper.count == 9
        else { return range }
        if let integer = scalar.integer { return integers(integer, integer64(lower), integer64(upper)) }
        return floats(double(lower), double(upper))
    }

    private static func integers<Value: IntegerScalar>(_ type: Value.Type, _ lower: Int64, _ upper: Int64) -> KeyPartRange? {
        let (first, last) = (max(lower, Int64(Value.min)), min(upper, Int64(Value.max)))
        return first <= last ? parts(Value(clamping: first).keyBytes, Value(clamping: last).keyBytes) : nil
    }

    private static func floats(_ lower: Double, _ upper: Double) -> KeyPartRange? {
        var (first, last) = (Float(lower), Float(upper))
        if Double(first) < lower { first = first.nextUp }
        if Double(last) > upper { last = last.nextDown }
        return first <= last ? parts(first.keyBytes, last.keyBytes) : nil
    }

    private static func parts(_ lower: [UInt8], _ upper: [UInt8]) -> KeyPartRange {
        KeyPartRange(from: .included([KeyPart.present] + lower), to: .included([KeyPart.present] + upper))
    }

    private static func word(_ part: [UInt8]) -> UInt64 { part.dropFirst().reduce(0) { $0 << 8 | UInt64($1) } }

    private static func integer64(_ part: [UInt8]) -> Int64 { Int64(bitPattern: word(part) ^ 1 << 63) }

    private static func double(_ part: [UInt8]) -> Double {
        let bits = word(part)
        return Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    }
}

// Ids in messages.
extension RecordID {
    /// The id of a key for a message, as its Swift type shows it; as bytes when the key is shortened or damaged.
    static func shown(_ key: [UInt8], as type: any StorableKey.Type) -> String {
        shown(key) {
            if let type = FieldType(ofID: type) { return try text(of: key, type) }
            func composite<ID: StorableKey>(_ type: ID.Type) throws -> String { try ID(keyBytes: key).shownInErrors }
            return try composite(type)
        }
    }

    /// The id of a key for a message, as the catalogue tells its type: JSON when it is of several values; as bytes also when nobody tells of which.
    static func shown(_ key: [UInt8], as schema: IDSchema) -> String {
        shown(key) {
            if let type = FieldType(schema.type) { return try text(of: key, type) }
            let coding = IDCoding(schema)
            return coding.isTold ? try String(coding.json(of: key).prefix(80)) : nil
        }
    }

    private static func shown(_ key: [UInt8], _ text: () throws -> String?) -> String {
        guard key.count <= RecordKey.maxWholeSize else { return StoredRecord.text(of: key) }
        do {
            return try text() ?? StoredRecord.text(of: key)
        } catch {
            return StoredRecord.text(of: key)
        }
    }

    private static func text(of key: [UInt8], _ type: FieldType) throws -> String {
        try key.withUnsafeBytes { key in try withValue(of: key, type: type) { try $0.storedValue().shownInErrors } }
    }
}

extension ModelBinding {
    /// The id of a key for a message: as the program shows it, or the catalogue, when that alone has the model.
    func shownID(_ key: [UInt8]) -> String {
        if let idClass { return RecordID.shown(key, as: idClass) }
        return storedEntry.map { RecordID.shown(key, as: $0.id) } ?? StoredRecord.text(of: key)
    }
}

extension Filter {
    /// What passes only the objects at whose path there is an id with one of these keys: their own, or one that they refer to.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when a key is not that of an id of this type.
    static func identified(at path: FieldPath = .id, by keys: [[UInt8]], as idType: FieldType?) throws -> Filter {
        var values: [StoredValue] = []
        var hasNaN = false
        for key in keys {
            try key.withUnsafeBytes { key in
                try RecordID.withValue(of: key, type: idType) { id in
                    if id.isNaN { hasNaN = true } else { values.append(try id.storedValue()) }
                }
            }
        }
        // It equals nothing, itself included; all of them have one key.
        let isNaN = Filter.comparison(.path(path), .notEqual, .path(path))
        guard hasNaN else { return values.count == 1 ? .comparison(.path(path), .equal, .value(values[0])) : .membership(.path(path), values) }
        return values.isEmpty ? isNaN : .membership(.path(path), values) || isNaN
    }
}
