/// A path worked out against a model: reads its value from records of the current layout, where it lies in their bytes.
final class FieldReader: Sendable {
    let path: FieldPath
    /// The static type of the values, without optional layers; nil when only a value tells its type, as inside `Codable` values.
    let type: FieldType?
    /// Whether the path is the object's id.
    let isID: Bool
    let access: FieldAccess
    /// The type of a field that is a `Codable` value as a whole, which has no order; nil for other paths.
    let unorderedType: FieldType?

    /// - Throws: ``TroveError/unknownField(model:field:known:)``, ``TroveError/fieldKeysMissing(model:property:)``,
    ///   ``TroveError/unknownPath(model:path:reason:)``.
    convenience init(_ path: FieldPath, in binding: ModelBinding) throws {
        try self.init(path, in: binding, element: nil)
    }

    /// A reader of what another one reads from the object at the end of a path through references.
    ///
    /// - Parameter place: where the value is among those that are read for a record.
    convenience init(_ path: FieldPath, at place: Int, like end: FieldReader) {
        self.init(path, end.type, end.unorderedType, .referenced(place))
    }

    /// A reader of an aggregate of what is read for a record.
    convenience init(_ rule: MemberRule, _ access: FieldAccess) { self.init(rule.path, rule.resultType, nil, access) }

    private init(_ path: FieldPath, _ type: FieldType?, _ unorderedType: FieldType?, _ access: FieldAccess) {
        self.path = path
        self.type = type
        self.unorderedType = unorderedType
        self.access = access
        isID = false
    }

    /// - Parameter element: what a path with an empty field begins at; nil outside of quantifiers.
    init(_ path: FieldPath, in binding: ModelBinding, element: ElementType?) throws {
        self.path = path
        let place = path.field.isEmpty ? nil : binding.fieldPlace(of: path)
        let steps = (place?.names ?? path.names).map { Array($0.utf8) }
        let isOfMembers = path.aggregate != nil && !path.isCount
        // The access to members begins at the field.
        let names = isOfMembers ? [] : steps
        // Every record has its id as $id, as answers show it; in a model it is `id` too.
        let namesID = place == nil && (path.field == binding.idPath.field || path.field == FieldPath.documentID.field)
        isID = namesID && path.aggregate == nil
        unorderedType = path.aggregate != nil ? nil : place.flatMap { $0.names.isEmpty ? binding.layout.fields[$0.position].type.unwrapped.unorderedType : nil }
        let access: FieldAccess
        let type: FieldType?
        if path.field.isEmpty {
            guard let element else { throw binding.unknownPath(path, "only a condition on a collection's members has an element") }
            access = .element(names: names)
            type = isOfMembers ? element.type : try binding.type(of: path, in: element.type)
        } else if namesID {
            guard steps.isEmpty else { throw binding.unknownPath(path, "the parts of the id have no names in conditions") }
            access = .id(binding.idType)
            type = binding.idType?.unwrapped
        } else if let position = place?.position {
            let field = binding.layout.fields[position]
            try binding.checkEnd(of: path, at: position)
            access = FieldAccess(field, of: binding.layout, names: names)
            type = isOfMembers ? field.type.withoutLazy : try binding.type(of: path, in: field.type.withoutLazy)
        } else if let derived = binding.derived.first(where: { $0.name == path.field }) {
            access = .derived(derived, names: names)
            type = isOfMembers ? derived.type : try binding.type(of: path, in: derived.type)
        } else {
            if binding.hiddenFields.contains(path.field) { throw TroveError.fieldKeysMissing(model: binding.schema.name, property: path.field) }
            throw TroveError.unknownField(model: binding.schema.name, field: path.field, known: binding.pathNames)
        }
        guard let aggregate = path.aggregate else {
            (self.access, self.type) = (access, type)
            return
        }
        guard path.isCount else {
            // A document's attributes are names inside of it.
            let inside = place.map { FieldPath(field: path.field, names: $0.names, aggregate: aggregate) } ?? path
            if namesID { throw binding.hasNoMembers(path) }
            let memberType = try binding.memberType(of: inside, in: type)
            let rule = try MemberRule(path, aggregate, of: memberType, in: binding)
            (self.access, self.type) = (.members(MemberAccess(access, names: steps, rule, isTyped: memberType != nil)), rule.resultType)
            return
        }
        switch type {
        case nil where !namesID, .array?, .set?, .dictionary?: (self.access, self.type) = (.count(access), .int64)
        case let other:
            if place?.names.isEmpty == true, binding.schema.fields[place?.position ?? 0].relationship != nil { throw binding.countsOneReference(path) }
            throw binding.unknownPath(
                path, "count is of lists, sets and dictionaries, and it leads to \(other.map { $0.shownInErrors.withArticle } ?? "the id")")
        }
    }

