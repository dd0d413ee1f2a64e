extension FieldValue {
    /// The value that the names lead to inside this one; nil when they lead nowhere.
    func following(_ names: [[UInt8]]) throws -> FieldValue {
        var value = self
        for name in names {
            guard case .container(let container) = value, container.tag == .object else { return .null }
            value = try container.value(named: name)
        }
        return value
    }
}

extension FieldContainer {
    /// The value with this name in a keyed value; nil when there is none.
    func value(named name: [UInt8]) throws -> FieldValue {
        try name.withUnsafeBytes { name in
            var reader = ByteReader(bytes)
            for _ in 0..<count {
                let found = try reader.bytes(try reader.count())
                let value = try reader.fieldValue()
                if ByteOrder.areEqual(found, name) { return value }
            }
            return .null
        }
    }

    /// Calls `body` with each member until it returns false. A container of another kind than the part asks for has none.
    func forEachMember(_ part: CollectionPart, _ body: (FieldElement) throws -> Bool) throws {
        var reader = ByteReader(bytes)
        switch (tag, part) {
        case (.array, .elements):
            for _ in 0..<count {
                guard try body(FieldElement(bytes: reader.nestedBytes(), isName: false)) else { return }
            }
        case (.object, .keys), (.object, .values):
            for _ in 0..<count {
                let name = try reader.bytes(try reader.count())
                let value = try reader.nestedBytes()
                let member = part == .keys ? FieldElement(bytes: name, isName: true) : FieldElement(bytes: value, isName: false)
                guard try body(member) else { return }
            }
        case (.dictionary, .keys), (.dictionary, .values):
            for _ in 0..<count {
                let key = try reader.nestedBytes()
                let value = try reader.nestedBytes()
                guard try body(FieldElement(bytes: part == .keys ? key : value, isName: false)) else { return }
            }
        default: return
        }
    }
}

extension FieldElement {
    /// The member.
    var value: FieldValue {
        get throws { isName ? .text(bytes) : try FieldValue(nested: bytes) }
    }
}
