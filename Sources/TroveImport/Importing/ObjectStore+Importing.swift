import Foundation
import Trove

extension ObjectStore {
    /// Brings the objects of a source into the store: into collections of documents, or into models.
    ///
    /// ```swift
    /// let source = try ImportSource(path: "Library.sqlite")
    /// let report = try store.importDocuments(from: source) { print("\($0.completed) of \($0.total ?? 0)") }
    /// ```
    ///
    /// Each table or class of the source becomes a collection of its name, unless ``ImportOptions/models`` names a model for it. A reference becomes the id of what it points at, which is the same in
    /// each import. Afterwards everything is read back and compared with what was stored.
    ///
    /// - Parameter progress: called now and then; when it throws, the import ends with its error, and only batches that were committed before stay.
    /// - Throws: ``ImportError``; what writing to the store throws.
    /// - Returns: what was stored, and row by row what was not.
    @discardableResult
    public func importDocuments(
        from source: ImportSource, _ options: ImportOptions = ImportOptions(), progress: (ImportProgress) throws -> Void = { _ in }
    ) throws -> ImportReport {
        let run = try ImportRun(self, options)
        let total = try source.reader.rowCount
        var state = ImportState()
        if options.inBatches, !options.isDryRun {
            state = try run.storeInBatches(source.reader) { try progress(ImportProgress(completed: $0, total: total)) }
        } else {
            state = try run.storeWhole(source.reader) { try progress(ImportProgress(completed: $0, total: total)) }
        }
        try run.findDangling(&state)
        if !options.isDryRun { try run.verify(&state) }
        return state.report(isDryRun: options.isDryRun)
    }
}

/// What an import has done so far. A transaction that runs again begins with that of its beginning.
struct ImportState {
    /// What became of each collection's objects, in the order in which the source names the collections.
    var collections: [ImportReport.Collection] = []
    private var places: [String: Int] = [:]
    /// The one of the last row: mostly it is that of the next, too.
    private var last = 0
    var faults = FaultList()
    var completed = 0
    /// What was stored of each collection, in the order of the source.
    var stored: [StoredObjects] = []
    /// The rows that were read.
    var seen: Set<ObjectID> = []
    /// What is pointed at and was not read yet, with the first place that does.
    var awaited: [ObjectID: (reference: SourceReference, from: SourceRow)] = [:]

    struct StoredObjects {
        var ids: [StoredValue] = []
        /// The sum of the hashes of all of them.
        var hash = 0
    }

    /// The place of a collection.
    mutating func place(of collection: String) -> Int {
        if last < collections.count, collections[last].name == collection { return last }
        if let place = places[collection] {
            last = place
            return place
        }
        last = collections.count
        places[collection] = last
        collections.append(.init(collection))
        stored.append(StoredObjects())
        return last
    }

    func report(isDryRun: Bool) -> ImportReport {
        var report = ImportReport()
        report.collections = collections.sorted { $0.name < $1.name }
        (report.faults, report.faultCount, report.isDryRun) = (faults.first, faults.count, isDryRun)
        return report
    }
}

/// Stores the rows of one source.
struct ImportRun {
    private static let batchSize = 5_000
    private static let progressInterval = 1_000

    private let store: ObjectStore
    private let options: ImportOptions
    private let models: [String: ImportedModel]

    /// - Throws: ``ImportError/invalidOption(reason:)`` for a model that the store does not have.
    init(_ store: ObjectStore, _ options: ImportOptions) throws {
        self.store = store
        self.options = options
        let layouts = options.models.isEmpty ? [] : try store.read { try $0.layouts() }
        models = try options.models.mapValues { name in
            guard let layout = layouts.last(where: { $0.modelName == name && !$0.isRetired }) else {
                throw ImportError.invalidOption(reason: "the store has no model '\(name)'; open it with the model, or leave the name out to import documents")
            }
            return ImportedModel(layout)
        }
    }

    /// The transaction is to be undone.
    private struct DryRunEnd: Error {
        let state: ImportState
    }

    /// Stores all rows in one transaction.
    func storeWhole(_ reader: any SourceReader, _ progress: (Int) throws -> Void) throws -> ImportState {
        do {
            return try store.write { transaction in
                var state = ImportState()
                try reader.forEach { event in
                    try take(event, in: transaction, &state)
                    if state.completed % Self.progressInterval == 0 { try progress(state.completed) }
                }
                if options.isDryRun { throw DryRunEnd(state: state) }
                return state
            }
        } catch let end as DryRunEnd {
            return end.state
        }
    }

