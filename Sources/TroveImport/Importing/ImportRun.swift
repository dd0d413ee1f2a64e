import Trove

/// Stores the rows of one source.
struct ImportRun {
    static let batchSize = 5_000
    private static let progressInterval = 1_000

    let store: ObjectStore
    let options: ImportOptions
    let models: [String: ImportedModel]

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
                try reader.forEachAhead { event in
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
        try reader.forEachAhead { event in
            waiting.append(event)
            if waiting.count == Self.batchSize { try storeWaiting() }
        }
        if !waiting.isEmpty { try storeWaiting() }
        return state
    }

    private func take(_ event: SourceEvent, in transaction: WriteTransaction, _ state: inout ImportState) throws {
        switch event {
        case .loss(let fault): state.faults.note(fault)
        case .fault(let fault): try refuse(fault, &state)
        case .row(let row):
            state.completed += 1
            do {
                try take(row, in: transaction, &state)
            } catch let error as TroveError {
                if case .transactionPoisoned = error { throw error }
                if case .alreadyExists = error, mustBeWhole {
                    throw ImportError.alreadyThere(collection: row.collection, key: row.id.key.description, place: row.place.description)
                }
                state.refused.insert(row.id.objectID)
                try refuse(row, "\(error)", &state)
            }
        }
    }

    /// Whether what cannot be taken undoes everything.
    private var mustBeWhole: Bool { !options.inBatches && !options.isDryRun }

    private func refuse(_ fault: ImportFault, _ state: inout ImportState) throws {
        if mustBeWhole { throw ImportError.refused(fault) }
        state.faults.note(fault)
    }

    private func refuse(_ row: SourceRow, _ reason: String, _ state: inout ImportState) throws {
        try refuse(ImportFault(collection: row.collection, place: row.place.description, reason: reason), &state)
        state.collections[state.place(of: row)].refused += 1
    }

    private func take(_ row: SourceRow, in transaction: WriteTransaction, _ state: inout ImportState) throws {
        let id = row.id.objectID
        let place = state.place(of: row)
        state.collections[place].read += 1
        guard state.seen.insert(id) else { return try refuse(row, "another row before has the same key, \(row.id.key.description)", &state) }
        var missing: [ObjectID: SourceReference] = [:]
        let content = try content(of: row) { reference, id in if state.isMissing(id) { missing[id] = reference } }
        let outcome: StoreOutcome
        let (storedID, hash): (StoredValue, Int)
        if let model = models[row.collection] {
            let document = model.document(content, row)
            let stored: ModelDocument?
            (outcome, stored) = try store(document, in: transaction.documents(of: model.name))
            (storedID, hash) = (stored?.id ?? .null, stored?.value.hashValue ?? 0)
        } else {
            let document = Document(content, id: id, className: row.className)
            outcome = try store(document, in: transaction.documents(row.collection))
            (storedID, hash) = (.objectID(id), document.value.hashValue)
        }
        // Only now: what a refused row refers to is nobody's, and who refers to a refused row refers to nothing.
        if !state.awaited.isEmpty { state.awaited[id] = nil }
        for (id, reference) in missing where state.awaited[id] == nil { state.awaited[id] = (reference, row) }
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
}
