/// One part of an index's key: the value at a path, or of a derived value.
public struct IndexPart: Sendable, Hashable {
    /// The path of the value. A path to an array or a set has an entry for each element, one to a dictionary an entry for each key.
    /// A derived value is a path of its name.
    public let path: FieldPath
    /// The order of the entries in this part.
    public let direction: SortDirection
    /// What text is indexed without: its case, its accents. An index of trigrams leaves out the case of all texts.
    public let ignoring: TextFolding
    /// Whether a dictionary has an entry for each value instead of each key.
    public let indexesValues: Bool

    /// Whether the case of text is ignored.
    public var ignoringCase: Bool { ignoring.contains(.case) }

    /// A part with the value at a path.
    public init(_ path: FieldPath, _ direction: SortDirection = .ascending, ignoring: TextFolding = [], indexesValues: Bool = false) {
        self.path = path
        self.direction = direction
        self.ignoring = ignoring
        self.indexesValues = indexesValues
    }

    /// A part with the value at a path, of texts whatever their case.
    public init(_ path: FieldPath, _ direction: SortDirection = .ascending, ignoringCase: Bool, indexesValues: Bool = false) {
        self.init(path, direction, ignoring: TextFolding(ignoringCase: ignoringCase), indexesValues: indexesValues)
    }
}

/// The declaration of an index, as the catalogue stores it: everything about it but code.
///
/// Two schemas that differ in anything are different indexes; when a model's index changes, it is built anew.
public struct IndexSchema: Sendable, Hashable {
    /// The kind of an index.
    public enum Kind: Sendable, Hashable {
        /// Entries in the order of the parts. A unique one has at most one object for each combination of values without nil.
        case ordered(isUnique: Bool)
        /// Keyed hashes of the parts' values, which find equal values and show as little else as the options say: for encrypted properties.
        case blind(BlindOptions)
        /// The words of texts; the parts are the texts' fields, and each has a weight in ranking.
        case fullText(FullTextOptions, weights: [Double])
        /// The values at every path of documents, so that no attribute needs a declaration; `DocumentIndexing` selects them.
        case paths(DocumentIndexing)
        /// The trigrams of texts, for `contains`, `begins with` and `ends with`.
        case substring
    }

    /// The index's name, unique within the model.
    public let name: String
    /// The kind of the index.
    public let kind: Kind
    /// The parts of its keys, the first one first; for an index of words or trigrams, the texts.
    public let parts: [IndexPart]
    /// The fields whose values are stored in the entries, so that a query for these alone needs no records.
    public let covered: [FieldPath]
    /// The aggregates that are kept up to date for each combination of the parts' values.
    public let aggregates: [Aggregate]
    /// The version of the indexed derived value; nil when there is none. A higher one makes the index be built anew.
    public let derivedVersion: Int?

    /// Creates the declaration of an index.
    ///
    /// What does not fit the model is told when the store is opened, by ``TroveError/invalidIndex(model:index:reason:)``.
    ///
    /// - Parameters:
    ///   - name: its name; nil for one made of its fields.
    ///   - kind: what it is made of.
    ///   - parts: the parts of its keys, at least one.
    ///   - covered: the fields whose values are kept in the entries.
    ///   - aggregates: what is kept for each combination of the parts' values.
    ///   - derivedVersion: the version of the derived value that is indexed; nil when none is.
    public init(
        _ name: String? = nil, kind: Kind = .ordered(isUnique: false), parts: [IndexPart], covered: [FieldPath] = [],
        aggregates: [Aggregate] = [], derivedVersion: Int? = nil
    ) {
        self.name = name ?? Self.name(kind, parts)
        self.kind = kind
        self.parts = parts
        self.covered = covered
        self.aggregates = aggregates
        self.derivedVersion = derivedVersion
    }

    var isUnique: Bool {
        switch kind {
        case .ordered(let isUnique): isUnique
        case .blind(let options): options.isUnique
        case .fullText, .paths, .substring: false
        }
    }

    /// The name of an index that was given none: its fields, and what is special about them.
    private static func name(_ kind: Kind, _ parts: [IndexPart]) -> String {
        let fields = parts.map { part in
            (part.indexesValues ? "values of " : "") + part.path.description + (part.direction == .descending ? " descending" : "")
                + part.ignoring.phrase
        }.joined(separator: ", ")
        return switch kind {
        case .ordered(isUnique: false): fields
        case .ordered(isUnique: true): "unique " + fields
        case .blind(let options): (options.isUnique ? "blind unique " : "blind ") + fields
        case .fullText: "text of " + fields
        case .substring: "parts of " + fields
        case .paths: TroveError.indexOfPaths
        }
    }
}

extension IndexSchema {
    /// The index of all paths of a collection's documents.
    static func paths(_ indexing: DocumentIndexing) -> IndexSchema { IndexSchema(kind: .paths(indexing), parts: [IndexPart(.document)]) }

    /// As the catalogue keeps the types of its parts: only the values tell.
    static let pathTypes = ["?"]
}

extension IndexSchema.Kind {
    var isFullText: Bool {
        if case .fullText = self { true } else { false }
    }

    /// Whether it is of words or trigrams.
    var isOfTexts: Bool { isFullText || self == .substring }

    var isOfPaths: Bool {
        if case .paths = self { true } else { false }
    }

    var isOrdered: Bool {
        if case .ordered = self { true } else { false }
    }

    var isBlind: Bool {
        if case .blind = self { true } else { false }
    }

    /// Whether an object has an entry for the values of its parts together.
    var hasPartEntries: Bool { isOrdered || isBlind }
}

extension IndexSchema {
    /// An aggregate that an index updates at each change for each combination of its parts' values, so that a grouped query is a look-up.
    ///
    /// The number of objects is always kept with it.
    public enum Aggregate: Sendable, Hashable {
        /// The number of objects.
        case count
        /// The exact sum of an integer or decimal field.
        case sum(FieldPath)
    }
}

extension IndexSchema {
    /// The fields of which groups keep the sum, in order.
    var sums: [FieldPath] {
        aggregates.compactMap { aggregate in if case .sum(let path) = aggregate { path } else { nil } }
    }
}

extension FieldPath {
    /// The path with dots, or, where that would be read as another one, as an array of its names; one to an aggregate as `{"count": …}`.
    var jsonValue: StoredValue {
        if let aggregate { return .object([aggregate.rawValue: unaggregated.jsonValue]) }
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
        ignoring.addJSON(to: &values)
        if indexesValues { values["values"] = .bool(true) }
        return .object(values)
    }
}
