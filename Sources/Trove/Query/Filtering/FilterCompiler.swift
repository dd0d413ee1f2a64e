/// Works out a filter's conditions against a model.
struct FilterCompiler {
    let binding: ModelBinding
    /// The transaction that the filter will run in; nil when that is not known.
    let lookup: (any ReferenceLookup)?
    /// Asked while a single condition takes long; nil where nobody cancels.
    let watch: ReadWatch?
    /// What the innermost quantifier looks at; nil outside of quantifiers.
    var element: ElementType?
    /// Shared by quantifiers in quantifiers; nil outside of them, and where nobody cancels.
    private var memberWatch: MemberWatch?
    /// How many conditions the current one stands in.
    private var depth = 0
    /// How many of them are quantifiers.
    private var quantifiers = 0

    /// How deep conditions may nest: a bound on the stack that a filter can take.
    static let maxDepth = 1_000
    /// How many quantifiers may stand one in the other: a bound on the stack that a record takes, since each of them asks the next one.
    static let maxQuantifiers = 64
    /// How many conditions, values of lists and words a filter may have: a bound on the memory and time that planning takes.
    static let maxConditions = 2_000_000

    init(binding: ModelBinding, lookup: (any ReferenceLookup)?, watch: ReadWatch?) {
        self.watch = watch
        self.binding = binding
        self.lookup = lookup
    }

    private static var tooDeep: TroveError { .invalidQuery(reason: "its conditions nest deeper than \(maxDepth) levels") }

    private static var tooManyQuantifiers: TroveError {
        .invalidQuery(reason: "its conditions on members of members nest deeper than \(maxQuantifiers) levels")
    }

    /// Throws when conditions nest too deeply to be looked at one inside the other, or are too many.
    static func checkSize(of filter: Filter) throws {
        var rest = maxConditions
        try checkSize(of: filter, at: 0, quantifiers: 0, &rest)
    }

    private static func checkSize(of filter: Filter, at depth: Int, quantifiers: Int, _ rest: inout Int) throws {
        guard depth < maxDepth else { throw tooDeep }
        rest -= 1
        switch filter {
        case .and(let filters), .or(let filters):
            for filter in filters { try checkSize(of: filter, at: depth + 1, quantifiers: quantifiers, &rest) }
        case .not(let inner): try checkSize(of: inner.value, at: depth + 1, quantifiers: quantifiers, &rest)
        case .quantified(_, _, _, let inner):
            guard quantifiers < maxQuantifiers else { throw tooManyQuantifiers }
            try checkSize(of: inner.value, at: depth + 1, quantifiers: quantifiers + 1, &rest)
        case .membership(_, let values, _): rest -= values.count
        case .fullText(let query, _): rest -= query.partCount()
        default: break
        }
        guard rest >= 0 else {
            throw TroveError.invalidQuery(
                reason: "it has more than \(maxConditions) conditions, values of lists and words; split it into several queries, or store a property that the objects share")
        }
    }

    func tree(_ filter: Filter) throws -> FilterTree {
        guard depth < Self.maxDepth else { throw Self.tooDeep }
        var inner = self
        inner.depth += 1
        switch filter {
        case .constant(let isTrue): return .constant(isTrue)
        case .comparison(let left, let comparison, let right, let ignoring):
            return try self.comparison(left, comparison, right, ignoring)
        case .membership(let value, let list, let ignoring): return try membership(value, list, ignoring)
        case .text(let text, let test, let part, let ignoring):
            return try textTest(self.text(text), test, self.text(part), ignoring)
        case .matches(let text, let pattern, let ignoringCase):
            return .node(RegexNode(try self.text(text), try RegularExpression(pattern, ignoringCase: ignoringCase), watch))
        case .fullText(let query, let path):
            if path == nil { try checkIsOfObject(filter) }
            return .node(try FullTextNode(query, path, in: binding))
        case .isWithin(let path, let region): return try within(path, region)
        case .isMultiple(let path, let factor): return try multiple(path, factor)
        case .isNil(let path): return isNil(try reader(path))
        case .quantified(let quantifier, let path, let part, let condition):
            guard quantifiers < Self.maxQuantifiers else { throw Self.tooManyQuantifiers }
            inner.quantifiers += 1
            let (start, name) = try part == .depth ? sought(path) : (path, nil)
            let collection = try reader(start)
            inner.element = try members(of: collection, part)
            inner.memberWatch = countingMembers
            return .node(QuantifierNode(quantifier, collection, part, named: name, try inner.tree(condition.value), inner.memberWatch))
        case .isUnreferenced: return .node(ReferenceNode(.isUnreferenced, binding, try asked(filter)))
        case .hasDanglingReferences: return .node(ReferenceNode(.hasDanglingReferences, binding, try asked(filter)))
        case .and(let filters): return .and(try filters.map { try inner.tree($0) })
        case .or(let filters): return .or(try filters.map { try inner.tree($0) })
        case .not(let filter): return .not(try inner.tree(filter.value))
        }
    }

    /// What counts the members that a condition looks at.
    var countingMembers: MemberWatch? { memberWatch ?? watch.map { MemberWatch($0) } }

    /// The transaction that a condition on other objects than the record's asks.
    private func asked(_ filter: Filter) throws -> any ReferenceLookup {
        try checkIsOfObject(filter)
        guard let lookup else { throw TroveError.invalidQuery(reason: "'\(filter.explained)' can be evaluated in a transaction only") }
        return lookup
    }

    /// Throws inside of a quantifier, where a condition without a path would be on the object though it is written as one on the member.
    private func checkIsOfObject(_ filter: Filter) throws {
        guard element != nil else { return }
        throw TroveError.invalidQuery(
            reason: "'\(filter.explained)' is of a whole object, and no condition on members; write it outside of 'any', 'all' or 'none'")
    }

