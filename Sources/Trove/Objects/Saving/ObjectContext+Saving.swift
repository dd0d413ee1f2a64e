extension ObjectContext {
    /// Stores all changes of the context's objects, all or none, in one transaction.
    ///
    /// The objects' `willSave` and `validate` are called first, then their values are taken at one moment; other threads may go on changing them. What
    /// is changed after that moment stays for the next save. When the save fails, all changes stay.
    ///
    /// - Returns: how many objects were written.
    /// - Throws: ``TroveError/conflict(model:id:object:stored:)`` by the context's ``ContextOptions/mergePolicy``;
    ///   ``TroveError/alreadyExists(model:id:)`` for an inserted object whose id is taken; what hooks, unique indexes, delete rules and the engine throw;
    ///   ``TroveError/foreignObject(model:id:)`` for a change that was refused; ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, a
    ///   hook of a save, or a read.
    @discardableResult
    public func save() throws -> SaveSummary { try save(nil) }

    /// Stores all changes of the context's objects, and in the same transaction what `addition` does after them.
    @discardableResult
    func save(_ durability: Durability?, with addition: ((WriteTransaction) throws -> Void)? = nil) throws -> SaveSummary {
        try checkMayWait("save")
        var finished = FinishedSave()
        try operations.run("save") { finished = try saveAlone(durability ?? options.durability ?? store.durability, addition) }
        for object in finished.saved { object.didSave() }
        for object in finished.deleted { object.didDelete() }
        return finished.summary
    }

    /// Stores all changes of the context's objects on a thread of the store's; see ``save()-swift.method``.
    @discardableResult
    public func save() async throws -> SaveSummary {
        try await store.readPool.run { try self.save() }
    }

    /// - Throws: ``TroveError/contextMisuse(reason:)`` where waiting for another thread might never end.
    func checkMayWait(_ name: String) throws {
        if domain.lock.isHeld {
            throw TroveError.contextMisuse(reason: "inside perform or an accessor a context cannot \(name); do it afterwards")
        }
        if activeTransaction != nil {
            throw TroveError.contextMisuse(reason: "inside read a context cannot \(name); do it afterwards")
        }
    }

    private func saveAlone(_ durability: Durability, _ addition: ((WriteTransaction) throws -> Void)?) throws -> FinishedSave {
        let cut = try prepareCut()
        let isEmpty = cut.isEmpty && addition == nil
        let journal = ChangeJournal()
        var settlements: [Int: Settlement] = [:]
        if !isEmpty {
            try core.write(durability, journal: journal) { transaction in
                let settler = ConflictSettler(cut: cut, policy: options.mergePolicy, transaction: transaction)
                settlements = try cut.write(to: transaction, settler.settlements(), settle: settler.settleInsertion)
                try addition?(transaction)
            }
        }
        let outcome = SaveOutcome(cut: cut, settlements: settlements, journal: journal)
        beginEpoch()
        let finished = try domain.withLock { try finish(outcome) }
        if !isEmpty { tellOthers(journal.log) }
        return finished
    }

    /// Tells the store's other contexts which objects this one has saved.
    private func tellOthers(_ changes: [RecordChange]) {
        let others = core.contexts.others(than: self)
        if others.isEmpty { return }
        let keys = changes.compactMap { change in
            classes[change.modelName].map { ObjectKey(ObjectIdentifier($0), change.key) }
        }
        for other in others { other.receive(keys) }
    }
}

/// What became of a cut that was saved.
struct SaveOutcome {
    let cut: ChangeCut
    /// What was done otherwise than the cut says.
    let settlements: [Int: Settlement]
    /// All records that the save changed.
    let journal: ChangeJournal

    /// What was changed beside the records that the cut itself wrote, or in these after it had written them.
    func changesBeside(_ classes: [String: any LiveModel.Type]) -> [ObjectKey: RecordChange] {
        // The cut's own writes come first and in its order; so most of the journal need not be looked up.
        var next = 0
        for (position, entry) in cut.entries.enumerated() where next < journal.log.count {
            guard entry.kind == .insertion || entry.kind == .change else { continue }
            if case .delete? = settlements[position] { continue }
            if case .keep? = settlements[position] { continue }
            let change = journal.log[next]
            guard cut.isKey(of: entry, change.key), change.modelName == entry.type.schema.name else { break }
            next += 1
        }
        var changes: [ObjectKey: RecordChange] = [:]
        for change in journal.log[next...] {
            guard let type = classes[change.modelName] else { continue }
            let key = ObjectKey(ObjectIdentifier(type), change.key)
            if changes[key] == nil { changes[key] = change } else { changes[key]?.after = change.after }
        }
        return changes
    }
}

/// How many objects a save of a context stored and deleted, not counting those that rules and inverses changed beside them.
public struct SaveSummary: Sendable, Hashable {
    /// Objects that were new.
    public internal(set) var insertedCount = 0
    /// Objects whose records were changed. One that was changed and changed back is not written.
    public internal(set) var updatedCount = 0
    /// Objects whose records were deleted.
    public internal(set) var deletedCount = 0
}
