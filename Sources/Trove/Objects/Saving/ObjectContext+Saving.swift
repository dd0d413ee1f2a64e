extension ObjectContext {
    /// Stores all changes of the context's objects, all or none, in one transaction.
    ///
    /// The objects' `willSave` and `validate` are called first, then their values are taken at one moment; other threads may go on changing them. What
    /// is changed after that moment stays for the next save. When the save fails, all changes stay.
    ///
    /// An object that cannot be made of the record that a merge policy or a rule left keeps its changes, and ``faultErrors`` says why; the others are saved.
    ///
    /// - Returns: how many objects were written.
    /// - Throws: ``TroveError/conflict(model:id:object:stored:)`` by the context's ``ContextOptions/mergePolicy``;
    ///   ``TroveError/alreadyExists(model:id:)`` for an inserted object whose id is taken; what hooks, unique indexes, delete rules and the engine throw;
    ///   ``TroveError/foreignObject(model:id:)`` for a change that was refused; ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, a
    ///   hook of a save, a read, or a transaction of the store.
    @discardableResult
    public func save() throws -> SaveSummary { try save(nil) }

    /// Stores all changes of the context's objects, and in the same transaction what `addition` does after them.
    ///
    /// - Parameters:
    ///   - own: what `preparing` notes there is taken back when the save fails, before the next operation has its turn.
    ///   - preparing: runs first, in the save's turn.
    @discardableResult
    func save(
        _ durability: Durability?, with addition: ((WriteTransaction) throws -> Void)? = nil, own: OwnChanges? = nil, preparing: () throws -> Void = {}
    ) throws -> SaveSummary {
        try checkMayWait("save")
        var finished = FinishedSave()
        try operations.run("save") {
            do {
                try preparing()
                finished = try saveUnifying(durability ?? options.durability ?? store.durability, addition, own)
            } catch {
                if let own { takeBack(own) }
                throw error
            }
        }
        finished.callHooks(in: self)
        return finished.summary
    }

    /// Stores all changes of the context's objects on the store's writer thread. Contexts and tasks that wait at the same time share one commit, in which each
    /// can still fail alone; see ``save()``.
    ///
    /// Hooks run on other threads of the store's.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before the transaction begins; then all changes stay.
    @discardableResult
    public func save() async throws -> SaveSummary { try await save(nil) {} }

    /// Stores all changes of the context's objects on the writer thread, and in the same transaction what `addition` does after them.
    ///
    /// - Parameters:
    ///   - own: what `preparing` notes there is taken back when the save fails, before the next operation has its turn.
    ///   - preparing: runs first, in the save's turn, on a thread that may wait.
    @discardableResult
    func save(
        _ durability: Durability?, with addition: (@Sendable (WriteTransaction) throws -> Void)? = nil, own: OwnChanges? = nil,
        preparing: @escaping @Sendable () throws -> Void
    ) async throws -> SaveSummary {
        let durability = durability ?? options.durability ?? store.durability
        let finished = try await QueuedSave(self, durability, addition, own: own, preparing: preparing).run()
        if finished.hasHooks { await store.readPool.runToEnd { finished.callHooks(in: self) } }
        return finished.summary
    }

    /// - Throws: ``TroveError/contextMisuse(reason:)`` where waiting for another thread might never end.
    func checkMayWait(_ name: String) throws {
        if domain.lock.isHeld {
            throw TroveError.contextMisuse(reason: "inside perform or an accessor a context cannot \(name); do it afterwards")
        }
        try checkNoTransaction(name)
    }

    /// - Throws: ``TroveError/contextMisuse(reason:)`` inside a read of the context and a transaction of the store, for which another thread may wait that has
    ///   the lock.
    func checkNoTransaction(_ name: String) throws {
        if activeTransaction != nil {
            throw TroveError.contextMisuse(reason: "inside read a context cannot \(name); do it afterwards")
        }
        if core.isWriting { throw insideTransaction(name) }
    }

    /// The error for an operation of the context inside a transaction of its store on this thread.
    func insideTransaction(_ name: String) -> TroveError {
        .contextMisuse(reason: "inside a transaction of the store a context cannot \(name); do it afterwards")
    }

    /// Saves once.
    ///
    /// - Parameter made: the journal of the transaction, once it begins.
    func saveAlone(
        _ durability: Durability, _ addition: ((WriteTransaction) throws -> Void)?, _ made: inout ChangeJournal?
    ) throws -> FinishedSave {
        let cut = try prepareCut()
        if cut.isEmpty, addition == nil { return finishSave(SaveOutcome(cut)) }
        let journal = ChangeJournal()
        made = journal
        let outcome: SaveOutcome
        do {
            outcome = try core.write(durability, journal: journal) { try write(cut, $0, journal, addition) }
        } catch {
            saveFailed()
            throw error
        }
        return finishSave(outcome)
    }

    /// Makes new objects what they would be without a save that was under way and has stored nothing, where they were deleted meanwhile.
    func saveFailed() {
        domain.withLock {
            guard let saving = state.saving.take() else { return }
            for object in saving.insertions {
                switch object.live.status {
                case .deleted:
                    leaveGhost(of: object)
                    leave(object)
                case .changed:
                    // It was inserted again.
                    object.live.status = .inserted
                    object.live.forgetChanges()
                case .detached, .inserted, .clean, .gone: break
                }
            }
            dropClean()
        }
    }

    /// Does a save in its transaction, whose journal is this one.
    func write(
        _ cut: ChangeCut, _ transaction: WriteTransaction, _ journal: ChangeJournal, _ addition: ((WriteTransaction) throws -> Void)?
    ) throws -> SaveOutcome {
        if options.undo != .none { journal.annexes = annexes }
        transaction.author = options.author
        transaction.offers.keep(cut.annexes)
        let settler = ConflictSettler(cut: cut, policy: options.mergePolicy, transaction: transaction, keepsDeleted: options.undo != .none)
        var decisions = try settler.decisions()
        try cut.write(to: transaction, &decisions, journal: journal, settle: settler.settleInsertion)
        try addition?(transaction)
        return SaveOutcome(cut, decisions, journal)
    }

    /// Brings the objects up to what a save has committed, and lets other contexts know.
    func finishSave(_ outcome: SaveOutcome) -> FinishedSave {
        beginEpoch()
        let finished = domain.withLock {
            state.saving = nil
            // Before what is left begins to wait anew.
            forgetFailedSaves()
            let finished = finish(outcome)
            // What has come and gone meanwhile is no pending object.
            if !state.ghosts.isEmpty { saveLater() }
            return finished
        }
        tellOthers(outcome)
        return finished
    }

    /// Tells the store's other contexts which objects this one has saved.
    private func tellOthers(_ outcome: SaveOutcome) {
        if outcome.isEmpty { return }
        let others = core.contexts.others(than: self)
        if others.isEmpty { return }
        let keys = outcome.changedKeys(classes)
        for other in others { other.receive(keys) }
    }
}

/// The numbers of objects that a save of a context stored and deleted, without those that rules and inverses changed.
public struct SaveSummary: Sendable, Hashable {
    /// The number of new objects.
    public internal(set) var insertedCount = 0
    /// The number of objects whose records were changed. One that was changed and changed back is not written.
    public internal(set) var updatedCount = 0
    /// The number of objects whose records were deleted.
    public internal(set) var deletedCount = 0
}
