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
    init(_ path: FieldPath, at place: Int, like end: FieldReader) {
        self.path = path
        type = end.type
        unorderedType = end.unorderedType
        isID = false
        access = .referenced(place)
    }

    /// - Parameter element: what a path with an empty field begins at; nil outside of quantifiers.
    init(_ path: FieldPath, in binding: ModelBinding, element: ElementType?) throws {
        self.path = path
        let place = path.field.isEmpty ? nil : binding.fieldPlace(of: path)
        let names = (place?.names ?? path.names).map { Array($0.utf8) }
        // Every record has its id as $id, as answers show it; in a model it is `id` too.
        let namesID = place == nil && (path.field == binding.idPath.field || path.field == FieldPath.documentID.field)
        isID = namesID && !path.isCount
        unorderedType = path.isCount ? nil : place.flatMap { $0.names.isEmpty ? binding.layout.fields[$0.position].type.unwrapped.unorderedType : nil }
        let access: FieldAccess
        let type: FieldType?
        if path.field.isEmpty {
            guard let element else { throw binding.unknownPath(path, "only a condition on a collection's members has an element") }
            access = .element(names: names)
            type = try binding.type(of: path, in: element.type)
        } else if namesID {
            guard names.isEmpty else { throw binding.unknownPath(path, "the parts of the id have no names in conditions") }
            access = .id(binding.idType)
            type = binding.idType?.unwrapped
        } else if let position = place?.position {
            let field = binding.layout.fields[position]
            try binding.checkEnd(of: path, at: position)
            access = FieldAccess(field, of: binding.layout, names: names)
            type = try binding.type(of: path, in: field.type.withoutLazy)
        } else if let derived = binding.derived.first(where: { $0.name == path.field }) {
            access = .derived(derived, names: names)
            type = try binding.type(of: path, in: derived.type)
        } else {
            if binding.hiddenFields.contains(path.field) { throw TroveError.fieldKeysMissing(model: binding.schema.name, property: path.field) }
            throw TroveError.unknownField(model: binding.schema.name, field: path.field, known: binding.pathNames)
        }
        guard path.isCount else {
            (self.access, self.type) = (access, type)
            return
        }
        switch type {
        case nil where !namesID, .array?, .set?, .dictionary?: (self.access, self.type) = (.count(access), .int64)
        case let other:
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
        _ record: RecordView, isTyped: Bool = true, ignoringCase: Bool, direction: SortDirection, to key: inout ByteWriter
    ) throws {
        try access.withValue(in: record) {
            try KeyPart.append($0, type: isTyped ? type : nil, ignoringCase: ignoringCase, direction: direction, to: &key)
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
        _ record: RecordView, _ part: CollectionPart, ignoringCase: Bool, direction: SortDirection,
        _ body: (RawSpan) throws -> Void
    ) throws {
        let memberType = Self.memberType(type, part)
        var bytes = ByteWriter(capacity: 64)
        try access.withValue(in: record) { value in
            guard case .container(let container) = value else { return }
            try container.forEachMember(part) { member in
                bytes.count = 0
                try KeyPart.append(member.value, type: memberType, ignoringCase: ignoringCase, direction: direction, to: &bytes)
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
        case .ordered, .set: return
        }
        guard path.names.count > own else { return }
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
                guard FieldContainer.position(named: Array(name.utf8)) != nil else {
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