    /// Stores some thousand rows in each transaction.
    func storeInBatches(_ reader: any SourceReader, _ progress: (Int) throws -> Void) throws -> ImportState {
        var state = ImportState()
        var waiting: [SourceEvent] = []
        func storeWaiting() throws {
            let before = state
            state = try store.write { transaction in
                var state = before
                for event in waiting { try take(event, in: transaction, &state) }
                return state
            }
            waiting.removeAll(keepingCapacity: true)
            try progress(state.completed)
        }
        try reader.forEach { event in
            waiting.append(event)
            if waiting.count == Self.batchSize { try storeWaiting() }
        }
        if !waiting.isEmpty { try storeWaiting() }
        return state
    }

    private func take(_ event: SourceEvent, in transaction: WriteTransaction, _ state: inout ImportState) throws {
        switch event {
        case .fault(let fault): state.faults.note(fault)
        case .row(let row):
            state.completed += 1
            do {
                try take(row, in: transaction, &state)
            } catch let error as TroveError {
                if case .transactionPoisoned = error { throw error }
                try refuse(row, error, &state)
            }
        }
    }

    private func refuse(_ row: SourceRow, _ error: TroveError, _ state: inout ImportState) throws {
        let mustBeWhole = !options.inBatches && !options.isDryRun
        if case .alreadyExists = error, mustBeWhole { throw ImportError.alreadyThere(collection: row.collection, key: row.id.key.description, place: row.place) }
        let fault = ImportFault(collection: row.collection, place: row.place, reason: "\(error)")
        if mustBeWhole { throw ImportError.refused(fault) }
        state.collections[state.place(of: row.collection)].refused += 1
        state.faults.note(fault)
    }

    private func take(_ row: SourceRow, in transaction: WriteTransaction, _ state: inout ImportState) throws {
        let id = row.id.objectID
        let place = state.place(of: row.collection)
        state.collections[place].read += 1
        guard state.seen.insert(id).inserted else {
            state.collections[place].refused += 1
            return state.faults.note(ImportFault(collection: row.collection, place: row.place, reason: "another row before has the same key, \(row.id.key.description)"))
        }
        if !state.awaited.isEmpty { state.awaited[id] = nil }
        let values = values(of: row, &state)
        let outcome: StoreOutcome
        let (storedID, hash): (StoredValue, Int)
        if let model = models[row.collection] {
            let document = model.document(values, row.id)
            let stored: ModelDocument?
            (outcome, stored) = try store(document, in: transaction.documents(of: model.name))
            (storedID, hash) = (stored?.id ?? .null, stored?.value.hashValue ?? 0)
        } else {
            let document = Document(.object(values), id: id, className: row.className)
            outcome = try store(document, in: transaction.documents(row.collection))
            (storedID, hash) = (.objectID(id), document.value.hashValue)
        }
        note(outcome, place, storedID, hash, &state)
    }

    private func note(_ outcome: StoreOutcome, _ place: Int, _ id: StoredValue, _ hash: Int, _ state: inout ImportState) {
        switch outcome {
        case .skipped:
            state.collections[place].skipped += 1
            return
        case .replaced: state.collections[place].replaced += 1
        case .inserted: break
        }
        state.collections[place].stored += 1
        state.stored[place].ids.append(id)
        state.stored[place].hash &+= hash
    }

    private enum StoreOutcome {
        case inserted, replaced, skipped
    }

    private func store(_ document: Document, in documents: Documents<WriteTransaction>) throws -> StoreOutcome {
        do {
            if options.existing == .replace, try documents.contains(id: document.id) {
                try documents.save(document)
                return .replaced
            }
            try documents.insert(document)
            return .inserted
        } catch TroveError.alreadyExists where options.existing == .skip {
            return .skipped
        }
    }

    private func store(_ document: ModelDocument, in documents: ModelDocuments<WriteTransaction>) throws -> (StoreOutcome, ModelDocument?) {
        do {
            if options.existing == .replace, let id = document.id, try documents.fetch(id: id) != nil { return (.replaced, try documents.save(document)) }
            return (.inserted, try documents.insert(document))
        } catch TroveError.alreadyExists where options.existing != .refuse {
            // Of a model whose ids are made of properties.
            return options.existing == .skip ? (.skipped, nil) : (.replaced, try documents.save(document))
        }
    }

    // MARK: Values

