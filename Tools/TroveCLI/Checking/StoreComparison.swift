import Trove
import TroveStoreTools

/// Goes through two stores and tells each difference. Records are looked up by their ids, so the engines' orders do not matter.
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
        if let model = firstModel {
            try forEach(of: model, in: first) { record, comparison in
                guard let secondModel, let other = try comparison.second.storedRecord(of: secondModel.name, key: record.key) else {
                    return try comparison.report(StoreDifference(kind: .onlyInFirst, model: model.name, id: model.ids.value(of: record.key)))
                }
                try comparison.compare(record, other, model)
            }
        }
        if let model = secondModel {
            try forEach(of: model, in: second) { record, comparison in
                if let firstModel, try comparison.first.storedRecord(of: firstModel.name, key: record.key) != nil { return }
                try comparison.report(StoreDifference(kind: .onlyInSecond, model: model.name, id: model.ids.value(of: record.key)))
            }
        }
    }

    private mutating func forEach(of model: StoredModel, in transaction: ReadTransaction, _ body: (StoredRecord, StoreComparison) throws -> Void) throws {
        try transaction.fetchRecords(of: [model.name]).forEach { record, _ in
            try body(record, self)
            compared += 1
            if compared.isMultiple(of: 256) { try progress.update(compared, of: total) }
        }
    }

    /// Tells the properties that differ. Values are compared by their JSON, of which equal values have one, and others another.
    private func compare(_ record: StoredRecord, _ other: StoredRecord, _ model: StoredModel) throws {
        let (values, others) = (try Self.values(of: record, model), try Self.values(of: other, model))
        let names = values.map(\.name) + others.map(\.name).filter { name in !values.contains { $0.name == name } }
        for name in names {
            let (value, otherValue) = (values.first { $0.name == name }?.value, others.first { $0.name == name }?.value)
            if try bytes(value) == bytes(otherValue) { continue }
            try report(
                StoreDifference(
                    kind: .differs, model: model.name, id: model.ids.value(of: record.key), property: name, first: value, second: otherValue))
        }
    }

    /// The values by name: a record's fields, or what a document has at its top.
    private static func values(of record: StoredRecord, _ model: StoredModel) throws -> [(name: String, value: StoredValue)] {
        guard model.isCollection else { return try record.fieldNames.map { ($0, try record.value(of: $0)) } }
        return DocumentRecord.attributes(of: record).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
            ($0, DocumentRecord.attribute($0, of: record) ?? .null)
        }
    }

    /// A value's JSON; that of nil for what is missing, since both mean nil.
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
                try StoredValue.object(["model": .string(member.modelName), "id": models[member.modelName].ids.value(of: member.keyBytes)])
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
