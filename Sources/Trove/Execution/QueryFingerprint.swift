/// Tells queries apart that have other results or another order, the same in every process: by model, filter and sort.
enum QueryFingerprint {
    /// - Parameter encoder: that of the query's sort.
    /// - Throws: when a value of the filter nests too deeply to be written.
    static func of(_ query: Query, in schema: ModelSchema, sortedBy encoder: SortEncoder) throws -> UInt64 {
        var bytes = ByteWriter()
        bytes.append(nested: query.model)
        try append(query.filter, to: &bytes)
        for (key, type) in zip(query.sort, encoder.typesBehindReferences) {
            append(key.path, to: &bytes)
            bytes.append(nested: key.direction.rawValue)
            bytes.append(key.ignoring.rawValue)
            // The bytes of a place depend on the field's type.
            bytes.append(nested: schema.fields.first { $0.name == key.path.field }.map { "\($0.type)" } ?? "")
            if let type { bytes.append(nested: type) }
        }
        return bytes.withBytes { Checksum.hash($0) }
    }

    private static func append(_ filter: Filter, to bytes: inout ByteWriter) throws {
        switch filter {
        case .constant(let value): bytes.append(nested: value ? "true" : "false")
        case .comparison(let left, let comparison, let right, let ignoring):
            bytes.append(nested: "compare\(comparison.rawValue)\(text(ignoring))")
            try append(left, to: &bytes)
            try append(right, to: &bytes)
        case .membership(let operand, let values, let ignoring):
            bytes.append(nested: "in \(values.count) \(text(ignoring))")
            try append(operand, to: &bytes)
            for value in values { try value.encodeNested(into: &bytes) }
        case .text(let left, let test, let right, let ignoring):
            bytes.append(nested: "text \(test.rawValue) \(text(ignoring))")
            try append(left, to: &bytes)
            try append(right, to: &bytes)
        case .matches(let operand, let pattern, let ignoringCase):
            bytes.append(nested: "matches \(ignoringCase)")
            try append(operand, to: &bytes)
            bytes.append(nested: pattern)
        case .fullText(let query, let path):
            bytes.append(nested: "words \(query)")
            if let path { append(path, to: &bytes) }
        case .isWithin(let path, let region):
            let (name, numbers) = region.parts
            bytes.append(nested: "within \(name)")
            for number in numbers { bytes.append(number.bitPattern) }
            append(path, to: &bytes)
        case .isMultiple(let path, let factor):
            bytes.append(nested: "multiple \(factor)")
            append(path, to: &bytes)
        case .isNil(let path):
            bytes.append(nested: "nil")
            append(path, to: &bytes)
        case .quantified(let quantifier, let path, let part, let inner):
            bytes.append(nested: "\(quantifier.rawValue) \(part.rawValue)")
            append(path, to: &bytes)
            try append(inner.value, to: &bytes)
        case .isUnreferenced: bytes.append(nested: "unreferenced")
        case .hasDanglingReferences: bytes.append(nested: "dangling")
        case .and(let filters): try append(filters.array, "and", to: &bytes)
        case .or(let filters): try append(filters.array, "or", to: &bytes)
        case .not(let inner): try append([inner.value], "not", to: &bytes)
        }
    }

    /// What is ignored; as it was told when there was only case to ignore, so that tokens of then go on.
    private static func text(_ ignoring: TextFolding) -> String {
        ignoring.isSubset(of: .case) ? "\(ignoring == .case)" : "\(ignoring.rawValue)"
    }

    private static func append(_ filters: [Filter], _ name: String, to bytes: inout ByteWriter) throws {
        bytes.append(nested: "\(name) \(filters.count)")
        for filter in filters { try append(filter, to: &bytes) }
    }

    private static func append(_ operand: Operand, to bytes: inout ByteWriter) throws {
        switch operand {
        case .path(let path): append(path, to: &bytes)
        case .value(let value):
            bytes.append(nested: "value")
            try value.encodeNested(into: &bytes)
        }
    }

    private static func append(_ path: FieldPath, to bytes: inout ByteWriter) {
        bytes.append(nested: (path.aggregate?.rawValue ?? "path") + " \(path.names.count)")
        bytes.append(nested: path.field)
        for name in path.names { bytes.append(nested: name) }
    }
}

extension GeoRegion {
    /// What tells it from others.
    fileprivate var parts: (name: String, numbers: [Double]) {
        switch self {
        case .circle(let center, let meters): ("circle", [center.latitude, center.longitude, meters])
        case .box(let southWest, let northEast): ("box", [southWest.latitude, southWest.longitude, northEast.latitude, northEast.longitude])
        }
    }
}
