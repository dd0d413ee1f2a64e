extension ChangeCut {
    /// Does all changes in a transaction, whatever is stored.
    func write(to transaction: WriteTransaction) throws {
        var decisions = SaveDecisions(self)
        try write(to: transaction, &decisions, journal: nil) { _ in nil }
    }

    /// Does the changes in a transaction.
    ///
    /// - Parameters:
    ///   - decisions: what is done otherwise, and what is known of the records that are stored; those of insertions are added.
    ///   - journal: takes down the numbers of the entries that are written, in the order of the cut.
    ///   - settle: what to do about an object that is inserted, and whose record is there already; nil to store it.
    func write(
        to transaction: WriteTransaction, _ decisions: inout SaveDecisions, journal: ChangeJournal?, settle: (Entry) throws -> SettledInsertion?
    ) throws {
        // Deletions come last and together, so that their rules see the others' relationships as they will be, and each other.
        var deletions: [String: KeyList] = [:]
        let restored = entries.filter { $0.isRestored && $0.kind != .deletion }
        let keeper = restored.isEmpty && ghosts.isEmpty && released.isEmpty ? nil : transaction.openRelationships()
        keeper?.spared.formUnion(restored.map { AnyReference(modelName: $0.type.schema.name, keyBytes: wholeKey(of: $0)) })
        try bytes.withUnsafeBytes { bytes in
            try transaction.batch {
                if let keeper { try writeGhosts(to: transaction, keeper, &deletions) }
                var last: (type: any LiveModel.Type, model: OpenModel)?
                for (position, entry) in entries.enumerated() where entry.kind != .none {
                    if last.map({ $0.type != entry.type }) ?? true { last = (entry.type, try transaction.openForSaving(entry.type)) }
                    guard let model = last?.model else { continue }
                    // What is settled otherwise than the objects say leaves rules and inverses something to do.
                    var writing = EntryWriting(
                        transaction: transaction, model: model, key: UnsafeRawBufferPointer(rebasing: bytes[entry.key]),
                        keeper: entry.isRestored && decisions.settlements.isEmpty ? keeper : nil, journal: journal, number: position)
                    let record = UnsafeRawBufferPointer(rebasing: bytes[entry.record])
                    if entry.kind == .insertion {
                        if try writing.insert(record) { continue }
                        if let settled = try settle(entry) {
                            decisions.note(settled, at: position)
                            writing.keeper = nil
                        }
                    }
                    switch decisions.settlements[position] ?? (entry.kind == .deletion ? .delete : .write(nil)) {
                    case .write(nil): try writing.store(record, decisions.stored[position])
                    case .write(let other?): try other.withUnsafeBytes { try writing.store($0, decisions.stored[position]) }
                    case .delete: deletions[model.binding.schema.name, default: KeyList()].append(writing.key)
                    case .keep: break
                    }
                }
                for (reference, rule) in released { keeper?.noteOrphan(reference, rule) }
                if !deletions.isEmpty {
                    _ = try transaction.deleteTogether(deletions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
                }
            }
        }
    }

    /// Stores what was inserted and deleted again, for the rules of its deletion. One whose id is taken meanwhile has nothing to say.
    private func writeGhosts(
        to transaction: WriteTransaction, _ keeper: RelationshipKeeper, _ deletions: inout [String: KeyList]
    ) throws {
        for ghost in ghosts {
            let model = try transaction.openForSaving(ghost.type)
            guard try keeper.noting(.nothing, { try transaction.insert(ghost.key.bytes.span.bytes, ghost.record.span.bytes, model) }) else { continue }
            ghost.key.bytes.withUnsafeBytes { deletions[ghost.type.schema.name, default: KeyList()].append($0) }
        }
    }
}

/// The writing of one entry of a cut.
private struct EntryWriting {
    let transaction: WriteTransaction
    let model: OpenModel
    let key: UnsafeRawBufferPointer
    /// What is not to be told of the change; nil when it is.
    var keeper: RelationshipKeeper?
    let journal: ChangeJournal?
    /// The entry's position in the cut.
    let number: Int

    /// Stores a record unless its key exists; returns whether it was stored.
    func insert(_ record: UnsafeRawBufferPointer) throws -> Bool {
        try noting { try transaction.insert(key.bytes, record.bytes, model) }
    }

    /// Stores a record in place of the one that is there.
    func store(_ record: UnsafeRawBufferPointer, _ stored: StoredState) throws {
        try noting {
            switch stored {
            case .unknown: try transaction.update(key.bytes, record.bytes, model)
            case .none:
                // Nobody else writes in between.
                _ = try transaction.insert(key.bytes, record.bytes, model)
            case .some(let old): try old.withUnsafeBytes { try transaction.update(key.bytes, record.bytes, replacing: .stored($0), model) }
            }
        }
    }

    private func noting<Result>(_ body: () throws -> Result) throws -> Result {
        try numbering { try keeper?.noting(.nothing, body) ?? body() }
    }

    private func numbering<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let journal else { return try body() }
        return try journal.numbering(number, body)
    }
}
