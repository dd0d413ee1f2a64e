import Foundation

/// The state of an index in a store.
public enum IndexState: Sendable, Hashable {
    /// The entries are being built from the records, and queries do not use the index. The records up to and with this engine's key are
    /// in it and kept in step by every change; nil before the first batch.
    case building(after: [UInt8]?)
    /// The index agrees with the records.
    case ready
    /// The index is no longer declared, or was replaced, and its entries are being removed.
    case dropping
}

/// The catalogue's entry about one index of the store.
struct IndexCatalogueEntry: Sendable, Hashable {
    /// The index's number in its store, which names its keyspaces. Numbers are not used again.
    let number: Int
    /// The name of the model.
    let modelName: String
    /// The model's version when the index was made: a later one may read other values from the same records.
    let version: Int
    let schema: IndexSchema
    /// The stored types of the parts, the covered fields and the summed fields, in this order; `?` where only the values tell. Behind them, which of these
    /// fields, or of all where a derived value is indexed, had which names before.
    let types: [String]
    var state: IndexState
    /// Whether it is there because a model, or a collection, declares it; otherwise it was made at run time, and stays until it is dropped by its name.
    var isDeclared = true
    /// Why it is built anew, if it was ready before.
    var rebuilding: Rebuilding?
    /// By the names of its fields: the default value of the program that made it, as ``FieldSchema/valueWhenMissing``, which the entries of records have that
    /// lack the field. Without those of which that program could not tell.
    var defaults: [String: String] = [:]

    /// Why an index that was ready is built anew. Meanwhile a unique one does not judge.
    enum Rebuilding: String, Sendable {
        /// Somebody asked for it, or deleted a record that nobody can read.
        case asked
        /// A program changed records that could not keep it.
        case unseen
    }

    /// The names of all such entries begin so; the number follows in five digits.
    static let namePrefix = "index/"

    /// The highest number of an index.
    static let maxNumber = Int(UInt32.max) - 1
    /// How many indexes a store has at most, those that are being removed included: a bound on what every opening reads.
    static let maxCount = 10_000

    static func name(_ number: Int) -> String { namePrefix + digits(number) }

    /// The keyspace of the entries of the index with this number.
    static func keyspaceName(_ number: Int) -> String { "$index/" + digits(number) }

    /// The keyspace of its groups.
    static func groupsName(_ number: Int) -> String { keyspaceName(number) + "/groups" }

    /// The number of the index whose entries are in the keyspace of this name; nil when it is no such keyspace.
    static func number(ofKeyspace name: String) -> Int? {
        name.hasPrefix("$index/") ? Int(name.dropFirst("$index/".count).prefix { $0 != "/" }) : nil
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }

    /// Whether an index declared so can take over what the store has.
    func fits(_ declaration: IndexDeclaration, version: Int) -> Bool {
        state != .dropping && schema == declaration.schema && types == declaration.types && self.version == version
    }
}

extension IndexCatalogueEntry {
    func encode() throws -> [UInt8] {
        var values: [String: StoredValue] = [
            "type": .string(modelName), "version": .int(Int64(version)), "name": .string(schema.name), "kind": .string(schema.kind.name),
            "parts": .array(schema.parts.map(Self.value)), "covered": .array(schema.covered.map(Self.value)),
            "groups": .array(schema.aggregates.map { aggregate in
                switch aggregate {
                case .count: .null
                case .sum(let path): Self.value(path)
                }
            }),
            "types": .array(types.map { .string($0) }), "state": .string(state.name),
        ]
        if case .fullText(let options, let weights) = schema.kind {
            values["words"] = .object([
                "stemming": options.stemming.map { .string($0.rawValue) } ?? .null, "plain": .bool(options.ignoresDiacritics),
                "shortest": .int(Int64(options.minimumWordLength)), "places": .bool(options.keepsPositions),
                "weights": .array(weights.map { .double($0) }),
            ])
        }
        if case .paths(let indexing) = schema.kind { values["indexing"] = indexing.stored }
        if case .blind(let options) = schema.kind { values["blind"] = options.stored }
        if let derivedVersion = schema.derivedVersion { values["derived"] = .int(Int64(derivedVersion)) }
        if !isDeclared { values["undeclared"] = .bool(true) }
        if !defaults.isEmpty { values["defaults"] = .object(defaults.mapValues { .string($0) }) }
        if case .building(let position) = state {
            if let position { values["position"] = .data(Data(position)) }
            if let rebuilding { values["rebuilding"] = .string(rebuilding.rawValue) }
        }
        return try CatalogueEntry.encode(.object(values), name: Self.name(number))
    }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``, ``TroveError/newerFeatures(_:)``.
    init(_ bytes: [UInt8], name: String) throws {
        let value = try CatalogueEntry.decode(bytes, name: name)
        let missing = TroveError.corruptCatalogue(entry: name, reason: "a part is missing")
        guard let number = Int(name.dropFirst(Self.namePrefix.count)), (1...Self.maxNumber).contains(number), name == Self.name(number),
            case .string(let type) = value.value(at: "type"),
            case .int(let version) = value.value(at: "version"), case .string(let indexName) = value.value(at: "name"),
            case .string(let kindName) = value.value(at: "kind"), let kind = IndexSchema.Kind(name: kindName, of: value),
            case .array(let parts) = value.value(at: "parts"), case .array(let covered) = value.value(at: "covered"),
            case .array(let groups) = value.value(at: "groups"), case .array(let types) = value.value(at: "types"),
            case .string(let stateName) = value.value(at: "state")
        else { throw missing }
        var derivedVersion: Int?
        if case .int(let version) = value.value(at: "derived") { derivedVersion = Int(version) }
        var position: [UInt8]?
        if case .data(let data) = value.value(at: "position") { position = [UInt8](data) }
        guard let state = IndexState(name: stateName, position: position) else { throw missing }
        self.number = number
        modelName = type
        self.version = Int(version)
        schema = IndexSchema(
            indexName, kind: kind, parts: try parts.map { try Self.part($0) ?? { throw missing }() },
            covered: try covered.map { try Self.path($0) ?? { throw missing }() },
            aggregates: try groups.map { value in
                if value == .null { return .count }
                guard let path = Self.path(value) else { throw missing }
                return .sum(path)
            }, derivedVersion: derivedVersion)
        self.types = try types.map { value in
            guard case .string(let text) = value else { throw missing }
            return text
        }
        self.state = state
        isDeclared = value.value(at: "undeclared") != .bool(true)
        if case .string(let text) = value.value(at: "rebuilding") { rebuilding = Rebuilding(rawValue: text) ?? .unseen }
        if let stored = value.value(at: "defaults") {
            guard case .object(let members) = stored else { throw missing }
            defaults = try members.dictionary.mapValues { value in
                guard case .string(let text) = value else { throw missing }
                return text
            }
        }
    }

