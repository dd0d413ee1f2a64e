/// Makes filters and queries of the values that their JSON is read as.
enum QueryJSONReader {
    static func query(_ value: StoredValue) throws -> Query {
        let parts = try parts(of: value, "a query")
        try check(parts, names: ["model", "where", "sort", "offset", "limit"], in: "a query")
        guard case .string(let model)? = parts["model"] else { throw mistake("a query has the name of a model, as \"model\"") }
        var query = Query(model)
        if let filter = parts["where"] { query.filter = try Self.filter(filter) }
        if let sort = parts["sort"] { query.sort = try list(sort, "a sort").map(sortKey) }
        if let offset = parts["offset"] { query.offset = try number(offset, "an offset") }
        if let limit = parts["limit"] { query.limit = try number(limit, "a limit") }
        return query
    }

    private static func sortKey(_ value: StoredValue) throws -> SortKey {
        let parts = try parts(of: value, "a criterion of a sort")
        try check(parts, names: Set(["path", "direction"] + TextFolding.jsonNames.map(\.name)), in: "a criterion of a sort")
        var direction = SortDirection.ascending
        if let text = parts["direction"] {
            guard case .string(let name) = text, let known = SortDirection(rawValue: name) else { throw mistake("a direction is ascending or descending") }
            direction = known
        }
        return SortKey(try path(parts["path"]), direction, ignoring: try folding(parts))
    }

    /// How deep conditions and words may nest: a value that is made in memory, and not read, has any number of levels.
    private static let maxDepth = NestedTag.maxDepth

    private static func checkDepth(_ depth: Int) throws { if depth > maxDepth { throw mistake("it nests deeper than \(maxDepth) levels") } }

    static func filter(_ value: StoredValue, depth: Int = 0) throws -> Filter {
        try checkDepth(depth)
        switch value {
        case .bool(let value): return .constant(value)
        case .string("is unreferenced"): return .isUnreferenced
        case .string("has dangling references"): return .hasDanglingReferences
        default: break
        }
        let parts = try parts(of: value, "a condition")
        let ignoring = try folding(parts)
        for (name, content) in parts {
            if let comparison = Comparison(rawValue: name) {
                let (left, right) = try sides(content, parts, name)
                return .comparison(try operand(left), comparison, try operand(right), ignoring: ignoring)
            }
            if let test = TextTest(rawValue: name) {
                let (left, right) = try sides(content, parts, name)
                return .text(try operand(left), test, try operand(right), ignoring: ignoring)
            }
            if let quantifier = Quantifier(rawValue: name) {
                try check(parts, names: [name, "part", "where"], in: name)
                guard case .string(let partName)? = parts["part"], let part = CollectionPart(rawValue: partName), let inner = parts["where"] else {
                    throw mistake("'\(name)' has a part, which is \(CollectionPart.allCases.map(\.rawValue).formattedAsChoice), and a condition, as \"where\"")
                }
                return .quantified(quantifier, try path(content), part, try filter(inner, depth: depth + 1))
            }
        }
        return try otherFilter(parts, ignoring, depth)
    }

    private static func otherFilter(_ parts: [String: StoredValue], _ ignoring: TextFolding, _ depth: Int) throws -> Filter {
        func filters(_ content: StoredValue, _ name: String) throws -> [Filter] {
            try list(content, only(name, parts)).map { try filter($0, depth: depth + 1) }
        }
        if let content = parts["and"] { return .and(try filters(content, "and")) }
        if let content = parts["or"] { return .or(try filters(content, "or")) }
        if let content = parts["not"] {
            _ = try only("not", parts)
            return .not(try filter(content, depth: depth + 1))
        }
        if let content = parts["is nil"] {
            _ = try only("is nil", parts)
            return .isNil(try path(content))
        }
        if let content = parts["in"] {
            let (left, right) = try sides(content, parts, "in")
            return .membership(try operand(left), try list(right, "the list of 'in'"), ignoring: ignoring)
        }
        if let content = parts["matches"] {
            guard !ignoring.contains(.diacritics) else { throw mistake("'matches' ignores no diacritics, case alone") }
            let (left, right) = try sides(content, parts, "matches")
            guard case .string(let pattern) = right else { throw mistake("the pattern of 'matches' is a text") }
            return .matches(try operand(left), pattern: pattern, ignoringCase: ignoring.contains(.case))
        }
        if let content = parts["within"] { return .isWithin(try path(content), try region(parts)) }
        if let content = parts["is multiple"] {
            try check(parts, names: ["is multiple", "of"], in: "is multiple")
            guard let factor = parts["of"].flatMap({ Int128(integer: $0) }) else { throw mistake("'is multiple' has a whole number, as \"of\"") }
            return .isMultiple(try path(content), of: factor)
        }
        if let content = parts["has words"] {
            try check(parts, names: ["has words", "path"], in: "has words")
            return .fullText(try words(content), try parts["path"].map { try path($0) })
        }
        let names = parts.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        throw mistake("\(names.isEmpty ? "an empty object" : names) is no condition")
    }

