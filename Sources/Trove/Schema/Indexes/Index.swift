/// An index that a model declares.
///
/// `@Attribute(.indexed)`, `.unique`, `.fullText` and `.substring`, and `#Index`, `#Unique`, `#FullText` and `#Substring`
/// write these into ``Model/indexes``; by hand:
///
/// ```swift
/// static let indexes = [
///     Index<Song>(\.artist, \.year),
///     Index<Song>([.ascending(\.artist), .descending(\.year)], covering: [\.title]),
///     Index<Song>(unique: [\.isrc]),
///     Index<Song>(derived: "decade", version: 1) { $0.year / 10 * 10 },
///     Index<Song>.fullText([\.title, \.artist]),
///     Index<Song>.substring(\.path),
/// ]
/// ```
///
/// An index of several properties serves queries on the first of them, the first two, and so on. One of an array or set has an
/// entry for each element, of a dictionary for each key.
public struct Index<Object: Model>: Sendable {
    /// What is indexed, resolved when a store is opened.
    let keys: [IndexKey<Object>]
    let kind: IndexSchema.Kind
    let covered: [PartialKeyPath<Object> & Sendable]
    let aggregates: [Aggregate]
    let name: String?
    /// The function of a derived value, its name and version.
    let derived: DerivedValue<Object>?

    /// An index in ascending order of one or several properties.
    public init(
        _ properties: (PartialKeyPath<Object> & Sendable)..., name: String? = nil, covering covered: [PartialKeyPath<Object> & Sendable] = [],
        aggregates: [Aggregate] = []
    ) {
        self.init(properties.map { .ascending($0) }, name: name, covering: covered, aggregates: aggregates)
    }

    /// An index with a direction and text comparison for each part.
    public init(
        _ keys: [IndexKey<Object>], unique isUnique: Bool = false, name: String? = nil,
        covering covered: [PartialKeyPath<Object> & Sendable] = [], aggregates: [Aggregate] = []
    ) {
        self.init(keys, kind: .ordered(isUnique: isUnique), name: name, covered: covered, aggregates: aggregates)
    }

    /// An index that allows no two objects with the same values in these properties, unless one of the values is nil.
    public init(unique properties: [PartialKeyPath<Object> & Sendable], name: String? = nil) {
        self.init(properties.map { .ascending($0) }, kind: .ordered(isUnique: true), name: name)
    }

    /// An index of keyed hashes of one or several properties, encrypted ones among them, which finds objects by the values of all of them.
    ///
    /// ```swift
    /// Index<Patient>(\.city, \.diagnosis, blind: BlindOptions(bits: 12))
    /// ```
    ///
    /// A property of few values, as a `Bool`, shows less together with others than alone. See ``AttributeOption/blind(bits:spread:)``.
    public init(_ properties: (PartialKeyPath<Object> & Sendable)..., blind options: BlindOptions, name: String? = nil) {
        self.init(properties.map { .ascending($0) }, kind: .blind(options), name: name)
    }

    /// An index of keyed hashes with a text comparison for each part.
    public init(_ keys: [IndexKey<Object>], blind options: BlindOptions, name: String? = nil) {
        self.init(keys, kind: .blind(options), name: name)
    }

    /// An index on a value computed from an object.
    ///
    /// The value goes by `name` in queries. When the function changes, raise `version`: the index is then built anew.
    public init<Value: Storable>(
        derived name: String, version: Int, aggregates: [Aggregate] = [],
        value: @escaping @Sendable (Object) throws -> Value
    ) {
        self.init(
            [IndexKey(source: .derived(name))], kind: .ordered(isUnique: false), name: name, aggregates: aggregates,
            derived: DerivedValue(name: name, version: version, type: Value.fieldType) { object, bytes in
                try value(object).encodeNested(into: &bytes)
            })
    }

    /// An index of the words in texts, for full-text search.
    ///
    /// ```swift
    /// .fullText([\.title, \.notes], stemming: .english, weights: [3, 1])
    /// ```
    ///
    /// - Parameters:
    ///   - properties: texts, or collections of texts, each a field that a query can name: `title:blue`.
    ///   - stemming: the language whose endings are taken off words; nil for words as they are.
    ///   - ignoresDiacritics: whether é and e are the same letter.
    ///   - minimumWordLength: the shortest word that is kept, in Unicode scalars.
    ///   - keepsPositions: whether the index keeps where words stand, which phrases need.
    ///   - weights: how many times a hit in each property counts in ranking; 1 unless told otherwise.
    public static func fullText(
        _ properties: [PartialKeyPath<Object> & Sendable], stemming: StemmingLanguage? = nil, ignoresDiacritics: Bool = true,
        minimumWordLength: Int = 1, keepsPositions: Bool = true, weights: [Double]? = nil, name: String? = nil
    ) -> Index {
        let options = FullTextOptions(
            stemming: stemming, ignoresDiacritics: ignoresDiacritics, minimumWordLength: minimumWordLength, keepsPositions: keepsPositions)
        let weights = weights ?? properties.map { _ in 1 }
        return Index(properties.map { .ascending($0) }, kind: .fullText(options, weights: weights), name: name)
    }

