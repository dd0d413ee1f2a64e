import Trove
import TroveStoreTools

/// What a person may have meant who asks a collection for something that no document has. To a store that is no mistake, since any document may get
/// any attribute; to a person it may be one.
///
/// Of models the store checks names and types itself.
struct QueryAdvice {
    private let probe: CollectionProbe
    private var told: Set<String> = []

    /// Tells on standard error what is strange about a query.
    ///
    /// - Parameters:
    ///   - filter: what is true of the records.
    ///   - sort: their order.
    ///   - paths: other paths of values that are asked for.
    ///   - found: how many there are; nil where nobody has looked. Only where nothing is found, or nobody looked, values are compared with what there is.
    static func tell(
        _ filter: Filter = .constant(true), sort: [SortKey] = [], paths: [FieldPath] = [], found: Int?, of model: StoredModel, in transaction: ReadTransaction
    ) throws {
        guard let probe = try CollectionProbe(model, in: transaction) else { return }
        var advice = QueryAdvice(probe: probe)
        try advice.names(in: filter)
        for key in sort { try advice.name(key.path, .sort) }
        for path in paths { try advice.name(path, .value) }
        if found ?? 0 == 0 { try advice.values(in: filter) }
    }

    /// The same of criteria text.
    static func tell(
        _ criteria: String?, sort: String? = nil, paths: [FieldPath] = [], found: Int?, of model: StoredModel, in transaction: ReadTransaction
    ) throws {
        let query = try criteria.map { try Query("", criteria: $0) }
        let order = try sort.map { try QueryText.sortKeys($0) } ?? []
        try tell(query?.filter ?? .constant(true), sort: (query?.sort ?? []) + order, paths: paths, found: found, of: model, in: transaction)
    }

    private init(probe: CollectionProbe) { self.probe = probe }

    // MARK: - Names

    /// Where a path stands.
    private enum Place {
        case value
        /// Where a value may have been meant.
        case otherSide
        case sort
    }

