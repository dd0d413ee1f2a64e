extension KeyPartRange {
    /// The parts of the values for which `value comparison literal` holds; nil when these are not one range, as for `!=`.
    ///
    /// The literal may be of another type than the field, where ``Filter`` lets them compare: 1959.5 against an `Int` field is
    /// rounded the way the comparison asks for. Where only a value tells its type, the range is exact too.
    ///
    /// - Parameter type: the field's static type without optional layers; nil when only the value tells.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when they do not compare, which ``CompiledFilter`` finds out first and tells better.
    static func range(
        for comparison: Comparison, literal: StoredValue, type: FieldType?, ignoring: TextFolding
    ) throws -> KeyPartRange? {
        let type = type?.unwrapped
        let comparable: StoredValue
        do {
            comparable = try literal.comparable(by: comparison, with: type)
        } catch let error as IncomparableLiteral {
            throw TroveError.invalidQuery(reason: error.reason)
        }
        if case .null = comparable {
            return comparison == .equal ? .null : comparison == .notEqual ? .notNull : Self.none
        }
        if comparison == .notEqual { return nil }
        if type == .url, case .string = comparable { return Self.none }
        let value = try Literal(comparable)
        return try withExtendedLifetime(value) {
            try range(for: comparison, value: value.value, type: type, ignoring: ignoring)
        }
    }

    private static func range(
        for comparison: Comparison, value: FieldValue, type: FieldType?, ignoring: TextFolding
    ) throws -> KeyPartRange? {
        switch type {
        case .float, .double: return value.number.flatMap { doubles(DoubleBounds(comparison, $0)) }
        case .decimal: return value.number.map { decimals(comparison, $0) }
        case .date:
            guard case .date(let seconds) = value else { return nil }
            return doubles(DoubleBounds(comparison, .double(seconds)))
        case .array, .set, .dictionary: return nil
        default:
            guard let integer = type?.scalar?.integer else { return try whole(comparison, value: value, type: type, ignoring: ignoring) }
            return value.number.map { integer.partRange(comparison, $0) }
        }
    }

    /// The part of a value where it is made without more ado: a text, an integer or an identifier of a field of just that type; nil for all others.
    static func plainPart(of value: StoredValue, type: FieldType?) -> [UInt8]? {
        var part: [UInt8] = []
        switch (type, value) {
        case (.string, .string(let text)):
            if text.utf8.contains(where: { $0 < 2 }) { return nil }
            part.reserveCapacity(text.utf8.count + 2)
            part.append(KeyPart.present)
            part.append(contentsOf: text.utf8)
            part.append(0)
        case (.int64, .int(let number)):
            part.reserveCapacity(9)
            part.append(KeyPart.present)
            withUnsafeBytes(of: (UInt64(bitPattern: number) ^ 1 << 63).bigEndian) { part.append(contentsOf: $0) }
        case (.objectID, .objectID(let id)): return [KeyPart.present] + id.keyBytes
        case (.uuid, .uuid(let id)): return [KeyPart.present] + id.keyBytes
        default: return nil
        }
        return part
    }

    fileprivate static func part(_ body: (inout ByteWriter) throws -> Void) rethrows -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        bytes.append(KeyPart.present)
        try body(&bytes)
        return bytes.bytes()
    }

    private static func doubles(_ bounds: DoubleBounds) -> KeyPartRange {
        if bounds.isEmpty { return .none }
        let parts = [bounds.lower, bounds.upper].map { bound in part { KeyPart.append(bound, to: &$0) } }
        return KeyPartRange(from: .included(parts[0]), to: .included(parts[1]))
    }

    /// All but nil and NaN, between the literal and the end that the comparison leads to.
    private static func decimals(_ comparison: Comparison, _ number: ExactNumber) -> KeyPartRange {
        let all = KeyPartRange(from: .included([KeyPart.present]), to: .excluded([KeyPart.present, 3]))
        if number.isNaN { return .none }
        if case .double(let value) = number, value.isInfinite {
            return ValueOrder(0, value).passes(comparison) ? all : .none
        }
        return between(all, comparison, part { KeyPart.append(decimal: number, to: &$0) })
    }

    private static func between(_ all: KeyPartRange, _ comparison: Comparison, _ part: [UInt8]) -> KeyPartRange {
        switch comparison {
        case .equal, .notEqual: KeyPartRange(point: part)
        case .less: KeyPartRange(from: all.lower, to: .excluded(part))
        case .lessOrEqual: KeyPartRange(from: all.lower, to: .included(part))
        case .greater: KeyPartRange(from: .excluded(part), to: all.upper)
        case .greaterOrEqual: KeyPartRange(from: .included(part), to: all.upper)
        }
    }

    /// For types whose order is that of their bytes, and for values that tell their own type.
    private static func whole(
        _ comparison: Comparison, value: FieldValue, type: FieldType?, ignoring: TextFolding
    ) throws -> KeyPartRange? {
        var bytes = ByteWriter(capacity: 64)
        try KeyPart.append(value, type: type, ignoring: ignoring, direction: .ascending, to: &bytes)
        let part = bytes.bytes()
        guard type == nil else { return between(.notNull, comparison, part) }
        // Values of other classes do not compare, nor does NaN.
        let valueClass = ValueClass(value)
        if valueClass == .container { return nil }
        var end = KeyPartRange.Bound.excluded([KeyPart.present, valueClass.rawValue + 1])
        if valueClass == .number || valueClass == .date {
            let notANumber = [KeyPart.present, valueClass.rawValue] + [UInt8](repeating: 0xFF, count: 8)
            if part.starts(with: notANumber) { return Self.none }
            end = .excluded(notANumber)
        }
        return between(KeyPartRange(from: .included([KeyPart.present, valueClass.rawValue]), to: end), comparison, part)
    }

    /// The parts of the texts that begin with `prefix`, or whose foldings begin with its.
    ///
    /// - Parameter type: as above; nil when only the value tells.
    static func range(prefix: String, ignoring: TextFolding, type: FieldType? = .string) -> KeyPartRange {
        var text = ignoring.folded(prefix)
        var bytes = ByteWriter(capacity: 64)
        bytes.append(KeyPart.present)
        if type == nil { bytes.append(ValueClass.text.rawValue) }
        text.withUTF8 { KeyPart.appendOpen(escaping: UnsafeRawBufferPointer($0), to: &bytes) }
        let part = bytes.bytes()
        return KeyPartRange(from: .included(part), to: KeyRange.prefix(part).upper.map { .excluded($0) } ?? .unbounded)
    }
}

extension IntegerScalar {
    /// The parts of the values that pass a comparison with a number.
    fileprivate static func partRange(_ comparison: Comparison, _ number: ExactNumber) -> KeyPartRange {
        guard let values = Part.range(of: comparison, number) else { return .none }
        let parts = [values.lowerBound, values.upperBound].map { value in KeyPartRange.part { KeyPart.append(integer: value, to: &$0) } }
        return KeyPartRange(from: .included(parts[0]), to: .included(parts[1]))
    }
}
