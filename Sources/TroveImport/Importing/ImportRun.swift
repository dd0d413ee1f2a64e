import Trove

/// Stores the rows of one source.
struct ImportRun {
    /// A batch ends with so many rows, or bytes.
    static let batchSize = 5_000
    static let batchBytes = 8 << 20
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

    /// Stores all rows in one transaction, in which `progress` is called; one that runs again reads the source again.
    func storeWhole(_ reader: any SourceReader, _ progress: (Int) throws -> Void) throws -> ImportState {
        do {
            return try storeWhole(reader, isCareful: false, progress)
        } catch TroveError.transactionPoisoned where options.isDryRun {
            return try storeWhole(reader, isCareful: true, progress)
        }
    }

    private func storeWhole(_ reader: any SourceReader, isCareful: Bool, _ progress: (Int) throws -> Void) throws -> ImportState {
        var state = ImportState(reader)
        try checkOptions(reader, &state)
        do {
            state = try store.write { [before = state] transaction in
                var state = before
                try reader.forEachAhead { event in
                    try take(event, in: transaction, &state, isCareful: isCareful)
                    if state.completed % Self.progressInterval == 0 { try progress(state.completed) }
                }
                if options.isDryRun { throw DryRunEnd(state: state) }
                return state
            }
        } catch let end as DryRunEnd {
            state = end.state
        }
        state.settle()
        return state
    }

    /// Stores some thousand rows in each transaction, or fewer that are large.
    func storeInBatches(_ reader: any SourceReader, _ progress: (Int) throws -> Void) throws -> ImportState {
        var state = ImportState(reader)
        try checkOptions(reader, &state)
        var (waiting, size): ([SourceEvent], Int) = ([], 0)
        func storeWaiting() throws {
            state = try stored(waiting, after: state)
            // Nobody else has what is settled any longer, so that it grows in its place.
            state.settle()
            waiting.removeAll(keepingCapacity: true)
            size = 0
            try progress(state.completed)
        }
        try reader.forEachAhead { event in
            waiting.append(event)
            switch event {
            case .row(let row): size += row.size
            case .bag(let bag): size += bag.size
            case .fault, .loss: break
            }
            if waiting.count == Self.batchSize || size >= Self.batchBytes { try storeWaiting() }
        }
        if !waiting.isEmpty { try storeWaiting() }
        return state
    }

    /// A row that is refused by what follows from it, as by the other side of a relationship, leaves its transaction of no use: then each has a savepoint.
    private func stored(_ events: [SourceEvent], after before: ImportState) throws -> ImportState {
        var hasRefused = false
        do {
            return try stored(events, after: before, isCareful: false, &hasRefused)
        } catch where hasRefused || error is TroveError {
            return try stored(events, after: before, isCareful: true, &hasRefused)
        }
    }

    /// - Parameter hasRefused: is set to whether an object refused itself.
    private func stored(_ events: [SourceEvent], after before: ImportState, isCareful: Bool, _ hasRefused: inout Bool) throws -> ImportState {
        try store.write { transaction in
            defer { hasRefused = transaction.refusalCount > 0 }
            var state = before
            for event in events { try take(event, in: transaction, &state, isCareful: isCareful) }
            return state
        }
    }

    /// Tells options that name collections which the source does not have, before anything is stored. A source that has its classes in its objects alone
    /// does not tell a wrong name from a class without objects.
    private func checkOptions(_ reader: any SourceReader, _ state: inout ImportState) throws {
        let named = Set(options.models.keys).union(options.names.keys)
        func tell(_ name: String, _ reason: String) throws {
            if mustBeWhole { throw ImportError.invalidOption(reason: reason) }
            state.faults.note(ImportFault(collection: name, place: "the options", reason: reason))
        }
        for name in named.intersection(reader.bagClasses).sorted() {
            try tell(name, "the options name '\(name)', whose objects become bags, and neither documents nor objects of a model; leave it out")
        }
        guard let known = reader.collectionNames else { return }
        for name in named.subtracting(known).sorted() {
            try tell(name, "the source has no collection '\(name)', which the options name; it has \(known.sorted().joined(separator: ", "))")
        }
    }

    /// Whether what cannot be taken undoes everything.
    var mustBeWhole: Bool { !options.inBatches && !options.isDryRun }
}
