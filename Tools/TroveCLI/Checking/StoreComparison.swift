import Trove
import TroveStoreTools

/// Goes through two stores and tells each difference. Records are looked up by their ids, and those of equal bytes are not read.
struct StoreComparison {
    private let first: ReadTransaction
    private let second: ReadTransaction
    private let firstModels: StoreModels
    private let secondModels: StoreModels
    private let progress: ProgressLine
    private let total: Int
    private let report: (StoreDifference) throws -> Void
    private let json = JSONText(isForTerminal: false)
    private var compared = 0
    /// How many records both stores have alike.
    private(set) var equalRecords = 0

    init(_ first: ReadTransaction, _ second: ReadTransaction, _ progress: ProgressLine, _ report: @escaping (StoreDifference) throws -> Void) throws {
        self.first = first
        self.second = second
        self.progress = progress
        self.report = report
        firstModels = try StoreModels(first)
        secondModels = try StoreModels(second)
        total = try [first, second].reduce(0) { try $0 + $1.counts().values.reduce(0, +) }
    }

    /// Tells the differences.
    ///
    /// - Parameter names: the models to compare; everything when there are none.
    mutating func run(only names: [String]) throws {
        let known = Set((firstModels.all + secondModels.all).map(\.name)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names where !known.contains(name) { throw StoreToolError.noSuchModel(name: name, known: known) }
        for name in names.isEmpty ? known : names {
            try compareRecords(firstModels.all.first { $0.name == name }, secondModels.all.first { $0.name == name })
        }
        guard names.isEmpty else { return }
        try compare("$metadata", metadata(first), metadata(second))
        try compare("$bag", bags(first, firstModels), bags(second, secondModels))
        try compare("$blob", blobs(first), blobs(second))
    }

    // MARK: - Records

    private mutating func compareRecords(_ firstModel: StoredModel?, _ secondModel: StoredModel?) throws {
        // Names that differ in their scalars alone are two models'.
        let isCommon = firstModel != nil && secondModel != nil
        if let model = firstModel {
            try first.forEachRecord(of: model.name, comparedWith: second) { key, likeness in
                try advance()
                switch likeness {
                case .same: equalRecords += 1
                case .unknown where isCommon: if try areEqual(model, key ?? []) { equalRecords += 1 }
                case .unknown, .missing: try report(StoreDifference(kind: .onlyInFirst, model: model.name, id: model.ids.value(of: key ?? [])))
                }
            }
        }
        if let model = secondModel {
            try second.forEachRecord(of: model.name, comparedWith: first) { key, likeness in
                try advance()
                if likeness == .missing || !isCommon && likeness != .same {
                    try report(StoreDifference(kind: .onlyInSecond, model: model.name, id: model.ids.value(of: key ?? [])))
                }
            }
        }
    }

    private mutating func advance() throws {
        compared += 1
        if compared.isMultiple(of: 256) { try progress.update(compared, of: total) }
    }

    /// Whether two records that both stores have are equal; if not, it tells in what. A longer id that another one's key stands for is of another record.
    private func areEqual(_ model: StoredModel, _ key: [UInt8]) throws -> Bool {
        guard let record = try first.storedRecord(of: model.name, key: key) else { return false }
        guard let other = try second.storedRecord(of: model.name, key: key) else {
            try report(StoreDifference(kind: .onlyInFirst, model: model.name, id: model.ids.value(of: key)))
            return false
        }
        return try compare(record, other, model)
    }

    /// Tells the properties that differ; returns whether none does. Values are compared by their JSON, of which equal values have one, and others another.
    private func compare(_ record: StoredRecord, _ other: StoredRecord, _ model: StoredModel) throws -> Bool {
        var areEqual = true
        for (name, value, otherValue) in RecordDifference.pairs(try Self.values(of: record, model), try Self.values(of: other, model)) {
            // A property that a layout lacks is nil; an attribute that a document lacks is not there, as its export has it.
            if model.isCollection ? (value == nil) == (otherValue == nil) : true, try bytes(value) == bytes(otherValue) { continue }
            areEqual = false
            let kind: StoreDifference.Kind = !model.isCollection || value != nil && otherValue != nil ? .differs : value == nil ? .onlyInSecond : .onlyInFirst
            try report(StoreDifference(kind: kind, model: model.name, id: model.ids.value(of: record.key), property: name, first: value, second: otherValue))
        }
        return areEqual
    }

    /// The values by name: a record's fields, or what a document has at its top.
    private static func values(of record: StoredRecord, _ model: StoredModel) throws -> [(name: String, value: StoredValue)] {
        guard model.isCollection else { return try record.fieldNames.map { ($0, try record.value(of: $0)) } }
        return DocumentRecord.attributes(of: record).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
            ($0, DocumentRecord.attribute($0, of: record) ?? .null)
        }
    }

    /// A value's JSON; that of nil for what is missing.
    private func bytes(_ value: StoredValue?) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try json.append(value ?? .null, to: &bytes)
        return bytes
    }

    // MARK: - What is no object

    private typealias Things = [(name: StoredValue, value: StoredValue)]

    private func metadata(_ transaction: ReadTransaction) throws -> Things { try transaction.metadata().map { (.string($0.key), $0.value) } }

    private func blobs(_ transaction: ReadTransaction) throws -> Things {
        try transaction.blobNames().compactMap { name in
            try transaction.blobInfo(named: name).map { (.string(name), .object(["size": .int(Int64($0.size)), "sha256": .string($0.sha256Text)])) }
        }
    }

    /// The bags by their ids.
    private func bags(_ transaction: ReadTransaction, _ models: StoreModels) throws -> Things {
        try transaction.bags().map { bag in
            let members = try bag.members.map { member in
                try StoredValue.object(["model": .string(member.modelName), "id": models.id(of: member)])
            }
            return (.objectID(bag.id), .object(["name": bag.name.map { .string($0) } ?? .null, "members": .array(members)]))
        }
    }

    private func compare(_ kind: String, _ things: Things, _ others: Things) throws {
        let (known, otherKnown) = (try byName(things), try byName(others))
        for (name, value) in things {
            guard let other = otherKnown[try bytes(name)] else { try report(StoreDifference(kind: .onlyInFirst, model: kind, id: name)); continue }
            if try bytes(value) != bytes(other) { try report(StoreDifference(kind: .differs, model: kind, id: name, first: value, second: other)) }
        }
        for (name, _) in others where try known[bytes(name)] == nil { try report(StoreDifference(kind: .onlyInSecond, model: kind, id: name)) }
    }

    private func byName(_ things: Things) throws -> [[UInt8]: StoredValue] {
        try Dictionary(things.map { (try bytes($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Something in which two stores differ.
struct StoreDifference {
    enum Kind: String {
        case onlyInFirst = "only in first"
        case onlyInSecond = "only in second"
        case differs
    }

    let kind: Kind
    /// The model; `$bag`, `$blob` or `$metadata` for what is no object.
    let model: String
    let id: StoredValue
    var property: String?
    var first: StoredValue?
    var second: StoredValue?

    /// The values for the columns of `trove diff`.
    var row: [StoredValue?] { [.string(kind.rawValue), .string(model), id, property.map { .string($0) }, first, second] }
}
