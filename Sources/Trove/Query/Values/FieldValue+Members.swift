extension FieldValue {
    /// The value that the names lead to inside this one; nil when they lead nowhere. A number leads to an element of an array.
    func following(_ names: [[UInt8]]) throws -> FieldValue {
        var value = self
        for name in names {
            guard case .container(let container) = value else { return .null }
            switch container.tag {
            case .object: value = try container.value(named: name)
            case .array: value = try FieldContainer.position(named: name).map(container.element) ?? .null
            default: return .null
            }
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

    /// The element at a position of an array; nil when it has fewer.
    func element(at position: Int) throws -> FieldValue {
        guard position < count else { return .null }
        var reader = ByteReader(bytes)
        for _ in 0..<position { _ = try reader.fieldValue() }
        return try reader.fieldValue()
    }

    /// Calls `body` with what lies inside of names and arrays at any depth, until it returns false; returns what it returned last.
    ///
    /// - Parameters:
    ///   - name: the name that the values have to go by; nil for all.
    ///   - includesElements: whether the elements of this array go by the name.
    @discardableResult
    func forEachDescendant(
        named name: [UInt8]?, includesElements: Bool = false, depth: Int = 0, _ body: (FieldElement) throws -> Bool
    ) throws -> Bool {
        guard tag != .dictionary else { return true }
        guard depth < NestedTag.maxDepth else { throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels") }
        var reader = ByteReader(bytes)
        for _ in 0..<count {
            var isSought = name == nil || tag == .array && includesElements
            if tag == .object {
                let found = try reader.bytes(try reader.count())
                if let name { isSought = name.withUnsafeBytes { ByteOrder.areEqual(found, $0) } }
            }
            let member = try reader.nestedBytes()
            if isSought, try !body(FieldElement(bytes: member, isName: false)) { return false }
            guard case .container(let inner) = try FieldValue(nested: member) else { continue }
            if try !inner.forEachDescendant(named: name, includesElements: isSought, depth: depth + 1, body) { return false }
        }
        return true
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
        case (_, .descendants): try forEachDescendant(named: nil, body)
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

extension FieldPath {
    /// Whether the first name inside the field's value is the position of an element.
    var beginsWithPosition: Bool { names.first.map(FieldContainer.isPosition) ?? false }
}
