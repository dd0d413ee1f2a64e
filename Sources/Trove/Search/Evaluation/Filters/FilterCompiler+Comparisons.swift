extension FilterCompiler {
    func comparison(
        _ left: Operand, _ comparison: Comparison, _ right: Operand, _ ignoringCase: Bool
    ) throws -> any FilterNode {
        switch (left, right) {
        case (.path(let path), .value(let value)): return try self.comparison(reader(path), comparison, value, ignoringCase)
        case (.value(let value), .path(let path)):
            return try self.comparison(reader(path), comparison.mirrored, value, ignoringCase)
        case (.value(let left), .value(let right)):
            let (left, right) = (try Literal(left), try Literal(right))
            return try withExtendedLifetime((left, right)) {
                ConstantNode(try FieldValue.passes(left.value, comparison, right.value, ignoringCase: ignoringCase))
            }
        case (.path(let left), .path(let right)):
            return try self.comparison(reader(left), comparison, reader(right), ignoringCase)
        }
    }

    private func comparison(
        _ left: FieldReader, _ comparison: Comparison, _ right: FieldReader, _ ignoringCase: Bool
    ) throws -> any FilterNode {
        let isOrder = comparison != .equal && comparison != .notEqual
        for reader in [left, right] where isOrder { try checkOrder(of: reader) }
        if let type = left.type, let other = right.type, ComparableKind(type) != ComparableKind(other) {
            throw incomparable(left.path, "it is a \(type), and \(right.path) a \(other)")
        }
        return ComparisonNode(
            .path(left), comparison, .path(right), ignoringCase: ignoringCase, areSets: left.isSet && right.isSet)
    }

    private func checkOrder(of reader: FieldReader) throws {
        guard let type = reader.type ?? (reader.path.field.isEmpty ? nil : binding.typeWithoutOrder(reader.path)) else { return }
        if ComparableKind(type).map({ !$0.isOrdered }) ?? true {
            throw incomparable(reader.path, "a \(type) has no order; ask for = or !=")
        }
    }

    private func comparison(
        _ reader: FieldReader, _ comparison: Comparison, _ value: StoredValue, _ ignoringCase: Bool
    ) throws -> any FilterNode {
        let isOrder = comparison != .equal && comparison != .notEqual
        if isOrder { try checkOrder(of: reader) }
        if value == .null {
            if isOrder { return ConstantNode(false) }
            let node = NilNode(reader)
            return comparison == .equal ? node : NotNode(node)
        }
        let literal = try Literal(self.literal(value, by: comparison, for: reader))
        if let node = special(reader, comparison, literal, ignoringCase) { return node }
        return ComparisonNode(.path(reader), comparison, .value(literal), ignoringCase: ignoringCase, areSets: reader.isSet)
    }

    /// The literal as it compares with the path's values.
    func literal(_ value: StoredValue, by comparison: Comparison, for reader: FieldReader) throws -> StoredValue {
        guard !reader.isID || binding.idType != nil else {
            throw incomparable(reader.path, "the id is made of several values; fetch by id: fetch(_:id:)")
        }
        do {
            return try value.comparable(by: comparison, with: reader.type)
        } catch let error as IncomparableLiteral {
            throw incomparable(reader.path, error.reason)
        }
    }

    /// A node for a field in its place in the record; nil when the field's type has none of its own.
    private func special(
        _ reader: FieldReader, _ comparison: Comparison, _ literal: Literal, _ ignoringCase: Bool
    ) -> (any FilterNode)? {
        switch (reader.access, literal.value) {
        case (.variable(.text, let number, let nilBits), .text(let text)) where !ignoringCase:
            return TextComparisonNode(number: number, nilBits, comparison, literal, text)
        case (.fixed(.date, let offset, let nilBits), .date(let seconds)):
            return doubles(offset, isFloat: false, nilBits, comparison, .double(seconds))
        case (.fixed(let type, let offset, let nilBits), let value):
            guard let number = value.number else { return nil }
            return numbers(type, offset, nilBits, comparison, number)
        default: return nil
        }
    }

    private func numbers(
        _ type: FieldType, _ offset: Int, _ nilBits: NilBits, _ comparison: Comparison, _ number: ExactNumber
    ) -> (any FilterNode)? {
        switch type {
        case .int8: integers(Int8.self, offset, nilBits, comparison, number)
        case .int16: integers(Int16.self, offset, nilBits, comparison, number)
        case .int32: integers(Int32.self, offset, nilBits, comparison, number)
        case .int64: integers(Int64.self, offset, nilBits, comparison, number)
        case .uint8: integers(UInt8.self, offset, nilBits, comparison, number)
        case .uint16: integers(UInt16.self, offset, nilBits, comparison, number)
        case .uint32: integers(UInt32.self, offset, nilBits, comparison, number)
        case .uint64: integers(UInt64.self, offset, nilBits, comparison, number)
        case .float: doubles(offset, isFloat: true, nilBits, comparison, number)
        case .double: doubles(offset, isFloat: false, nilBits, comparison, number)
        default: nil
        }
    }

    private func integers<Value: FixedWidthInteger & BitwiseCopyable & Sendable>(
        _ type: Value.Type, _ offset: Int, _ nilBits: NilBits, _ comparison: Comparison, _ number: ExactNumber
    ) -> any FilterNode {
        let bounds = IntegerBounds(comparison, number)
        let (lower, upper) = (max(bounds.lower, Int128(Value.min)), min(bounds.upper, Int128(Value.max)))
        let isNegated = comparison == .notEqual
        guard lower <= upper else { return ConstantNode(isNegated) }
        return IntegerNode(offset: offset, nilBits, Value(lower)...Value(upper), isNegated: isNegated)
    }

    private func doubles(
        _ offset: Int, isFloat: Bool, _ nilBits: NilBits, _ comparison: Comparison, _ number: ExactNumber
    ) -> any FilterNode {
        let bounds = DoubleBounds(comparison, number)
        let isNegated = comparison == .notEqual
        if bounds.isEmpty { return ConstantNode(isNegated) }
        return DoubleNode(offset: offset, isFloat: isFloat, nilBits, bounds, isNegated: isNegated)
    }

    // MARK: - Lists

    func membership(_ value: Operand, _ list: [StoredValue], _ ignoringCase: Bool) throws -> any FilterNode {
        let operand = try operand(value)
        var parts: Set<[UInt8]> = []
        var collections: [Literal] = []
        for value in list where value != .null {
            var comparable = value
            if case .path(let reader) = operand { comparable = try literal(value, by: .equal, for: reader) }
            let literal = try Literal(comparable)
            if case .container = literal.value {
                collections.append(literal)
            } else if let part = try KeyPartRange.range(
                for: .equal, literal: comparable, type: operand.type, ignoringCase: ignoringCase)?.point {
                parts.insert(part)
            }
        }
        return MembershipNode(
            operand, operand.type, hasNil: list.contains(.null), parts: parts, collections: collections, ignoringCase: ignoringCase)
    }
}

extension FieldReader {
    var isSet: Bool {
        if case .set = type { true } else { false }
    }
}
