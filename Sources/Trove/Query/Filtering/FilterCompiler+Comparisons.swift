extension FilterCompiler {
    func comparison(
        _ left: Operand, _ comparison: Comparison, _ right: Operand, _ ignoring: TextFolding
    ) throws -> FilterTree {
        switch (left, right) {
        case (.path(let path), .value(let value)): return try self.comparison(reader(path), comparison, value, ignoring)
        case (.value(let value), .path(let path)):
            return try self.comparison(reader(path), comparison.mirrored, value, ignoring)
        case (.value(let left), .value(let right)):
            let (left, right) = (try Literal(left), try Literal(right))
            return try withExtendedLifetime((left, right)) {
                .constant(try FieldValue.passes(left.value, comparison, right.value, ignoring: ignoring))
            }
        case (.path(let left), .path(let right)):
            return try self.comparison(reader(left), comparison, reader(right), ignoring)
        }
    }

    private func comparison(
        _ left: FieldReader, _ comparison: Comparison, _ right: FieldReader, _ ignoring: TextFolding
    ) throws -> FilterTree {
        let isOrder = comparison != .equal && comparison != .notEqual
        for reader in [left, right] where isOrder { try checkOrder(of: reader) }
        if let type = left.type, let other = right.type, ValueClass(type) != ValueClass(other) {
            throw incomparable(left.path, "it is \(type.shownInErrors.withArticle), and \(right.path) \(other.shownInErrors.withArticle)")
        }
        return .node(
            ComparisonNode(
                .path(left), comparison, .path(right), ignoring: ignoring, areSets: left.isSet && right.isSet,
                left.mayHaveMembers && right.mayHaveMembers ? countingMembers : nil))
    }

    private func checkOrder(of reader: FieldReader) throws {
        guard let type = reader.type ?? reader.unorderedType else { return }
        if ValueClass(type).map({ !$0.isOrdered }) ?? true {
            throw incomparable(reader.path, "\(type.shownInErrors.withArticle) has no order; use = or !=")
        }
    }

    private func comparison(
        _ reader: FieldReader, _ comparison: Comparison, _ value: StoredValue, _ ignoring: TextFolding
    ) throws -> FilterTree {
        let isOrder = comparison != .equal && comparison != .notEqual
        if isOrder { try checkOrder(of: reader) }
        if value == .null {
            if isOrder { return .constant(false) }
            return comparison == .equal ? isNil(reader) : .not(isNil(reader))
        }
        let literal = try Literal(self.literal(value, by: comparison, for: reader))
        // nil passes no test, so `!=` is the opposite of one.
        if comparison == .notEqual, let test = test(reader, .equal, literal, ignoring) { return .not(test) }
        if comparison != .notEqual, let test = test(reader, comparison, literal, ignoring) { return test }
        if !ignoring.isEmpty, case .text(let text) = literal.value {
            return .node(FoldedComparisonNode(reader, comparison, String(storedUTF8: text), ignoring: ignoring))
        }
        let watch: MemberWatch? = if case .container = literal.value { countingMembers } else { nil }
        return .node(ComparisonNode(.path(reader), comparison, .value(literal), ignoring: ignoring, areSets: reader.isSet, watch))
    }

    /// The literal as it compares with the path's values.
    func literal(_ value: StoredValue, by comparison: Comparison, for reader: FieldReader) throws -> StoredValue {
        if reader.isID, binding.idType == nil {
            // An id of several values goes by its key.
            if case .data = value, comparison.isEquality { return value }
            throw incomparable(reader.path, "the id is made of several values; fetch by id: fetch(_:id:)")
        }
        do {
            return try value.comparable(by: comparison, with: reader.type)
        } catch let error as IncomparableLiteral {
            throw incomparable(reader.path, error.reason)
        }
    }

    /// A test of a field in its place in the record; nil when the field's type has none.
    private func test(
        _ reader: FieldReader, _ comparison: Comparison, _ literal: Literal, _ ignoring: TextFolding
    ) -> FilterTree? {
        switch (reader.access, literal.value) {
        case (.variable(.text, let number, let nilBits), .text(let text)) where ignoring.isEmpty && nilBits.isSingle:
            return .test(FieldTest(Self.textKind(comparison), nilBits, number: number, text), literal)
        case (.fixed(.date, let offset, let nilBits), .date(let seconds)) where nilBits.isSingle:
            return doubles(.double, offset, nilBits, DoubleBounds(comparison, .double(seconds)))
        case (.fixed(.bool, let offset, let nilBits), .bool(let value)) where nilBits.isSingle:
            return .test(FieldTest(.uint8, nilBits, offset: offset, value ? 1...255 : 0...0), nil)
        case (.fixed(let type, let offset, let nilBits), let value) where nilBits.isSingle:
            return value.number.flatMap { numbers(type, offset, nilBits, comparison, $0) }
        default: return nil
        }
    }

    private static func textKind(_ comparison: Comparison) -> FieldTest.Kind {
        switch comparison {
        case .equal, .notEqual: .textEqual
        case .less: .textLess
        case .lessOrEqual: .textLessOrEqual
        case .greater: .textGreater
        case .greaterOrEqual: .textGreaterOrEqual
        }
    }

    private func numbers(
        _ type: FieldType, _ offset: Int, _ nilBits: NilBits, _ comparison: Comparison, _ number: ExactNumber
    ) -> FilterTree? {
        func integers<Value: FixedWidthInteger>(_ kind: FieldTest.Kind, _ type: Value.Type) -> FilterTree {
            guard let range = Value.range(of: comparison, number) else { return .constant(false) }
            // Unsigned integers of 64 bits compare as signed ones with the first bit flipped.
            let shift: UInt64 = kind == .uint64 ? 1 << 63 : 0
            let bounds = [range.lowerBound, range.upperBound].map { Int64(bitPattern: UInt64(truncatingIfNeeded: $0) ^ shift) }
            return .test(FieldTest(kind, nilBits, offset: offset, bounds[0]...bounds[1]), nil)
        }
        return switch type {
        case .int8: integers(.int8, Int8.self)
        case .int16: integers(.int16, Int16.self)
        case .int32: integers(.int32, Int32.self)
        case .int64: integers(.int64, Int64.self)
        case .uint8: integers(.uint8, UInt8.self)
        case .uint16: integers(.uint16, UInt16.self)
        case .uint32: integers(.uint32, UInt32.self)
        case .uint64: integers(.uint64, UInt64.self)
        case .float: doubles(.float, offset, nilBits, DoubleBounds(comparison, number))
        case .double: doubles(.double, offset, nilBits, DoubleBounds(comparison, number))
        default: nil
        }
    }

    private func doubles(_ kind: FieldTest.Kind, _ offset: Int, _ nilBits: NilBits, _ bounds: DoubleBounds) -> FilterTree {
        bounds.isEmpty ? .constant(false) : .test(FieldTest(kind, nilBits, offset: offset, bounds), nil)
    }
}

