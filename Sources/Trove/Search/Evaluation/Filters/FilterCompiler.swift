/// Makes nodes of a filter's conditions.
struct FilterCompiler {
    let binding: ModelBinding
    /// What the innermost quantifier looks at; nil outside of quantifiers.
    var element: ElementType?
    /// How many conditions the current one stands in.
    private var depth = 0

    /// How deep conditions may nest: a bound on the stack that a filter can take.
    private static let maxDepth = 1_000

    init(binding: ModelBinding) {
        self.binding = binding
    }

    func node(_ filter: Filter) throws -> any FilterNode {
        guard depth < Self.maxDepth else {
            throw TroveError.invalidQuery(reason: "its conditions nest deeper than \(Self.maxDepth) levels")
        }
        var inner = self
        inner.depth += 1
        switch filter {
        case .constant(let isTrue): return ConstantNode(isTrue)
        case .comparison(let left, let comparison, let right, let ignoringCase):
            return try self.comparison(left, comparison, right, ignoringCase)
        case .membership(let value, let list, let ignoringCase): return try membership(value, list, ignoringCase)
        case .text(let text, let test, let part, let ignoringCase):
            return TextTestNode(try self.text(text), test, try self.text(part), ignoringCase: ignoringCase)
        case .matches(let text, let pattern, let ignoringCase):
            return RegexNode(try self.text(text), try RegularExpression(pattern, ignoringCase: ignoringCase))
        case .isNil(let path): return NilNode(try reader(path))
        case .quantified(let quantifier, let path, let part, let condition):
            let collection = try reader(path)
            inner.element = try members(of: collection, part)
            return QuantifierNode(quantifier, collection, part, try inner.node(condition))
        case .and(let filters): return try inner.conjunction(filters)
        case .or(let filters): return try inner.disjunction(filters)
        case .not(let filter): return NotNode(try inner.node(filter))
        }
    }

    private func conjunction(_ filters: [Filter]) throws -> any FilterNode {
        let nodes = try filters.map { try node($0) }
        return nodes.count == 1 ? nodes[0] : AndNode(nodes)
    }

    private func disjunction(_ filters: [Filter]) throws -> any FilterNode {
        let nodes = try filters.map { try node($0) }
        return nodes.count == 1 ? nodes[0] : OrNode(nodes)
    }

    func reader(_ path: FieldPath) throws -> FieldReader {
        try FieldReader(path, in: binding, element: element)
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

    /// The type of a quantifier's element.
    private func members(of collection: FieldReader, _ part: CollectionPart) throws -> ElementType {
        switch (collection.type, part) {
        case (nil, _): return ElementType(nil)
        case (.array, .elements), (.set, .elements), (.dictionary, .keys), (.dictionary, .values):
            return ElementType(FieldReader.memberType(collection.type, part))
        case (let type?, _): throw incomparable(collection.path, "a \(type) has no \(part.rawValue)")
        }
    }

    /// A side of a text test: a path to text, or a text.
    private func text(_ operand: Operand) throws -> FilterOperand {
        switch operand {
        case .path(let path):
            let reader = try reader(path)
            if let type = reader.type, type != .string { throw incomparable(path, "it is a \(type), and the test is one of text") }
            return .path(reader)
        case .value(let value):
            switch value {
            case .string, .null: return .value(try Literal(value))
            default: throw TroveError.invalidQuery(reason: "a test of text is asked of the \(value.kind)")
            }
        }
    }
}
