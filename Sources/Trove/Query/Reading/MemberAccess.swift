/// Where the members of an aggregate are that lie in the record itself: `sum(lines.price)`, `maximum(scores)`.
final class MemberAccess: Sendable {
    /// Leads to the field, or to what else the path begins at.
    let base: FieldAccess
    private let names: [[UInt8]]
    private let rule: MemberRule
    private let isTyped: Bool

    /// - Parameter isTyped: whether the model tells the types on the way, and not only the values.
    init(_ base: FieldAccess, names: [[UInt8]], _ rule: MemberRule, isTyped: Bool) {
        self.base = base
        self.names = names
        self.rule = rule
        self.isTyped = isTyped
    }

    /// The aggregate of a record's members; nil when there is no collection.
    func value(in record: RecordView) throws -> StoredValue {
        try base.withValue(in: record) { value in
            var total = MemberTotal(rule)
            return try value.forEachMember(at: names[...], isTyped: isTyped, { try total.add($0) }) ? try total.result : .null
        }
    }
}

/// A value that is not in the record, which whoever has the transaction finds for it.
protocol FieldLookup: AnyObject, Sendable {
    /// The value for a record.
    func value(for record: RecordView) throws -> StoredValue
}

extension FieldValue {
    /// Calls `body` with each value that names lead to from this one, through all members of the lists on the way; returns whether there was a collection.
    ///
    /// A number names an element of a list, ``FieldPath/everyMember`` all members of a list or dictionary. What the names lead to gives its own members: a
    /// list its elements, and what is a dictionary, and no element of a list, its values.
    ///
    /// - Parameters:
    ///   - isMember: whether this value is a member of a collection itself.
    ///   - isTyped: whether any number of digits is a position in a list, also one that no list has.
    @discardableResult
    func forEachMember(
        at names: ArraySlice<[UInt8]>, isMember: Bool = false, isTyped: Bool = false, depth: Int = 0, _ body: (FieldValue) throws -> Void
    ) throws -> Bool {
        guard case .container(let container) = self else {
            if isMember, names.isEmpty { try body(self) }
            return isMember
        }
        guard depth < NestedTag.maxDepth else { throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels") }
        let isOfAll = names.first.map { $0 == Self.everyMember } ?? true
        let rest = isOfAll ? names.dropFirst() : names
        func visit(_ part: CollectionPart, _ names: ArraySlice<[UInt8]>) throws -> Bool {
            try container.forEachMember(part) { member in
                try member.value.forEachMember(at: names, isMember: true, isTyped: isTyped, depth: depth + 1, body)
                return true
            }
            return true
        }
        if container.tag == .array {
            guard !isOfAll, let name = names.first, let position = FieldContainer.position(named: name, inAnyLength: isTyped) else {
                return try visit(.elements, rest)
            }
            return try container.element(at: position).forEachMember(at: names.dropFirst(), isMember: isMember, isTyped: isTyped, depth: depth + 1, body)
        }
        if names.isEmpty, isMember {
            try body(self)
            return true
        }
        if isOfAll { return try visit(.values, rest) }
        guard container.tag == .object, let name = names.first else { return isMember }
        return try container.value(named: name).forEachMember(at: names.dropFirst(), isMember: isMember, isTyped: isTyped, depth: depth + 1, body)
    }

    private static let everyMember = Array(FieldPath.everyMember.utf8)
}

extension ModelBinding {
    /// The static type of the members of which an aggregate is at the end of a path, without optional layers; nil when only they tell.
    ///
    /// - Parameters:
    ///   - start: the type of the value that the path's names begin at.
    ///   - isMember: whether that value is a member of a collection already.
    /// - Throws: ``TroveError/unknownPath(model:path:reason:)``, also when there is no collection on the way.
    func memberType(of path: FieldPath, in start: FieldType?, isMember: Bool = false) throws -> FieldType? {
        var type = start?.unwrapped
        var isMember = isMember
        func enter(_ next: FieldType) {
            type = next.unwrapped
            isMember = true
        }
        for name in path.names {
            let isOfAll = name == FieldPath.everyMember
            let isPosition = FieldContainer.isPosition(name)
            // The lists before the name.
            lists: while !isOfAll {
                switch type {
                case .array(let element)? where !isPosition: enter(element)
                case .set(let element)?: enter(element)
                default: break lists
                }
            }
            switch type {
            case nil, .codable?: return nil
            case .array(let element)? where isOfAll, .set(let element)? where isOfAll, .dictionary(_, let element)? where isOfAll: enter(element)
            case .array(let element)?: type = element.unwrapped
            case .dictionary(.string, let value)?: type = value.unwrapped
            case .dictionary(let key, _)?:
                throw unknownPath(path, "the dictionary's keys are of type \(key.shownInErrors), and '\(name)' is a text; '*' stands for all values")
            case let scalar?: throw unknownPath(path, "'\(name)' is sought in \(scalar.shownInErrors.withArticle), which has nothing inside")
            }
        }
        while true {
            switch type {
            case nil, .codable?: return nil
            case .array(let element)?, .set(let element)?: enter(element)
            case .dictionary(_, let value)? where !isMember: enter(value)
            case let end?:
                guard isMember else {
                    throw unknownPath(
                        path,
                        "\(path.aggregate?.rawValue ?? "an aggregate") is of the members of lists, sets, dictionaries and relationships to many, and it leads to one value, \(end.shownInErrors.withArticle); name it without")
                }
                return end
            }
        }
    }
}
