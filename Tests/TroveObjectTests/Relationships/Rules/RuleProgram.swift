import TestSupport
import Testing

@testable import Trove

/// A random program of changes, made in a store and by the oracle, which have to agree after each.
final class RuleProgram {
    private struct Abandoned: Error {}

    /// So few ids that objects often meet, and that references often dangle.
    private static let idCount = 6

    private let store: ObjectStore
    private var oracle = RuleOracle.models
    private var random: SeededGenerator
    /// What was done in the transaction, for messages.
    private var story: [String] = []

    init(_ store: ObjectStore, seed: UInt64) {
        self.store = store
        random = SeededGenerator(seed: seed)
    }

    /// Runs a transaction; returns whether what it left is as it should be.
    func runTransaction() throws -> Bool {
        let before = oracle
        story = []
        var isSettled: Result<Void, any Error> = .success(())
        do {
            try store.write { transaction in
                self.oracle = before
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    guard try runStep(transaction, depth: 0) else { return }
                }
                if Int.random(in: 0..<10, using: &random) == 0 { throw Abandoned() }
                do {
                    try oracle.settle()
                } catch {
                    isSettled = .failure(error)
                }
            }
            #expect(throws: Never.self) { try isSettled.get() }
        } catch is Abandoned {
            oracle = before
        } catch TroveError.deletionDenied {
            #expect(throws: RuleOracle.Denied.self) { try isSettled.get() }
            oracle = before
        }
        let found = try store.read { try oracle.records(in: $0) }
        guard check(found, "committed") else { return false }
        #expect(oracle.asymmetries == [])
        return oracle.asymmetries.isEmpty
    }

    private func check(_ found: [RuleOracle.Object: RuleOracle.Values], _ place: String) -> Bool {
        let expected = oracle.normalised
        if found == expected { return true }
        var differences: [String] = []
        for object in Set(found.keys).union(expected.keys).sorted() where found[object] != expected[object] {
            differences.append("\(object): found \(text(found[object])), expected \(text(expected[object]))")
        }
        Issue.record("\(place):\n\(story.joined(separator: "\n"))\n\(differences.joined(separator: "\n"))")
        return false
    }

    private func text(_ values: RuleOracle.Values?) -> String {
        guard let values else { return "nothing" }
        return values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.map { "\($0.name)\($0.target)" })" }.joined(separator: " ")
    }

    // MARK: Steps

    private func runStep(_ transaction: WriteTransaction, depth: Int) throws -> Bool {
        let before = oracle
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: try save(transaction, [randomSave()], asStored: Bool.random(using: &random))
        case 25..<40:
            let model = randomModel()
            try saveTogether(transaction, (0..<Int.random(in: 1...5, using: &random)).map { _ in randomSave(model) })
        case 40..<50:
            let saves = (0..<Int.random(in: 1...6, using: &random)).map { _ in randomSave() }
            story.append("batch of")
            oracle.save(saves)
            try transaction.batch { for one in saves { try put(transaction, one, asStored: false) } }
        case 50..<58: try update(transaction)
        case 58..<70: try delete([randomObject()]) { object in try transaction.delete([object[0].reference]) }
        case 70..<78:
            let objects = (0..<Int.random(in: 2...6, using: &random)).map { _ in randomObject() }
            try delete(objects) { try transaction.delete($0.map(\.reference)) }
        case 78..<84: try deleteByQuery(transaction)
        case 84..<87:
            let model = randomModel()
            let all = oracle.records.keys.filter { $0.model == model }
            try delete(Array(all)) { _ in try deleteAll(transaction, model) }
        default:
            guard depth < 2 else { return true }
            let takesBack = Bool.random(using: &random)
            story.append("savepoint\(takesBack ? " that is taken back" : "")")
            let noted = oracle.beginSavepoint()
            var isDenied = false
            do {
                try transaction.savepoint {
                    for _ in 0..<Int.random(in: 1...4, using: &random) { _ = try runStep(transaction, depth: depth + 1) }
                    if takesBack { throw Abandoned() }
                    do { try oracle.endSavepoint(noted) } catch is RuleOracle.Denied { isDenied = true }
                }
                #expect(!isDenied)
            } catch is Abandoned {
                oracle = before
            } catch TroveError.deletionDenied {
                #expect(isDenied)
                oracle = before
            }
            story.append("end of savepoint")
        }
        return check(try oracle.records(in: transaction), "in the transaction")
    }

    private func delete(_ objects: [RuleOracle.Object], _ body: ([RuleOracle.Object]) throws -> Int) throws {
        story.append("delete \(objects)")
        let before = oracle
        do {
            let count = try oracle.delete(objects)
            #expect(try body(objects) == count)
        } catch is RuleOracle.Denied {
            oracle = before
            story.append("denied")
            #expect {
                _ = try body(objects)
            } throws: { error in
                guard case TroveError.deletionDenied(_, _, let blockers) = error else { return false }
                return !blockers.isEmpty
            }
        }
    }

    private func deleteByQuery(_ transaction: WriteTransaction) throws {
        let model = randomModel()
        let (offset, limit) = (Int.random(in: 0..<3, using: &random), Int.random(in: 1...4, using: &random))
        let objects = Array(oracle.records.keys.filter { $0.model == model }.sorted().dropFirst(offset).prefix(limit))
        func run<Object: Model>(_ type: Object.Type) throws -> Int { try transaction.fetch(type).offset(offset).limit(limit).delete() }
        guard let type = store.core.model(named: model) else {
            let documents = transaction.documents(of: model)
            return try delete(objects) { _ in try documents.delete(ids: documents.fetch().offset(offset).limit(limit).all().compactMap(\.id)) }
        }
        try delete(objects) { _ in try run(type) }
    }

    private func deleteAll(_ transaction: WriteTransaction, _ model: String) throws -> Int {
        func run<Object: Model>(_ type: Object.Type) throws -> Int { try transaction.deleteAll(type) }
        guard let type = store.core.model(named: model) else { return try transaction.documents(of: model).deleteAll() }
        return try run(type)
    }

    private func save(_ transaction: WriteTransaction, _ saves: [RuleOracle.Save], asStored: Bool) throws {
        oracle.save(saves)
        for save in saves { try put(transaction, save, asStored: asStored) }
    }

    private func put(_ transaction: WriteTransaction, _ save: RuleOracle.Save, asStored: Bool) throws {
        story.append("save \(save.object) \(text(save.values))")
        guard let type = store.core.model(named: save.object.model) else { return try putDocument(transaction, save, asStored: asStored) }
        _ = try transaction.openForSaving(type)
        let record = oracle.record(save.object, save.values, try store.core.binding(for: type).layout)
        if asStored { return try transaction.save(record) }
        func run<Object: Model>(_ type: Object.Type) throws { try transaction.save(try object(record, type, transaction)) }
        try run(type)
    }

    private func saveTogether(_ transaction: WriteTransaction, _ saves: [RuleOracle.Save]) throws {
        oracle.save(saves)
        for save in saves { story.append("save together \(save.object) \(text(save.values))") }
        guard let type = store.core.model(named: saves[0].object.model) else {
            return try transaction.documents(of: saves[0].object.model).save(saves.map { try document($0, transaction) })
        }
        let layout = try store.core.binding(for: type).layout
        func run<Object: Model>(_ type: Object.Type) throws {
            try transaction.save(try saves.map { try object(oracle.record($0.object, $0.values, layout), type, transaction) })
        }
        try run(type)
    }

    /// The object of a record that is not stored.
    private func object<Object: Model>(_ record: StoredRecord, _ type: Object.Type, _ transaction: WriteTransaction) throws -> Object {
        let layout = try store.core.binding(for: type).layout
        var buffer = RecordBuffer()
        try buffer.encode(record, layout)
        return try buffer.withBytes { key, bytes in
            try bytes.withUnsafeBytes { bytes in
                try key.withUnsafeBytes { key in
                    var decoder = try RecordDecoder(bytes, key: key, layout: layout, plan: nil)
                    return try Object(from: &decoder)
                }
            }
        }
    }

    /// Stores an object of a model that the program does not have.
    private func putDocument(_ transaction: WriteTransaction, _ save: RuleOracle.Save, asStored: Bool) throws {
        if asStored, try transaction.modelNames().contains(save.object.model) { return try transaction.save(record(save, transaction)) }
        try transaction.documents(of: save.object.model).save(document(save, transaction))
    }

    private func record(_ save: RuleOracle.Save, _ transaction: WriteTransaction) throws -> StoredRecord {
        oracle.record(save.object, save.values, try #require(try transaction.openRecords(named: save.object.model)).binding.layout)
    }

    /// As a person would write it: the id and the names, and nothing of where it lies.
    private func document(_ save: RuleOracle.Save, _ transaction: WriteTransaction) throws -> ModelDocument {
        let record = try record(save, transaction)
        let id: StoredValue = save.object.model == "tag" ? .string(save.object.tagID) : .int(Int64(save.object.id))
        return ModelDocument(Dictionary(uniqueKeysWithValues: record.fieldNames.map { ($0, record[$0] ?? .null) }), id: id)
    }

    /// Changes of a query's results, one relationship each.
    private func update(_ transaction: WriteTransaction) throws {
        let model = randomModel()
        let (offset, limit) = (Int.random(in: 0..<3, using: &random), Int.random(in: 1...4, using: &random))
        let objects = oracle.records.keys.filter { $0.model == model }.sorted().dropFirst(offset).prefix(limit)
        var saves: [[UInt8]: RuleOracle.Save] = [:]
        for object in objects { saves[object.keyBytes] = RuleOracle.Save(object: object, values: changed(object)) }
        for object in objects { story.append("update \(object) \(text(saves[object.keyBytes]?.values))") }
        oracle.save(objects.compactMap { saves[$0.keyBytes] })
        guard let type = store.core.model(named: model) else {
            return try transaction.documents(of: model).save(objects.compactMap { saves[$0.keyBytes] }.map { try document($0, transaction) })
        }
        let layout = try store.core.binding(for: type).layout
        func run<Object: Model>(_ type: Object.Type) throws -> Int {
            try transaction.fetch(type).offset(offset).limit(limit).update { changing in
                let save = try #require(saves[changing.id.keyBytes])
                changing = try object(oracle.record(save.object, save.values, layout), type, transaction)
            }
        }
        #expect(try run(type) == objects.count)
    }

    // MARK: Random values

    private func randomModel() -> String {
        ["author", "book", "book", "publisher", "chapter", "tag", "cover", "review", "folder"].randomElement(using: &random)!
    }

    private func randomObject(_ model: String? = nil) -> RuleOracle.Object {
        RuleOracle.Object(model: model ?? randomModel(), id: Int.random(in: 0..<Self.idCount, using: &random))
    }

    private func randomSave(_ model: String? = nil) -> RuleOracle.Save {
        let object = randomObject(model)
        if oracle.records[object] != nil, Bool.random(using: &random) { return RuleOracle.Save(object: object, values: changed(object)) }
        var values: RuleOracle.Values = [:]
        for rule in oracle.rules(of: object.model) { values[rule.field.name] = randomEntries(rule) }
        return RuleOracle.Save(object: object, values: values)
    }

    /// The values of an object with one relationship changed.
    private func changed(_ object: RuleOracle.Object) -> RuleOracle.Values {
        var values = oracle.records[object] ?? [:]
        guard let rule = oracle.rules(of: object.model).randomElement(using: &random) else { return values }
        values[rule.field.name] = randomEntries(rule)
        return values
    }

    private func randomEntries(_ rule: RuleOracle.Rule) -> [RuleOracle.Entry] {
        let count: Int
        switch rule.shape {
        case .requiredOne: count = 1
        case .optionalOne: count = Int.random(in: 0..<3, using: &random) == 0 ? 1 : 0
        default: count = max(0, Int.random(in: -2...4, using: &random))
        }
        var entries = (0..<count).map { RuleOracle.Entry(name: rule.shape == .keyed ? "k\($0)" : "", target: randomObject(rule.target)) }
        if rule.shape == .set { entries = Array(Set(entries)) }
        return entries
    }
}
