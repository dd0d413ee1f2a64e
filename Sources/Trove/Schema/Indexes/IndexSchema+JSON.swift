extension FieldPath {
    /// The path with dots, or, where that would be read as another one, as an array of its names; one to a number of elements as `{"count": …}`.
    var jsonValue: StoredValue {
        if isCount { return .object(["count": FieldPath(field: field, names: names).jsonValue]) }
        let steps = [field] + names
        let text = steps.joined(separator: ".")
        return !field.isEmpty && FieldPath(text) == self ? .string(text) : .array(steps.map { .string($0) })
    }
}

extension IndexSchema: JSONRepresentable {
    /// The declaration as JSON: its name, kind, parts, and what else it keeps.
    public func jsonValue() throws -> StoredValue {
        var values: [String: StoredValue] = ["name": .string(name), "parts": .array(parts.map(\.jsonValue))]
        switch kind {
        case .ordered(let isUnique): values["kind"] = .string(isUnique ? "unique" : "ordered")
        case .blind(let options):
            values["kind"] = .string("blind")
            values["blind"] = options.stored
        case .substring: values["kind"] = .string("substring")
        case .paths(let indexing):
            values["kind"] = .string("paths")
            values["indexing"] = indexing.stored
        case .fullText(let options, let weights):
            values["kind"] = .string("fullText")
            values["words"] = .object([
                "stemming": .optional(options.stemming?.rawValue), "ignoresDiacritics": .bool(options.ignoresDiacritics),
                "minimumWordLength": .number(options.minimumWordLength), "keepsPositions": .bool(options.keepsPositions),
                "weights": .array(weights.map { .double($0) }),
            ])
        }
        if !covered.isEmpty { values["covered"] = .array(covered.map(\.jsonValue)) }
        if !aggregates.isEmpty {
            values["aggregates"] = .array(aggregates.map { aggregate in
                switch aggregate {
                case .count: .string("count")
                case .sum(let path): .object(["sum": path.jsonValue])
                }
            })
        }
        if let derivedVersion { values["derivedVersion"] = .number(derivedVersion) }
        return .object(values)
    }
}

extension IndexPart {
    fileprivate var jsonValue: StoredValue {
        var values: [String: StoredValue] = ["path": path.jsonValue, "direction": .string(direction.rawValue)]
        if ignoringCase { values["ignoringCase"] = .bool(true) }
        if indexesValues { values["values"] = .bool(true) }
        return .object(values)
    }
}