    /// Whether the path leads to nil or nowhere.
    func isNil(_ record: RecordView) throws -> Bool {
        try access.withValue(in: record) { $0.isNull }
    }

    /// A copy of the value; `.null` where the path leads nowhere.
    func value(_ record: RecordView) throws -> StoredValue {
        try access.withValue(in: record) { try $0.storedValue() }
    }

    /// Appends the value as ``KeyPart`` has it.
    ///
    /// - Parameter isTyped: whether as a value of the field's type, of which all others are.
    func appendKeyPart(
        _ record: RecordView, isTyped: Bool = true, ignoring: TextFolding, direction: SortDirection, to key: inout ByteWriter
    ) throws {
        try access.withValue(in: record) {
            try KeyPart.append($0, type: isTyped ? type : nil, ignoring: ignoring, direction: direction, to: &key)
        }
    }

    /// The members of the value, when it is a collection: their part and static type; nil when it is none, or only the value tells.
    ///
    /// A dictionary stands for its keys, as it does in an index.
    var members: (part: CollectionPart, type: FieldType?)? {
        switch type {
        case .array(let element), .set(let element): (.elements, ElementType(element).type)
        case .dictionary(let key, _): (.keys, ElementType(key).type)
        default: nil
        }
    }

    /// The values of a dictionary, as ``members`` has its keys; nil when it is none, or only the value tells.
    var dictionaryValues: (part: CollectionPart, type: FieldType?)? {
        guard case .dictionary(_, let value) = type else { return nil }
        return (.values, ElementType(value).type)
    }

    /// Calls `body` with the key part of each member of a collection: the elements of an array or set, or the keys or values of a
    /// dictionary. nil and what is no such collection have no members. The bytes are valid during the call.
    func forEachMember(
        _ record: RecordView, _ part: CollectionPart, ignoring: TextFolding, direction: SortDirection,
        _ body: (RawSpan) throws -> Void
    ) throws {
        let memberType = Self.memberType(type, part)
        var bytes = ByteWriter(capacity: 64)
        try access.withValue(in: record) { value in
            guard case .container(let container) = value else { return }
            try container.forEachMember(part) { member in
                bytes.count = 0
                try KeyPart.append(member.value, type: memberType, ignoring: ignoring, direction: direction, to: &bytes)
                try bytes.withBytes(body)
                return true
            }
        }
    }

    /// The static type of a collection's members, without optional layers; nil when only the value tells.
    static func memberType(_ type: FieldType?, _ part: CollectionPart) -> FieldType? {
        let member: FieldType? =
            switch (type, part) {
            case (.array(let element), .elements), (.set(let element), .elements): element
            case (.dictionary(let key, _), .keys): key
            case (.dictionary(_, let value), .values): value
            default: nil
            }
        return member.flatMap { ElementType($0).type }
    }
}

extension FieldType {
    /// Itself when it is that of a `Codable` value.
    fileprivate var unorderedType: FieldType? {
        if case .codable = self { self } else { nil }
    }
}