    /// An index of the substrings of a text, for `contains`, `begins with` and `ends with`, whether or not they ignore case.
    ///
    /// - Parameter ignoresDiacritics: Whether it has texts without accents. Only then it serves tests that ignore these; it serves the others too.
    public static func substring(_ property: PartialKeyPath<Object> & Sendable, ignoresDiacritics: Bool = false, name: String? = nil) -> Index {
        Index([.ascending(property, ignoring: ignoresDiacritics ? .diacritics : [])], kind: .substring, name: name)
    }

    init(
        _ keys: [IndexKey<Object>], kind: IndexSchema.Kind, name: String? = nil, covered: [PartialKeyPath<Object> & Sendable] = [],
        aggregates: [Aggregate] = [], derived: DerivedValue<Object>? = nil
    ) {
        self.keys = keys
        self.kind = kind
        self.name = name
        self.covered = covered
        self.aggregates = aggregates
        self.derived = derived
    }

    /// The aggregates that an index keeps for each combination of its parts' values.
    public typealias Aggregate = _IndexedAggregate<Object>
}

/// One part of an ``Index``: a property, its direction and how its text compares.
public struct IndexKey<Object>: Sendable {
    enum Source: Sendable {
        case property(PartialKeyPath<Object> & Sendable)
        case path(FieldPath)
        case derived(String)
    }

    let source: Source
    let direction: SortDirection
    let ignoring: TextFolding

    init(source: Source, direction: SortDirection = .ascending, ignoring: TextFolding = []) {
        self.source = source
        self.direction = direction
        self.ignoring = ignoring
    }

    /// A property, the least value first.
    public static func ascending(_ property: PartialKeyPath<Object> & Sendable, ignoringCase: Bool = false) -> IndexKey {
        IndexKey(source: .property(property), ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// A property, the greatest value first.
    public static func descending(_ property: PartialKeyPath<Object> & Sendable, ignoringCase: Bool = false) -> IndexKey {
        IndexKey(source: .property(property), direction: .descending, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// A property of text, ignoring case.
    public static func ignoringCase(_ property: PartialKeyPath<Object> & Sendable) -> IndexKey {
        IndexKey(source: .property(property), ignoring: .case)
    }

    /// The value at a path, such as `"address.city"` or `"labels.genre"`.
    public static func path(_ path: String, _ direction: SortDirection = .ascending, ignoringCase: Bool = false) -> IndexKey {
        IndexKey(source: .path(FieldPath(path)), direction: direction, ignoring: TextFolding(ignoringCase: ignoringCase))
    }
}

extension IndexKey {
    /// A property of text without its case, its accents or both, the least value first.
    ///
    /// ```swift
    /// #Index<Place>([.ascending(\.name, ignoring: [.case, .diacritics])])
    /// ```
    ///
    /// The index answers conditions and sorts that ignore the same, and finds candidates for conditions that ignore less.
    public static func ascending(_ property: PartialKeyPath<Object> & Sendable, ignoring: TextFolding) -> IndexKey {
        IndexKey(source: .property(property), ignoring: ignoring)
    }

    /// A property of text without its case, its accents or both, the greatest value first.
    public static func descending(_ property: PartialKeyPath<Object> & Sendable, ignoring: TextFolding) -> IndexKey {
        IndexKey(source: .property(property), direction: .descending, ignoring: ignoring)
    }

    /// The text at a path, such as `"address.city"`, without its case, its accents or both.
    public static func path(_ path: String, _ direction: SortDirection = .ascending, ignoring: TextFolding) -> IndexKey {
        IndexKey(source: .path(FieldPath(path)), direction: direction, ignoring: ignoring)
    }
}

/// An aggregate that an ``Index`` keeps up to date for each combination of its parts' values; the catalogue stores it as ``IndexSchema/Aggregate``.
public enum _IndexedAggregate<Object>: Sendable {
    /// The number of objects.
    case count
    /// The exact sum of an integer or decimal property.
    case sum(PartialKeyPath<Object> & Sendable)
}

/// Whether a sort begins with the least or the greatest value.
public enum SortDirection: String, Sendable, Hashable {
    /// The least value first.
    case ascending
    /// The greatest value first.
    case descending
}

extension Index {
    /// The index as the catalogue keeps it.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)``.
    func schema() throws -> IndexSchema {
        let parts = try keys.map { IndexPart(try $0.path(), $0.direction, ignoring: $0.ignoring) }
        return IndexSchema(
            name, kind: kind, parts: parts, covered: try covered.map { try Object.path($0) },
            aggregates: try aggregates.map { aggregate in
                switch aggregate {
                case .count: .count
                case .sum(let property): .sum(try Object.path(property))
                }
            }, derivedVersion: derived?.version)
    }
}

extension Index {
    /// The index as the catalogue keeps it.
    ///
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``.
    func checkedSchema() throws -> IndexSchema {
        do {
            return try schema()
        } catch {
            throw TroveError.invalidIndex(model: Object.schema.name, index: name ?? "?", reason: "\(error)")
        }
    }
}

extension IndexKey where Object: Model {
    fileprivate func path() throws -> FieldPath {
        switch source {
        case .property(let keyPath): try Object.path(keyPath)
        case .path(let path): path
        case .derived(let name): FieldPath(field: name)
        }
    }
}

/// A value that is made of an object, has a name in queries and can be indexed.
struct DerivedValue<Object: Model>: Sendable {
    let name: String
    let version: Int
    /// The type of the value.
    let type: FieldType
    /// Appends the value in the nested encoding.
    let encode: @Sendable (Object, inout ByteWriter) throws -> Void
}