    private static func value(_ path: FieldPath) -> StoredValue {
        .array(([path.field] + path.names).map { .string($0) })
    }

    private static func value(_ part: IndexPart) -> StoredValue {
        var values: [String: StoredValue] = [
            "path": value(part.path), "direction": .string(part.direction.rawValue), "folded": part.ignoring.stored,
        ]
        if part.indexesValues { values["values"] = .bool(true) }
        return .object(values)
    }

    private static func path(_ value: StoredValue?) -> FieldPath? {
        guard case .array(let steps) = value else { return nil }
        let names = steps.compactMap { step -> String? in if case .string(let name) = step { name } else { nil } }
        guard names.count == steps.count, let field = names.first else { return nil }
        return FieldPath(field: field, names: Array(names.dropFirst()))
    }

    private static func part(_ value: StoredValue) throws -> IndexPart? {
        guard let path = path(value.value(at: "path")), case .string(let text) = value.value(at: "direction"),
            let direction = SortDirection(rawValue: text), let folding = try TextFolding(stored: value.value(at: "folded"))
        else { return nil }
        return IndexPart(path, direction, ignoring: folding, indexesValues: value.value(at: "values") == .bool(true))
    }
}

extension IndexState {
    fileprivate var name: String {
        switch self {
        case .building: "building"
        case .ready: "ready"
        case .dropping: "dropping"
        }
    }

    fileprivate init?(name: String, position: [UInt8]?) {
        switch name {
        case "building": self = .building(after: position)
        case "ready": self = .ready
        case "dropping": self = .dropping
        default: return nil
        }
    }
}

extension IndexSchema.Kind {
    fileprivate var name: String {
        switch self {
        case .ordered(isUnique: false): "ordered"
        case .ordered(isUnique: true): "unique"
        case .blind: "blind"
        case .fullText: "fullText"
        case .substring: "substring"
        case .paths: "paths"
        }
    }

    /// - Parameter entry: the entry, of which some kinds have parts of their own.
    fileprivate init?(name: String, of entry: StoredValue) {
        switch name {
        case "ordered": self = .ordered(isUnique: false)
        case "unique": self = .ordered(isUnique: true)
        case "fullText":
            guard let words = entry.value(at: "words"), case .bool(let ignoresDiacritics) = words.value(at: "plain"),
                case .int(let shortest) = words.value(at: "shortest"),
                case .bool(let keepsPositions) = words.value(at: "places"), case .array(let list) = words.value(at: "weights")
            else { return nil }
            var stemming: StemmingLanguage?
            if case .string(let name) = words.value(at: "stemming") {
                guard let language = StemmingLanguage(rawValue: name) else { return nil }
                stemming = language
            }
            let weights = list.compactMap { value -> Double? in if case .double(let weight) = value { weight } else { nil } }
            guard weights.count == list.count, (1...1_000_000).contains(shortest) else { return nil }
            let options = FullTextOptions(
                stemming: stemming, ignoresDiacritics: ignoresDiacritics, minimumWordLength: Int(shortest), keepsPositions: keepsPositions)
            self = .fullText(options, weights: weights)
        case "blind":
            guard let options = entry.value(at: "blind").flatMap({ BlindOptions($0) }) else { return nil }
            self = .blind(options)
        case "substring": self = .substring
        case "paths":
            guard let indexing = entry.value(at: "indexing"), case .array(let included) = indexing.value(at: "included"),
                case .array(let excluded) = indexing.value(at: "excluded"),
                case .bool(let isTextOnly) = indexing.value(at: "text")
            else { return nil }
            func paths(_ values: Branches<StoredValue>) -> [DocumentPath] {
                values.compactMap { value in if case .string(let text) = value { DocumentPath(text) } else { nil } }
            }
            var read = DocumentIndexing()
            (read.included, read.excluded, read.isTextOnly) = (paths(included), paths(excluded), isTextOnly)
            self = .paths(read)
        default: return nil
        }
    }
}
