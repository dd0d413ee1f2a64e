import Trove

/// Rows one by one, in a transaction.
extension ImportRun {
    /// - Parameter isCareful: whether each row is stored in a savepoint, so that one is undone alone which the other side of a relationship refuses.
    func take(_ event: SourceEvent, in transaction: WriteTransaction, _ state: inout ImportState, isCareful: Bool) throws {
        switch event {
        case .loss(let fault): state.faults.note(fault)
        case .fault(let fault): try refuse(fault, &state)
        case .row(let row):
            state.completed += 1
            let refusals = transaction.refusalCount
            do {
                try take(row, in: transaction, &state, isCareful)
            } catch where error is TroveError || transaction.refusalCount != refusals {
                if case TroveError.transactionPoisoned = error { throw error }
                if case TroveError.alreadyExists = error, mustBeWhole {
                    throw ImportError.alreadyThere(collection: row.collection, key: row.id.key.description, place: row.place.description)
                }
                state.added.refuse(row.id.space, row.id.objectID)
                try refuse(row, "\(error)", &state)
            }
        case .bag(let bag):
            state.completed += 1
            try take(bag, in: transaction, &state)
        }
    }

    func refuse(_ fault: ImportFault, _ state: inout ImportState) throws {
        if mustBeWhole { throw ImportError.refused(fault) }
        state.faults.note(fault)
    }

    private func refuse(_ row: SourceRow, _ reason: String, _ state: inout ImportState) throws {
        try refuse(ImportFault(collection: row.collection, place: row.place.description, reason: reason), &state)
        state.collections[state.place(of: row)].refused += 1
    }

    private func take(_ row: SourceRow, in transaction: WriteTransaction, _ state: inout ImportState, _ isCareful: Bool) throws {
        let id = row.id.objectID
        let place = state.place(of: row)
        state.collections[place].read += 1
        guard state.see(row.id.space, id) else { return try refuse(row, "another row before has the same key, \(row.id.key.description)", &state) }
        var missing: [(reference: SourceReference, id: ObjectID)] = []
        let content = try content(of: row) { reference, id in if state.isMissing(reference.space, id) { missing.append((reference, id)) } }
        // The state takes the row in behind it, so it has nothing of one that is undone.
        func settling<Result>(_ body: () throws -> Result) throws -> Result { isCareful ? try transaction.savepoint(body) : try body() }
        let outcome: StoreOutcome
        let (storedID, hash): (StoredValue, Int)
        if let model = models[row.collection] {
            let document = model.document(content, row, isKeyRenamed: row.keyAttribute.map { options.names[row.collection]?[$0] != nil } ?? false)
            let stored: ModelDocument?
            (outcome, stored) = try settling { try store(document, model, in: transaction.documents(of: model.name), state) }
            let made = document.id ?? stored?.id
            if case .madeBefore = outcome {
                state.added.refuse(row.id.space, id)
                return try refuse(row, "another row before became the same object, \((made ?? .null).shownInErrors) of \(model.name)", &state)
            }
            if let made { state.added.make(made, of: model.name) }
            if state.hasBags, let made { state.added.note(.init(place: place, id: made), row.id.space, id) }
            (storedID, hash) = (stored?.id ?? .null, outcome == .skipped ? 0 : stored?.value.wholeHash(without: model.derived) ?? 0)
        } else {
            let document = Document(content, id: id, className: row.className)
            let documents = transaction.documents(row.collection)
            outcome = try settling { try store(document, in: documents) }
            if state.hasBags { state.added.note(.init(place: place, id: .objectID(id)), row.id.space, id) }
            (storedID, hash) = (.objectID(id), document.value.wholeHash(without: try dates(of: documents, place, &state)))
        }
        // Only now: what a refused row refers to is nobody's, and who refers to a refused row refers to nothing.
        state.arrive(row, id, missing: missing)
        note(outcome, place, storedID, hash, row.size, &state)
    }

    /// The attributes that the store fills: whatever a row has there is not what is read back.
    private func dates(of documents: Documents<WriteTransaction>, _ place: Int, _ state: inout ImportState) throws -> Set<String> {
        if let known = state.stored[place].dates { return known }
        let dates = try documents.dates()
        let names = Set([dates.creation, dates.modification].compactMap { $0 })
        state.stored[place].dates = names
        return names
    }

    private func note(_ outcome: StoreOutcome, _ place: Int, _ id: StoredValue, _ hash: Int, _ size: Int, _ state: inout ImportState) {
        switch outcome {
        case .skipped:
            state.collections[place].skipped += 1
            return
        case .replaced: state.collections[place].replaced += 1
        case .inserted, .madeBefore: break
        }
        state.collections[place].stored += 1
        state.added.store(id, place)
        state.stored[place].hash &+= hash
        state.stored[place].size += size
    }

    private enum StoreOutcome {
        case inserted, replaced, skipped
        /// Another row of this import became the object.
        case madeBefore
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

    /// - Returns: what became of the object, and the stored one where it was looked at.
    private func store(
        _ document: ModelDocument, _ model: ImportedModel, in documents: ModelDocuments<WriteTransaction>, _ state: ImportState
    ) throws -> (StoreOutcome, ModelDocument?) {
        if let id = document.id, state.hasMade(id, of: model.name) { return (.madeBefore, nil) }
        // Of a model whose ids are made of properties the store has to tell.
        if options.existing == .replace || document.id == nil, let stored = try documents.stored(for: document) {
            if let id = stored.id, state.hasMade(id, of: model.name) { return (.madeBefore, stored) }
            switch options.existing {
            case .replace: return (.replaced, try documents.save(model.document(document, over: stored)))
            case .skip: return (.skipped, stored)
            case .refuse: break
            }
        }
        do {
            return (.inserted, try documents.insert(document))
        } catch TroveError.alreadyExists where options.existing == .skip {
            return (.skipped, nil)
        }
    }
}