    private mutating func names(in filter: Filter) throws {
        switch filter {
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _):
            if case .path(let path) = left { try name(path, .value) }
            if case .path(let path) = right { try name(path, .otherSide) }
        case .membership(.path(let path), _, _), .matches(.path(let path), _, _), .isNil(let path), .isWithin(let path, _):
            try name(path, .value)
        // What is sought at any depth is at no path.
        case .quantified(_, let path, let part, _): if part != .depth { try name(path, .value) }
        case .and(let filters), .or(let filters): for filter in filters.array { try names(in: filter) }
        case .not(let inner): try names(in: inner.value)
        // Paths of a full text are those that were set, and lead through lists.
        default: return
        }
    }

    private mutating func name(_ path: FieldPath, _ place: Place) throws {
        // Behind its first name an aggregate may go through the elements of a list.
        let plain = path.aggregate == nil || path.isCount ? CollectionProbe.upToPosition(path) : FieldPath(field: path.field)
        if try probe.has(plain) {
            guard path.isCount, try !probe.has(.list, at: plain), let kind = try probe.kinds(at: plain).first else { return }
            return tell("\(plain) is a \(kind.name) and no list, so that it has no number of elements")
        }
        let paths = try probe.paths()
        // The first step that leads nowhere.
        var unknown = FieldPath(field: plain.field)
        var names = plain.names[...]
        while !names.isEmpty, try probe.has(unknown) { unknown = unknown.appending(names.removeFirst()) }
        let error = CommandError.noSuchAttribute(name: "\(unknown)", collection: probe.model.name, known: probe.candidates(for: unknown, in: paths))
        try tell("\(error)".followed(by: advice(on: unknown, place)))
    }

    /// What may be meant by a path that leads nowhere.
    private func advice(on path: FieldPath, _ place: Place) throws -> String? {
        if place == .sort, path.names.isEmpty, ["asc", "desc", "ascending", "descending"].contains(path.field.lowercased()) {
            return "the direction stands behind its path with a space between, as in name \(path.field.lowercased())"
        }
        if let last = path.names.last {
            let list = FieldPath(field: path.field, names: path.names.dropLast())
            guard try probe.has(.list, at: list) else { return nil }
            if ["count", "length", "size"].contains(last.lowercased()) { return "\(list) is a list, and the number of its elements is count(\(list))" }
            return "\(list) is a list; a condition on any of its elements is written any \(list) (\(last) = …)"
        }
        return place == .otherSide ? "a text stands in single quotes: \(path.field.quotedForPeople)" : nil
    }

    // MARK: - Values

    /// Tells of conditions that no document can pass: on a list as a whole, or of values of another kind than those there.
    private mutating func values(in filter: Filter) throws {
        switch filter {
        case .comparison(.path(let path), let comparison, .value(let value), let ignoring):
            try compared(filter, path, value) { .comparison(.path($0), comparison, .value($1), ignoring: ignoring) }
        case .text(.path(let path), let test, .value(let value), let ignoring):
            try compared(filter, path, value) { .text(.path($0), test, .value($1), ignoring: ignoring) }
        case .membership(.path(let path), let values, let ignoring):
            guard let value = values.first, values.allSatisfy({ CollectionProbe.Kind($0) == CollectionProbe.Kind(value) }) else { return }
            try compared(filter, path, value) { path, other in other == value ? .membership(.path(path), values, ignoring: ignoring) : nil }
        case .matches(.path(let path), let pattern, let ignoringCase):
            try compared(filter, path, .string(pattern)) { path, _ in .matches(.path(path), pattern: pattern, ignoringCase: ignoringCase) }
        case .quantified(.any, let path, .elements, let inner):
            guard !path.field.isEmpty, try probe.has(path), try !probe.has(.list, at: path), let kind = try probe.kinds(at: path).first else { return }
            tell("\(path) is a \(kind.name) and no list; did you mean: \(inner.value.mapPaths { $0 == .element ? path : $0 })?")
        case .and(let filters), .or(let filters): for filter in filters.array { try values(in: filter) }
        case .not(let inner): try values(in: inner.value)
        default: return
        }
    }

    /// - Parameter changed: the condition on another path, or with another value; nil where it makes none.
    private mutating func compared(_ filter: Filter, _ path: FieldPath, _ value: StoredValue, _ changed: (FieldPath, StoredValue) -> Filter?) throws {
        guard !path.field.isEmpty, !path.field.hasPrefix("$"), path.aggregate == nil, let kind = CollectionProbe.Kind(value), kind != .list,
            try !probe.has(kind, at: path)
        else { return }
        if try probe.has(.list, at: path) {
            guard let inner = changed(.element, value) else { return }
            return tell("\(path) is a list; did you mean: \(Filter.quantified(.any, path, .elements, inner))?")
        }
        guard let other = try probe.kinds(at: path).first else { return }
        var text = "\(path) is a \(other.name), and \(Operand.value(value).shown) a \(kind.name)"
        if let meant = Self.value(value, as: other), let filter = changed(path, meant) { text += "; did you mean: \(filter)?" }
        tell(text)
    }

    /// A value as it would be written in another kind; nil where it has none.
    private static func value(_ value: StoredValue, as kind: CollectionProbe.Kind) -> StoredValue? {
        switch (value, kind) {
        case (.string(let text), .number): Int64(text).map { .int($0) } ?? Double(text).map { .double($0) }
        case (.string(let text), .bool): Bool(text.lowercased()).map { .bool($0) }
        case (_, .text):
            // As it was typed.
            CollectionProbe.Kind(value) == .date ? nil : .string(Operand.value(value).shown)
        default: nil
        }
    }

    private mutating func tell(_ text: String) {
        if told.insert(text).inserted { Output.tell(text) }
    }
}

extension Operand {
    /// As criteria text has it.
    fileprivate var shown: String { String("\(Filter.comparison(.path(FieldPath(field: "a")), .equal, self))".dropFirst("a = ".count)) }
}

extension String {
    /// A sentence with another thing to tell behind it, which may be a question before.
    func followed(by text: String?) -> String { text.map { hasSuffix("?") ? "\(self) (\($0))" : "\(self); \($0)" } ?? self }

    /// In single quotes, as criteria text has texts.
    var quotedForPeople: String { "'" + replacing("'", with: "''") + "'" }
}