extension FieldReader {
    var isSet: Bool {
        if case .set = type { true } else { false }
    }

    /// Whether its values may be collections or objects.
    fileprivate var mayHaveMembers: Bool { type.flatMap { ValueClass($0) } ?? .container == .container }
}

extension FilterCompiler {
    func membership(_ value: Operand, _ list: [StoredValue], _ ignoring: TextFolding) throws -> FilterTree {
        let operand = try operand(value)
        let hasNil = list.contains(.null)
        var literals: [StoredValue] = []
        for value in list where value != .null {
            guard case .path(let reader) = operand else {
                literals.append(value)
                continue
            }
            literals.append(try literal(value, by: .equal, for: reader))
        }
        if case .path(let reader) = operand, ignoring.isEmpty, let node = try special(reader, literals, hasNil) { return .node(node) }
        var parts: Set<[UInt8]> = []
        var collections: [Literal] = []
        for value in literals {
            let literal = try Literal(value)
            if case .container = literal.value {
                collections.append(literal)
            } else if let part = try KeyPartRange.range(
                for: .equal, literal: value, type: operand.type, ignoring: ignoring)?.point
            {
                parts.insert(part)
            }
        }
        return .node(
            MembershipNode(
                operand, operand.type, hasNil: hasNil, parts: parts, collections: collections, ignoring: ignoring,
                collections.isEmpty ? nil : countingMembers))
    }

    /// A node for a list of integers or texts, when the field is one in its place in the record.
    private func special(_ reader: FieldReader, _ list: [StoredValue], _ hasNil: Bool) throws -> (any FilterNode)? {
        switch reader.access {
        case .fixed(.int8, _, _), .fixed(.int16, _, _), .fixed(.int32, _, _), .fixed(.int64, _, _), .fixed(.uint8, _, _),
            .fixed(.uint16, _, _), .fixed(.uint32, _, _):
            let integers = try list.compactMap { value -> Int64? in
                try Literal(value).value.number.flatMap { Int64.range(of: .equal, $0)?.lowerBound }
            }
            return IntegerListNode(reader, Set(integers), hasNil: hasNil)
        case .variable(.text, _, _):
            return TextListNode(
                reader, Set(list.compactMap { if case .string(let text) = $0 { Array(text.utf8) } else { nil } }), hasNil: hasNil)
        default: return nil
        }
    }
}