/// What the element of a quantifier is: its static type without optional layers, nil when only the value tells.
struct ElementType {
    let type: FieldType?

    init(_ type: FieldType?) {
        if case .codable = type?.unwrapped { self.type = nil } else { self.type = type?.unwrapped }
    }
}

extension FieldAccess {
    /// A field's value, or what the names lead to inside it.
    init(_ field: RecordLayout.Field, of layout: RecordLayout, names: [[UInt8]]) {
        let nilBits = NilBits(field)
        let type = field.type.unwrapped
        if field.type.isLazy {
            self = .lazy(LazyPlace(field, of: layout), names: names)
        } else if !names.isEmpty {
            self = .nested(number: field.place, nilBits, names: names)
        } else if field.isFixed {
            self = .fixed(type, offset: field.place, nilBits)
        } else {
            self = .variable(VariableForm(type), number: field.place, nilBits)
        }
    }
}

extension ModelBinding {
    /// The names that paths may begin with.
    fileprivate var pathNames: [String] { [idPath.field] + schema.fields.map(\.name) + derived.map(\.name) }

    fileprivate func hasNoMembers(_ path: FieldPath) -> TroveError {
        unknownPath(path, "\(path.aggregate?.rawValue ?? "") is of the members of a collection, and it leads to the id; name it without")
    }

    fileprivate func countsOneReference(_ path: FieldPath) -> TroveError {
        unknownPath(path, "count is of lists, sets and dictionaries, and '\(path.field)' refers to one object; ask whether it is nil")
    }

    func unknownPath(_ path: FieldPath, _ reason: String) -> TroveError {
        .unknownPath(model: schema.name, path: path.description, reason: reason)
    }

    /// - Throws: ``TroveError/unknownPath(model:path:reason:)`` when a path to a value goes through a reference, which leads out of the record.
    fileprivate func checkEnd(of path: FieldPath, at position: Int) throws {
        guard let shape = schema.fields[position].relationship?.shape else { return }
        let own: Int
        switch shape {
        case .optionalOne, .requiredOne: own = 0
        case .keyed: own = 1
        case .ordered where path.beginsWithPosition: own = 1
        case .ordered, .set: if path.aggregate == nil || path.isCount { return } else { own = 0 }
        }
        guard path.names.count > own else {
            if path.aggregate == nil || path.isCount { return }
            throw unknownPath(path, "'\(path.field)' has references; name a property of the objects, as in \(path.appending("…"))")
        }
        throw unknownPath(
            path, "the relationship '\(path.field)' leads to another object, whose values only conditions, sorts, selections, groups and aggregates name"
        )
    }

    /// The static type that the names of a path lead to from a value of `start`, without optional layers; nil when only the value tells.
    ///
    /// - Throws: ``TroveError/unknownPath(model:path:reason:)``.
    fileprivate func type(of path: FieldPath, in start: FieldType?) throws -> FieldType? {
        var type = start
        for name in path.names {
            switch type?.unwrapped {
            case nil, .codable: return nil
            case .dictionary(.string, let value): type = value
            case .dictionary(let key, _):
                throw unknownPath(path, "the dictionary's keys are of type \(key.shownInErrors), and '\(name)' is a text; ask for any of its keys or values")
            case .array(let element):
                guard FieldContainer.isPosition(name) else {
                    throw unknownPath(
                        path, "'\(name)' is sought in \((type?.unwrapped.shownInErrors ?? "").withArticle); ask for any of its elements, or for one by its position, as in \(path.field)[0]")
                }
                type = element
            case .set:
                throw unknownPath(
                    path,
                    "'\(name)' is sought in \((type?.unwrapped.shownInErrors ?? "").withArticle), whose elements have no positions; ask for any of its elements"
                )
            case let scalar?:
                throw unknownPath(path, "'\(name)' is sought in \(scalar.shownInErrors.withArticle), which has nothing inside")
            }
        }
        return ElementType(type).type
    }
}
