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
        text(key.path) + key.ignoring.phrase + (key.direction == .descending ? " desc" : "")
    }

    private func text(_ filter: Filter, in surroundings: Binding) -> String {
        guard depth < FilterCompiler.maxDepth else { return "…" }
        var inner = self
        inner.depth += 1
        return inner.ownText(filter, in: surroundings)
    }

    private func ownText(_ filter: Filter, in surroundings: Binding) -> String {
        switch wording(filter) {
        case .test(let subject, let rest): text(subject) + rest
        case .whole(let text): text(surroundings)
        }
    }

    /// What a condition says.
    private enum Wording {
        /// Something of a subject, which stands before it.
        case test(of: Operand, String)
        /// Something else, which is written when it is asked for: it may have other conditions in it.
        case whole((Binding) -> String)
    }

    private func wording(_ filter: Filter) -> Wording {
        switch filter {
        case .constant(let value): .whole { _ in "\(value)" }
        case .comparison(let subject, let comparison, let other, let ignoring):
            .test(of: subject, " \(comparison.rawValue) " + text(other) + ignoring.phrase)
        case .membership(let subject, let values, let ignoring): .test(of: subject, " in " + list(values) + ignoring.phrase)
        case .text(let subject, let test, let other, let ignoring): .test(of: subject, " \(test.rawValue) " + text(other) + ignoring.phrase)
        case .matches(let subject, let pattern, let ignoringCase):
            .test(of: subject, " matches " + pattern.quotedLiteral + TextFolding(ignoringCase: ignoringCase).phrase)
        case .fullText(let query, let path): .whole { _ in words(query, path) }
        case .isWithin(let path, .circle(let center, let meters)):
            .test(of: .path(path), " within " + text(.double(meters)) + " m of " + text(.geoPoint(center)))
        case .isWithin(let path, .box(let southWest, let northEast)):
            .test(of: .path(path), " within " + text(.geoPoint(southWest)) + " to " + text(.geoPoint(northEast)))
        case .isMultiple(let path, let factor): .test(of: .path(path), " is multiple of \(factor)")
        case .isNil(let path): .test(of: .path(path), " is nil")
        case .quantified(let quantifier, let path, let part, let inner): .whole { _ in quantified(quantifier, path, part, inner.value) }
        case .isUnreferenced: .whole { _ in "is unreferenced" }
        case .hasDanglingReferences: .whole { _ in "has dangling references" }
        case .and(let filters): .whole { joined(filters.array, "and", empty: "true", .and, in: $0) }
        case .or(let filters): .whole { joined(filters.array, "or", empty: "false", .or, in: $0) }
        case .not(let inner): .whole { _ in negated(inner.value) }
        }
    }

    private func words(_ query: FullTextQuery, _ path: FieldPath?) -> String {
        (path.map { text($0) + " " } ?? "") + "has words " + query.description.quotedLiteral
    }

    private func quantified(_ quantifier: Quantifier, _ path: FieldPath, _ part: CollectionPart, _ filter: Filter) -> String {
        quantifier.rawValue + (part == .elements ? " " : " \(part.rawValue) of ") + text(path) + shortOrWhole(filter)
    }

    private func negated(_ filter: Filter) -> String {
        switch filter {
        case .isNil(let path): text(path) + " is not nil"
        case .isMultiple(let path, let factor): text(path) + " is not multiple of \(factor)"
        case .membership(let operand, let values, let ignoring):
            text(operand) + " not in " + list(values) + ignoring.phrase
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

    /// A quantifier's condition: in short when it is one test of the element that names no other, else in parentheses.
    private func shortOrWhole(_ filter: Filter) -> String {
        if case .test(.path(.element), let rest) = wording(filter), filter.ownPaths.count == 1 { return rest }
        var inner = CriteriaWriter(root: .element, abbreviates: abbreviates)
        inner.depth = depth
        return " (" + inner.text(filter) + ")"
    }

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
        if let aggregate = path.aggregate { return aggregate.rawValue + "(" + text(path.unaggregated) + ")" }
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
            let isPosition = FieldContainer.isPosition(next)
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
