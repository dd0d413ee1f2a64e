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
            // Most texts have nothing escaped and lie in the key as they are, before its last byte.
            if let last = key.last, last == 0, !key.dropLast().contains(where: { $0 < 2 }) {
                return try body(value(UnsafeRawBufferPointer(rebasing: key.dropLast()), type))
            }
            let bytes = try decoder.escaped()
            try decoder.finish()
            return try bytes.withUnsafeBytes { try body(value($0, type)) }
        case let type?:
            let value = try scalar(type, &decoder)
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

    private static func scalar(_ type: FieldType, _ key: inout KeyDecoder) throws -> FieldValue {
        switch type {
        case .bool: .bool(try Bool(from: &key))
        case .int8: .int(Int64(try Int8(from: &key)))
        case .int16: .int(Int64(try Int16(from: &key)))
        case .int32: .int(Int64(try Int32(from: &key)))
        case .int64: .int(try Int64(from: &key))
        case .uint8: .int(Int64(try UInt8(from: &key)))
        case .uint16: .int(Int64(try UInt16(from: &key)))
        case .uint32: .int(Int64(try UInt32(from: &key)))
        case .uint64: .unsigned(try UInt64(from: &key))
        case .float: .float(try Float(from: &key))
        case .double: .double(try Double(from: &key))
        case .decimal: .decimal(PackedDecimal(try Decimal(from: &key)))
        case .date: .date(try Double(from: &key))
        case .uuid: .uuid(high: try key.bigEndian(), low: try key.bigEndian())
        case .objectID: .objectID(high: try key.bigEndian(), low: try key.bigEndian())
        case .string, .data, .url, .optional, .array, .set, .dictionary, .codable:
            throw TroveError.corruptKey(reason: "an id of type \(type)")
        }
    }

    /// The engine keys of the records whose id passes a comparison; nil when these are not one range, as for `!=`.
    ///
    /// The bounds hold for whole keys and for shortened ones, of which some in the range may belong to ids outside of it.
    ///
    /// - Parameter type: the type of the ids.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when the literal does not compare with it.
    static func keyRange(for comparison: Comparison, literal: StoredValue, type: FieldType) throws -> KeyPartRange? {
        let parts = try KeyPartRange.range(for: comparison, literal: literal, type: type, ignoringCase: false)
        guard let parts else { return nil }
        guard type.optionalDepth < 2 else { return .all }
        let isOptional = type.optionalDepth == 1
        if parts == .null { return isOptional ? parts : KeyPartRange.none }
        guard let exact = narrowed(parts, to: type.unwrapped) else { return KeyPartRange.none }
        return KeyPartRange(from: keyBound(exact.lower, isOptional), to: keyBound(exact.upper, isOptional))
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
        // Other types have the same bytes in keys and parts, and so have ranges of no value and of all.
        guard case .included(let lower) = range.lower, case .included(let upper) = range.upper, lower.count == 9, upper.count == 9
        else { return range }
        func integers<Value: FixedWidthInteger & StorableKey>(_ type: Value.Type) -> KeyPartRange? {
            let (first, last) = (max(integer(lower), Int64(Value.min)), min(integer(upper), Int64(Value.max)))
            guard first <= last else { return nil }
            return parts(Value(clamping: first).keyBytes, Value(clamping: last).keyBytes)
        }
        return switch type {
        case .int8: integers(Int8.self)
        case .int16: integers(Int16.self)
        case .int32: integers(Int32.self)
        case .uint8: integers(UInt8.self)
        case .uint16: integers(UInt16.self)
        case .uint32: integers(UInt32.self)
        case .float: floats(double(lower), double(upper))
        default: range
        }
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

    private static func integer(_ part: [UInt8]) -> Int64 { Int64(bitPattern: word(part) ^ 1 << 63) }

    private static func double(_ part: [UInt8]) -> Double {
        let bits = word(part)
        return Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    }
}