    func reader(_ path: FieldPath) throws -> FieldReader {
        if path.aggregate != nil, let reader = try lookup?.memberReader(of: path, in: binding, watch) { return reader }
        return try FieldReader(path, in: binding, element: element)
    }

    func operand(_ operand: Operand) throws -> FilterOperand {
        switch operand {
        case .path(let path): .path(try reader(path))
        case .value(let value): .value(try Literal(value))
        }
    }

    func incomparable(_ path: FieldPath, _ reason: String) -> TroveError {
        .incomparable(model: binding.schema.name, path: path.description, reason: reason)
    }

    /// Where a path begins whose last name is sought at any depth, and that name.
    private func sought(_ path: FieldPath) throws -> (start: FieldPath, name: String?) {
        if let name = path.names.last { return (FieldPath(field: path.field, names: path.names.dropLast()), name) }
        guard binding.isCollection, !path.field.isEmpty, path != .document else {
            throw binding.unknownPath(path, "names at any depth are for documents and Codable values: any depth of details.name")
        }
        return (.document, path.field)
    }

    /// The type of a quantifier's element.
    private func members(of collection: FieldReader, _ part: CollectionPart) throws -> ElementType {
        switch (collection.type, part) {
        case (nil, _): return ElementType(nil)
        case (.array, .elements), (.set, .elements), (.dictionary, .keys), (.dictionary, .values):
            return ElementType(FieldReader.memberType(collection.type, part))
        case (let type?, _): throw incomparable(collection.path, "\(type.shownInErrors.withArticle) has no \(part.rawValue)")
        }
    }

    func isNil(_ reader: FieldReader) -> FilterTree {
        switch reader.access {
        case .fixed(_, _, let nilBits), .variable(_, _, let nilBits):
            // A Codable value may encode itself as nil though it is there.
            if reader.type != nil && nilBits.isSingle { return nilBits.mask == 0 ? .constant(false) : .test(FieldTest(isNil: nilBits), nil) }
        default: break
        }
        return .node(NilNode(reader))
    }

    private func within(_ path: FieldPath, _ region: GeoRegion) throws -> FilterTree {
        try region.check()
        let reader = try reader(path)
        if let type = reader.type, type != .geoPoint { throw incomparable(path, "it is \(type.shownInErrors.withArticle), and 'within' is for points") }
        return .node(RegionNode(reader, region))
    }

    private func multiple(_ path: FieldPath, _ factor: Int128) throws -> FilterTree {
        let reader = try reader(path)
        if let type = reader.type, ValueClass(type) != .number {
            throw incomparable(path, "it is \(type.shownInErrors.withArticle), and multiples are numbers")
        }
        return .node(MultipleNode(reader, factor))
    }

    private func textTest(_ text: FilterOperand, _ test: TextTest, _ part: FilterOperand, _ ignoring: TextFolding) -> FilterTree {
        if ignoring.isEmpty, case .path(let reader) = text, case .variable(.text, let number, let nilBits) = reader.access, nilBits.isSingle,
            case .value(let literal) = part, let bytes = literal.value.text(of: nil)
        {
            let kind: FieldTest.Kind =
                switch test {
                case .hasPrefix: .hasPrefix
                case .hasSuffix: .hasSuffix
                case .contains: .contains
                }
            return .test(FieldTest(kind, nilBits, number: number, bytes), literal)
        }
        if !ignoring.isEmpty, case .value(let literal) = part, let bytes = literal.value.text(of: nil) {
            return .node(FoldedTestNode(text, test, String(storedUTF8: bytes), ignoring: ignoring))
        }
        return .node(TextTestNode(text, test, part, ignoring: ignoring))
    }

    /// A side of a text test: a path to text, or a text.
    private func text(_ operand: Operand) throws -> FilterOperand {
        switch operand {
        case .path(let path):
            let reader = try reader(path)
            if let type = reader.type, type != .string, type != .url {
                let elements =
                    switch type.unwrapped {
                    case .array, .set: "; for its elements write 'x' in \(path)"
                    default: ""
                    }
                throw incomparable(path, "it is \(type.shownInErrors.withArticle), and the test is for texts\(elements)")
            }
            return .path(reader)
        case .value(let value):
            switch value {
            case .string, .null: return .value(try Literal(value))
            default: throw TroveError.invalidQuery(reason: "a test of text is applied to the \(value.kind)")
            }
        }
    }
}

extension FilterCompiler {
    /// Whether a look at a filter tells that nothing is wrong with it: it compares fields of the model with values of their own types.
    ///
    /// Such a filter goes through no references, and need not be worked out where an index answers it.
    func isPlainlyRight(_ filter: Filter) -> Bool {
        switch filter {
        case .constant: true
        case .comparison: isPlainComparison(filter)
        case .and(let filters): filters.allSatisfy(isPlainComparison)
        default: false
        }
    }

    private func isPlainComparison(_ filter: Filter) -> Bool {
        guard case .comparison(.path(let path), let comparison, .value(let value), let ignoring) = filter, ignoring.isEmpty, path.isOfWholeField else {
            return false
        }
        let type: FieldType
        if let position = binding.layout.position(of: path.field) {
            type = binding.layout.fields[position].type
        } else if path == .id, let idType = binding.idType {
            type = idType
        } else {
            return false
        }
        return switch (type.unwrapped, value) {
        case (.string, .string), (.date, .date), (.double, .double): true
        case (.int64, .int), (.int32, .int), (.int16, .int), (.int8, .int), (.uint32, .int), (.uint16, .int), (.uint8, .int): true
        case (.bool, .bool), (.objectID, .objectID), (.uuid, .uuid): comparison.isEquality
        default: false
        }
    }
}
