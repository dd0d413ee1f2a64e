extension FilterCompiler {
    func membership(_ value: Operand, _ list: [StoredValue], _ ignoringCase: Bool) throws -> FilterTree {
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
        if case .path(let reader) = operand, !ignoringCase, let node = try special(reader, literals, hasNil) { return .node(node) }
        var parts: Set<[UInt8]> = []
        var collections: [Literal] = []
        for value in literals {
            let literal = try Literal(value)
            if case .container = literal.value {
                collections.append(literal)
            } else if let part = try KeyPartRange.range(
                for: .equal, literal: value, type: operand.type, ignoringCase: ignoringCase)?.point
            {
                parts.insert(part)
            }
        }
        return .node(
            MembershipNode(operand, operand.type, hasNil: hasNil, parts: parts, collections: collections, ignoringCase: ignoringCase))
    }

    /// A node for a list of integers or texts, when the field is one in its place in the record.
    private func special(_ reader: FieldReader, _ list: [StoredValue], _ hasNil: Bool) throws -> (any FilterNode)? {
        switch reader.access {
        case .fixed(.int8, _, _), .fixed(.int16, _, _), .fixed(.int32, _, _), .fixed(.int64, _, _), .fixed(.uint8, _, _),
            .fixed(.uint16, _, _), .fixed(.uint32, _, _):
            let integers = try list.compactMap { value -> Int64? in
                guard let number = try Literal(value).value.number else { return nil }
                let bounds = IntegerBounds(.equal, number)
                return bounds.isEmpty ? nil : Int64(exactly: bounds.lower)
            }
            return IntegerListNode(reader, Set(integers), hasNil: hasNil)
        case .variable(.text, _, _):
            return TextListNode(
                reader, Set(list.compactMap { if case .string(let text) = $0 { Array(text.utf8) } else { nil } }), hasNil: hasNil)
        default: return nil
        }
    }
}