    private func values(of row: SourceRow, _ state: inout ImportState) -> [String: StoredValue] {
        let names = options.names.isEmpty ? nil : options.names[row.collection]
        var values = [String: StoredValue](minimumCapacity: row.attributes.count)
        for (name, value) in row.attributes {
            let name = names?[name] ?? name
            if !name.isEmpty || names == nil { values[name] = stored(value, row, &state) }
        }
        return values
    }

    private func stored(_ value: SourceValue, _ row: SourceRow, _ state: inout ImportState) -> StoredValue {
        func id(_ reference: SourceReference) -> StoredValue {
            let id = reference.objectID
            if !state.seen.contains(id), state.awaited[id] == nil { state.awaited[id] = (reference, row) }
            return models[reference.space]?.idValue(reference) ?? .objectID(id)
        }
        return switch value {
        case .plain(let value): value
        case .reference(let reference): id(reference)
        case .references(let references): .array(references.map(id))
        case .named(let references): .object(references.mapValues(id))
        }
    }

    // MARK: Afterwards

    /// Tells references to what neither the source nor the store has.
    func findDangling(_ state: inout ImportState) throws {
        let awaited = state.awaited
        let dangling = try store.read { transaction in
            try awaited.values.filter { awaited in
                let space = awaited.reference.space
                if let model = models[space] { return try transaction.documents(of: model.name).fetch(id: model.idValue(awaited.reference) ?? .null) == nil }
                guard try transaction.collectionNames().contains(space) else { return true }
                return try !transaction.documents(space).contains(id: awaited.reference.objectID)
            }
        }
        for (reference, row) in dangling.sorted(by: { ($0.from.collection, $0.from.place) < ($1.from.collection, $1.from.place) }) {
            state.faults.note(
                ImportFault(
                    collection: row.collection, place: row.place,
                    reason: "it is the first to refer to \(reference.key.description) of \(reference.space), which is not there; the id is stored, and leads nowhere"))
        }
    }

    /// Reads back what was stored.
    func verify(_ state: inout ImportState) throws {
        for (place, stored) in state.stored.enumerated() where !stored.ids.isEmpty {
            let name = state.collections[place].name
            let found = try store.read { transaction in try models[name].map { try read(stored.ids, $0, transaction) } ?? read(stored.ids, name, transaction) }
            state.collections[place].isVerified = found.count == stored.ids.count && found.hash == stored.hash
        }
    }

    private func read(_ ids: [StoredValue], _ collection: String, _ transaction: ReadTransaction) throws -> (count: Int, hash: Int) {
        let documents = transaction.documents(collection)
        let dates = try documents.dates()
        var (count, hash) = (0, 0)
        for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
            let batch = ids[start..<min(start + Self.batchSize, ids.count)].compactMap { if case .objectID(let id) = $0 { id } else { nil } }
            for document in try documents.fetch(ids: batch) {
                count += 1
                var value = document.value
                // The store has put them in.
                for name in [dates.creation, dates.modification] { if let name { value.remove(at: DocumentPath([.name(name)])) } }
                hash &+= value.hashValue
            }
        }
        return (count, hash)
    }

    private func read(_ ids: [StoredValue], _ model: ImportedModel, _ transaction: ReadTransaction) throws -> (count: Int, hash: Int) {
        let documents = transaction.documents(of: model.name)
        var (count, hash) = (0, 0)
        for id in ids {
            guard let document = try documents.fetch(id: id) else { continue }
            count += 1
            hash &+= document.value.hashValue
        }
        return (count, hash)
    }
}

/// A model that rows become objects of.
struct ImportedModel {
    let name: String
    private let fields: Set<String>
    private let idType: String

    init(_ layout: StoredLayout) {
        name = layout.modelName
        fields = Set(layout.fields.map(\.name))
        idType = layout.idType
    }

    /// The id of the object that a row becomes; nil when it is made of its properties.
    func idValue(_ reference: SourceReference) -> StoredValue? {
        if idType == "ObjectID" { return .objectID(reference.objectID) }
        if idType.hasPrefix("(") || idType == "composite" { return nil }
        return switch reference.key {
        case .int(let number): .int(number)
        case .text(let text): idType == "UUID" ? UUID(uuidString: text).map { .uuid($0) } ?? .string(text) : .string(text)
        case .values(let values): values.count == 1 ? values[0] : nil
        }
    }

    /// The row as an object. Its key is the id, and no property, unless the model has one of that name.
    func document(_ values: [String: StoredValue], _ reference: SourceReference) -> ModelDocument {
        ModelDocument(values.filter { $0.key != "id" || fields.contains("id") }, id: idValue(reference))
    }
}
