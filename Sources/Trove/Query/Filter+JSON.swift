/// Filters as JSON: a tree that is read back to an equal one. Criteria text is for people, and writes some filters as others that mean the same.
extension Filter: JSONRepresentable {
    /// The filter as a tree: `{"and": [{"=": [{"path": "artist"}, {"value": "Bill Evans"}]}, {"<": [{"path": "year"}, {"value": 1965}]}]}`.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when it nests deeper than 100 levels.
    public func jsonValue() throws -> StoredValue { try jsonValue(depth: 0) }

    /// Reads a filter from JSON, as ``JSONRepresentable/json(_:)`` writes it.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)``; ``TroveError/invalidQuery(reason:)`` when the JSON
    ///   is no filter, with the part that is not.
    public init(json text: String) throws { try self.init(jsonValue: StoredValue(json: text)) }

    /// Creates a filter from the value that its JSON is read as.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)``.
    public init(jsonValue value: StoredValue) throws { self = try QueryJSONReader.filter(value) }

    /// How deep a filter may nest to be JSON: its conditions are values in values, of which there are 256 levels.
    static let maxJSONDepth = 100

    private func jsonValue(depth: Int) throws -> StoredValue {
        guard depth < Self.maxJSONDepth else {
            throw TroveError.encodingFailed(model: "JSON", field: "filter", reason: "it nests deeper than \(Self.maxJSONDepth) levels")
        }
        func tree(_ filter: Filter) throws -> StoredValue { try filter.jsonValue(depth: depth + 1) }
        switch self {
        case .constant(let value): return .bool(value)
        case .comparison(let left, let comparison, let right, let ignores): return Self.test(comparison.rawValue, [left.jsonValue, right.jsonValue], ignores)
        case .membership(let operand, let values, let ignores): return Self.test("in", [operand.jsonValue, .array(values)], ignores)
        case .text(let left, let test, let right, let ignores): return Self.test(test.rawValue, [left.jsonValue, right.jsonValue], ignores)
        case .matches(let operand, let pattern, let ignores):
            return Self.test("matches", [operand.jsonValue, .string(pattern)], TextFolding(ignoringCase: ignores))
        case .fullText(let query, let path):
            var parts = ["has words": try query.jsonValue(depth: 0)]
            if let path { parts["path"] = path.jsonValue }
            return .object(parts)
        case .isWithin(let path, .circle(let center, let meters)):
            return .object(["within": path.jsonValue, "meters": .double(meters), "of": .geoPoint(center)])
        case .isWithin(let path, .box(let southWest, let northEast)):
            return .object(["within": path.jsonValue, "southWest": .geoPoint(southWest), "northEast": .geoPoint(northEast)])
        case .isMultiple(let path, let factor): return .object(["is multiple": path.jsonValue, "of": StoredValue(integer: factor)])
        case .isNil(let path): return .object(["is nil": path.jsonValue])
        case .quantified(let quantifier, let path, let part, let inner):
            return .object([quantifier.rawValue: path.jsonValue, "part": .string(part.rawValue), "where": try tree(inner.value)])
        case .isUnreferenced: return .string("is unreferenced")
        case .hasDanglingReferences: return .string("has dangling references")
        case .and(let filters): return .object(["and": .array(try filters.array.map(tree))])
        case .or(let filters): return .object(["or": .array(try filters.array.map(tree))])
        case .not(let inner): return .object(["not": try tree(inner.value)])
        }
    }

    private static func test(_ name: String, _ sides: [StoredValue], _ ignoring: TextFolding) -> StoredValue {
        var parts: [String: StoredValue] = [name: .array(sides)]
        ignoring.addJSON(to: &parts)
        return .object(parts)
    }
}

extension Operand {
    fileprivate var jsonValue: StoredValue {
        switch self {
        case .path(let path): .object(["path": path.jsonValue])
        case .value(let value): .object(["value": value])
        }
    }
}

extension FullTextQuery {
    fileprivate func jsonValue(depth: Int) throws -> StoredValue {
        guard depth < Filter.maxJSONDepth else {
            throw TroveError.encodingFailed(model: "JSON", field: "full-text query", reason: "it nests deeper than \(Filter.maxJSONDepth) levels")
        }
        func trees(_ parts: Branches<FullTextQuery>) throws -> StoredValue { .array(try parts.array.map { try $0.jsonValue(depth: depth + 1) }) }
        return switch self {
        case .word(let word): .string(word)
        case .prefix(let word): .object(["prefix": .string(word)])
        case .phrase(let words): .object(["phrase": .string(words)])
        case .all(let parts): .object(["all": try trees(parts)])
        case .any(let parts): .object(["any": try trees(parts)])
        case .not(let part): .object(["not": try part.value.jsonValue(depth: depth + 1)])
        case .field(let name, let part): .object(["field": .string(name), "words": try part.value.jsonValue(depth: depth + 1)])
        }
    }
}

extension Query: JSONRepresentable {
    /// The query as JSON that ``init(json:)`` reads back:
    /// `{"limit": 10, "model": "Song", "sort": [{"path": "year"}], "where": …}`; parts that say nothing are left out.
    ///
    /// - Throws: as of ``Filter``.
    public func jsonValue() throws -> StoredValue {
        var parts: [String: StoredValue] = ["model": .string(model)]
        if filter != .constant(true) { parts["where"] = try filter.jsonValue() }
        if !sort.isEmpty { parts["sort"] = .array(sort.map(\.jsonValue)) }
        if offset != 0 { parts["offset"] = .number(offset) }
        if let limit { parts["limit"] = .number(limit) }
        return .object(parts)
    }

    /// Reads a query from JSON, as ``JSONRepresentable/json(_:)`` writes it.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)``; ``TroveError/invalidQuery(reason:)`` when the JSON
    ///   is no query, with the part that is not.
    public init(json text: String) throws { self = try QueryJSONReader.query(StoredValue(json: text)) }
}

extension SortKey {
    fileprivate var jsonValue: StoredValue {
        var parts = ["path": path.jsonValue]
        if direction == .descending { parts["direction"] = .string(direction.rawValue) }
        ignoring.addJSON(to: &parts)
        return .object(parts)
    }
}
