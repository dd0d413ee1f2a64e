import Foundation

/// Writes filters and queries as criteria text, which ``CriteriaParser`` reads back to the same value.
///
/// An `and` or `or` of one condition is written as that condition, and one of none as `true` or `false`: they mean the same. So do
/// a word and the phrase of it, which one stands for where full-text search needs quotation marks. Text that
/// abbreviates is for people, and is not read back where it says `…`; nor are conditions and values that nest deeper than queries and stores have them.
struct CriteriaWriter {
    /// How tightly a condition holds together: what holds less than its surroundings stands in parentheses.
    private enum Binding: Int {
        case or, and, not
    }

    private let root: CriteriaParser.Root
    /// Whether long values and lists are cut.
    private let abbreviates: Bool
    /// How much of a value is left.
    private static let maxLength = 40
    /// How many values of a list are left.
    private static let maxCount = 4
    /// How many of many conditions are left.
    private static let maxShown = 16
    /// How many conditions the present one stands in.
    private var depth = 0
    /// How many values the present one stands in.
    private var valueDepth = 0

    init(root: CriteriaParser.Root = .object, abbreviates: Bool = false) {
        self.root = root
        self.abbreviates = abbreviates
    }

    func text(_ query: Query) -> String {
        var parts: [String] = []
        if query.filter != .constant(true) { parts.append(text(query.filter)) }
        if !query.sort.isEmpty { parts.append("order by " + query.sort.map { text($0) }.joined(separator: ", ")) }
        if let limit = query.limit { parts.append("limit \(limit)") }
        if query.offset != 0 { parts.append("offset \(query.offset)") }
        return parts.joined(separator: " ")
    }

    func text(_ filter: Filter) -> String { text(filter, in: .or) }

    private func text(_ key: SortKey) -> String {
        text(key.path) + ignoring(key.ignoringCase) + (key.direction == .descending ? " desc" : "")
    }

    private func text(_ filter: Filter, in surroundings: Binding) -> String {
        guard depth < FilterCompiler.maxDepth else { return "…" }
        var inner = self
        inner.depth += 1
        return inner.ownText(filter, in: surroundings)
    }

    private func ownText(_ filter: Filter, in surroundings: Binding) -> String {
        switch filter {
        case .constant(let value): "\(value)"
        case .comparison, .membership, .text, .matches, .isWithin, .isMultiple, .isNil: test(filter)
        case .fullText(let query, let path): (path.map { text($0) + " " } ?? "") + "has words " + query.description.quotedLiteral
        case .not(let inner): negated(inner.value)
        case .quantified(let quantifier, let path, let part, let inner):
            quantifier.rawValue + (part == .elements ? " " : " \(part.rawValue) of ") + text(path) + shortOrWhole(inner.value)
        case .isUnreferenced: "is unreferenced"
        case .hasDanglingReferences: "has dangling references"
        case .and(let filters): joined(filters.array, "and", empty: "true", .and, in: surroundings)
        case .or(let filters): joined(filters.array, "or", empty: "false", .or, in: surroundings)
        }
    }

    private func negated(_ filter: Filter) -> String {
        switch filter {
        case .isNil(let path): text(path) + " is not nil"
        case .isMultiple(let path, let factor): text(path) + " is not multiple of \(factor)"
        case .membership(let operand, let values, let ignoringCase):
            text(operand) + " not in " + list(values) + ignoring(ignoringCase)
        default: "not (" + text(filter, in: .or) + ")"
        }
    }

    private func joined(_ filters: [Filter], _ word: String, empty: String, _ binding: Binding, in surroundings: Binding) -> String {
        guard filters.count > 1 else { return filters.first.map { text($0, in: surroundings) } ?? empty }
        // A member of the same kind keeps its parentheses: it is a value of its own.
        let inner = binding == .or ? Binding.and : .not
        let shown = abbreviates && filters.count > Self.maxShown ? filters.prefix(Self.maxShown) : filters[...]
        let left = shown.count < filters.count ? ["… \(filters.count) conditions"] : []
        let whole = (shown.map { text($0, in: inner) } + left).joined(separator: " \(word) ")
        return binding.rawValue < surroundings.rawValue ? "(" + whole + ")" : whole
    }

    private func test(_ filter: Filter) -> String {
        switch filter {
        case .comparison(let subject, _, _, _), .membership(let subject, _, _), .text(let subject, _, _, _), .matches(let subject, _, _):
            text(subject) + rest(filter)
        case .isWithin(let path, _), .isMultiple(let path, _), .isNil(let path): text(path) + rest(filter)
        default: ""
        }
    }