    private static func region(_ parts: [String: StoredValue]) throws -> GeoRegion {
        if let center = parts["of"] {
            try check(parts, names: ["within", "meters", "of"], in: "within")
            guard let meters = parts["meters"].flatMap(Double.init(lossless:)) else { throw mistake("'within' has a number of meters, as \"meters\"") }
            return .circle(center: try point(center, "of"), meters: meters)
        }
        try check(parts, names: ["within", "southWest", "northEast"], in: "within")
        guard let southWest = parts["southWest"], let northEast = parts["northEast"] else {
            throw mistake("'within' has a circle, as \"meters\" and \"of\", or a box, as \"southWest\" and \"northEast\"")
        }
        return .box(southWest: try point(southWest, "southWest"), northEast: try point(northEast, "northEast"))
    }

    private static func point(_ value: StoredValue, _ name: String) throws -> GeoPoint {
        guard case .geoPoint(let point) = value else { throw mistake("'\(name)' is a point, {\"$geoPoint\": \"52.5,13.4\"}, not \(value.kind.withArticle)") }
        return point
    }

    private static func words(_ value: StoredValue, depth: Int = 0) throws -> FullTextQuery {
        try checkDepth(depth)
        func inner(_ value: StoredValue) throws -> FullTextQuery { try words(value, depth: depth + 1) }
        if case .string(let word) = value { return .word(word) }
        let parts = try parts(of: value, "a full-text query")
        if let name = parts["field"], let content = parts["words"] {
            try check(parts, names: ["field", "words"], in: "a field of a full-text query")
            return .field(try text(name, "a field"), try inner(content))
        }
        guard parts.count == 1, let (name, content) = parts.first else { throw mistake("a full-text query is a word, or has one name") }
        switch name {
        case "prefix": return .prefix(try text(content, "a prefix"))
        case "phrase": return .phrase(try text(content, "a phrase"))
        case "all": return .all(try list(content, "all").map(inner))
        case "any": return .any(try list(content, "any").map(inner))
        case "not": return .not(try inner(content))
        default: throw mistake("'\(name)' is not part of a full-text query; the parts are prefix, phrase, all, any, not and field")
        }
    }

    // MARK: - Pieces

    private static func operand(_ value: StoredValue) throws -> Operand {
        let parts = try parts(of: value, "a side of a comparison")
        if parts.count == 1, let content = parts["path"] { return .path(try path(content)) }
        if parts.count == 1, let content = parts["value"] { return .value(content) }
        throw mistake("a side of a comparison is {\"path\": …} or {\"value\": …}")
    }

    /// - Parameter mayAggregate: false for the members of an aggregate, which are at a path.
    private static func path(_ value: StoredValue?, mayAggregate: Bool = true) throws -> FieldPath {
        switch value {
        case .string(let text): return FieldPath(text)
        case .array(let steps) where !steps.isEmpty:
            let names = try steps.map { try text($0, "a step of a path") }
            return FieldPath(field: names[0], names: Array(names.dropFirst()))
        case .object(let parts) where parts.count == 1 && mayAggregate:
            guard let (name, members) = parts.dictionary.first, let aggregate = MemberAggregate(rawValue: name) else { fallthrough }
            return try path(members, mayAggregate: false).aggregated(aggregate)
        default:
            let names = MemberAggregate.allCases.map { "{\"\($0.rawValue)\": …}" }.joined(separator: ", ")
            throw mistake("a path is a text, an array of names, or one of \(names) of one")
        }
    }

    private static func sides(_ value: StoredValue, _ parts: [String: StoredValue], _ name: String) throws -> (StoredValue, StoredValue) {
        try check(parts, names: Set([name] + TextFolding.jsonNames.map(\.name)), in: name)
        let sides = try list(value, "'\(name)'")
        guard sides.count == 2 else { throw mistake("'\(name)' has two sides, not \(sides.count)") }
        return (sides[0], sides[1])
    }

    private static func parts(of value: StoredValue, _ what: String) throws -> [String: StoredValue] {
        guard case .object(let fields) = value else { throw mistake("\(what) is an object, not \(value.kind.withArticle)") }
        return fields.dictionary
    }

    private static func list(_ value: StoredValue, _ what: String) throws -> [StoredValue] {
        guard case .array(let values) = value else { throw mistake("\(what) is an array, not \(value.kind.withArticle)") }
        return values.array
    }

    private static func text(_ value: StoredValue, _ what: String) throws -> String {
        guard case .string(let text) = value else { throw mistake("\(what) is a text, not \(value.kind.withArticle)") }
        return text
    }

    private static func number(_ value: StoredValue, _ what: String) throws -> Int {
        guard case .int(let wide) = value, let number = Int(exactly: wide) else { throw mistake("\(what) is a whole number, not \(value.kind.withArticle)") }
        return number
    }

    private static func folding(_ parts: [String: StoredValue]) throws -> TextFolding {
        var folding: TextFolding = []
        for (name, option) in TextFolding.jsonNames {
            guard let value = parts[name] else { continue }
            guard case .bool(let isSet) = value else { throw mistake("\(name) is true or false") }
            if isSet { folding.insert(option) }
        }
        return folding
    }

    private static func only(_ name: String, _ parts: [String: StoredValue]) throws -> String {
        try check(parts, names: [name], in: name)
        return "'\(name)'"
    }

    private static func check(_ parts: [String: StoredValue], names: Set<String>, in what: String) throws {
        guard let other = parts.keys.filter({ !names.contains($0) }).min() else { return }
        throw mistake("'\(other)' is not part of '\(what)'")
    }

    private static func mistake(_ reason: String) -> TroveError { .invalidQuery(reason: "its JSON cannot be read: \(reason)") }
}