    /// What is said of the subject.
    private func rest(_ filter: Filter) -> String {
        switch filter {
        case .comparison(_, let comparison, let other, let ignoringCase): " \(comparison.rawValue) " + text(other) + ignoring(ignoringCase)
        case .membership(_, let values, let ignoringCase): " in " + list(values) + ignoring(ignoringCase)
        case .text(_, let test, let other, let ignoringCase): " \(test.rawValue) " + text(other) + ignoring(ignoringCase)
        case .matches(_, let pattern, let ignoringCase): " matches " + pattern.quotedLiteral + ignoring(ignoringCase)
        case .isWithin(_, .circle(let center, let meters)): " within " + text(.double(meters)) + " m of " + text(.geoPoint(center))
        case .isWithin(_, .box(let southWest, let northEast)): " within " + text(.geoPoint(southWest)) + " to " + text(.geoPoint(northEast))
        case .isMultiple(_, let factor): " is multiple of \(factor)"
        case .isNil: " is nil"
        default: ""
        }
    }

    /// A quantifier's condition: in short when it is one test of the element that names no other, else in parentheses.
    private func shortOrWhole(_ filter: Filter) -> String {
        let isShort =
            switch filter {
            case .comparison(.path(.element), _, .value, _), .membership(.path(.element), _, _), .text(.path(.element), _, .value, _),
                .matches(.path(.element), _, _), .isWithin(.element, _), .isMultiple(.element, _), .isNil(.element):
                true
            default: false
            }
        if isShort { return rest(filter) }
        var inner = CriteriaWriter(root: .element, abbreviates: abbreviates)
        inner.depth = depth
        return " (" + inner.text(filter) + ")"
    }

    private func ignoring(_ ignoringCase: Bool) -> String { ignoringCase ? " ignoring case" : "" }

    private func list(_ values: [StoredValue]) -> String { "(" + listed(values, counted: "values") { text($0) } + ")" }

    /// The texts of some values, of which some stand for all where there are too many.
    func listed<Values: Collection>(_ values: Values, counted name: String, _ text: (Values.Element) -> String) -> String {
        guard abbreviates, values.count > Self.maxCount else { return values.map(text).joined(separator: ", ") }
        return values.prefix(Self.maxCount).map(text).joined(separator: ", ") + ", … \(values.count) \(name)"
    }

    /// Some of a long text.
    func cut(_ text: String) -> String {
        abbreviates && text.count > Self.maxLength ? text.prefix(Self.maxLength) + "…" : text
    }

    private func text(_ operand: Operand) -> String {
        switch operand {
        case .path(let path): text(path)
        case .value(let value): text(value)
        }
    }

    private func text(_ path: FieldPath) -> String {
        var names = path.names
        var first: String
        if !path.field.isEmpty {
            first = root == .object ? name(path.field) : "object." + name(path.field)
        } else if names.isEmpty {
            first = "element"
        } else {
            first = name(names.removeFirst())
        }
        for next in names {
            let isPosition = FieldContainer.position(named: Array(next.utf8)) != nil
            first += isPosition ? "[\(next)]" : "." + (isPlain(next) ? next : next.quoted(by: "\""))
        }
        return first
    }

    /// A name at the beginning of a path, where it must not be taken for a word of the language.
    private func name(_ name: String) -> String {
        let word = name.lowercased()
        let isPlain = isPlain(name) && !CriteriaParser.reserved.contains(word) && (root == .object || (word != "element" && word != "object"))
        return isPlain ? name : name.quoted(by: "\"")
    }

    private func isPlain(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, !CriteriaLexer.isDigit(first) else { return false }
        return name.unicodeScalars.allSatisfy { CriteriaLexer.isWordPart($0) }
    }
}

extension CriteriaWriter {
    func text(_ value: StoredValue) -> String {
        guard valueDepth <= NestedTag.maxDepth else { return "…" }
        var inner = self
        inner.valueDepth += 1
        return inner.ownText(value)
    }

    private func ownText(_ value: StoredValue) -> String {
        switch value {
        case .array(let values): "[" + listed(values, counted: "elements") { text($0) } + "]"
        case .object(let values):
            // Sorted, so that equal values have one text.
            "{" + listed(values.sorted { $0.key < $1.key }, counted: "names") { $0.key.quotedLiteral + ": " + text($0.value) } + "}"
        case .dictionary(let values):
            "dictionary {" + listed(values.map { text($0.key) + ": " + text($0.value) }.sorted(), counted: "keys") { $0 } + "}"
        default: value.scalar?.literal(cut) ?? "nil"
        }
    }
}
