/// What a save has to tell when all is done: its caller, and the objects it concerns.
struct FinishedSave: Sendable {
    var summary = SaveSummary()
    var saved: [any LiveModel] = []
    var deleted: [any LiveModel] = []

    var hasHooks: Bool { !saved.isEmpty || !deleted.isEmpty }

    func callHooks(in context: ObjectContext) {
        context.call(.didSave, of: saved) { $0.didSave() }
        context.call(.didDelete, of: deleted) { $0.didDelete() }
    }
}

// With the lock of the domain held.
extension ObjectContext {
    /// Brings the objects up to what a save has stored. It is committed, so what one object cannot take over keeps nothing else from being done.
    func finish(_ outcome: SaveOutcome) -> FinishedSave {
        var finished = FinishedSave()
        var changes = outcome.changesBeside(classes)
        var removed: Set<AnyReference> = []
        let entries = outcome.cut.entries
        for position in entries.indices {
            let settlement = outcome.decisions.settlement(at: position)
            if changes.isEmpty, settlement == nil, finishAsCut(position, outcome.cut, &finished) { continue }
            let entry = entries[position]
            let change = changes.isEmpty ? nil : changes.removeValue(forKey: outcome.cut.contextKey(of: entry))
            if change == nil, settlement == nil, finishAsCut(position, outcome.cut, &finished) { continue }
            var isKept = false
            if case .keep = settlement { isKept = change == nil }
            do {
                let final = try final(entry, outcome.cut, settlement, change)
                if let theirs = settlement?.record {
                    let base = entry.kind == .deletion ? entry.image : outcome.cut.record(of: entry)
                    if let base { try state.history?.takeOver(theirs, insteadOf: base, of: entry.object) }
                }
                try finish(entry, outcome.cut, final, isKept: isKept, &finished, &removed)
            } catch {
                noteFault(error)
                // It keeps its values and its former version, so the next save finds the conflict. A new one has a record now.
                if entry.object.live.status == .inserted { entry.object.live.status = .changed }
            }
        }
        // What rules and inverses changed beside them.
        for (key, change) in changes where change.before != change.after {
            guard let object = map.peek(key) else { continue }
            do {
                let stored = try change.after.map { try version($0, change.key, object) }
                // A new object may have come with the id while the save was under way.
                if stored == nil, object.live.status.hasRecord {
                    noteDeleted(object, &finished)
                    removed.insert(object.reference)
                    // What was changed while the save was under way has no record to be stored in.
                    if object.live.status == .changed { noteFault(object.changeIsLost) }
                }
                try absorb(stored, into: object, keepingChanges: true, afterOwnSave: true)
            } catch {
                // What another thread has made unfit meanwhile is found by the next save.
                noteFault(error)
            }
        }
        takeHomeLazyValues(of: outcome.cut)
        // A list that was read since the commit may have seen these changes twice.
        if state.lists != nil { tellLists(entries.map(\.pending)) }
        forgetNeverSaved(outcome.cut)
        dropClean()
        // In a context that is never without pending changes, too.
        state.forgetOutdated(upTo: outcome.cut.outdatedCount)
        state.derived.removeAll { !$0.isShown }
        state.recorder?.didSave(outcome.changes)
        // What they point at since the cut, and the save has found deleted or its rules have.
        dropReferences(to: removed)
        forgetAnnexes()
        return finished
    }

    /// Lets pending objects no longer point at what is gone: from the store, or from the context where an insertion was taken back.
    func dropReferences(to removed: Set<AnyReference>) {
        if removed.isEmpty { return }
        for pending in state.pending where pending.status.isStored {
            let object = pending.object
            let fields = type(of: object).schema.fields
            for field in fields.indices where fields[field].relationship != nil {
                domain.drop(removed.intersection(object._$targets(of: field)), from: object, field: field)
            }
        }
    }

    private func noteSaved(_ object: any LiveModel, _ finished: inout FinishedSave) {
        if !withKnown(type(of: object), { $0.areIdle(.didSave) }) { finished.saved.append(object) }
    }

    private func noteDeleted(_ object: any LiveModel, _ finished: inout FinishedSave) {
        if !withKnown(type(of: object), { $0.areIdle(.didDelete) }) { finished.deleted.append(object) }
    }

    /// Forgets pending objects that are no longer so.
    func dropClean() {
        let (hooks, hadRemovals) = (state.hooks, state.hasRemovals)
        var isLeft = false
        for (position, pending) in takePending().enumerated() where pending.status.isPending {
            isLeft = true
            addPending(pending.object)
            guard let hooks else { continue }
            let place = state.pending.count - 1
            state.hooks?[place] = hooks[position]
        }
        if isLeft {
            state.hasRemovals = hadRemovals
        } else {
            state.forgetOutdated()
            state.derived = []
        }
        if !state.ghosts.isEmpty || !state.released.isEmpty { (state.mayDelete, state.hasRemovals) = (true, true) }
    }

    /// Empties the list of pending objects.
    func takePending() -> [PendingObject] {
        let pending = state.pending
        for object in pending { object.noteUnlisted() }
        state.pending = []
        if state.hooks != nil { state.hooks = [] }
        if !state.claims.isEmpty { state.claims = [:] }
        state.leftCount = 0
        state.mayDelete = false
        state.hasRemovals = false
        return pending
    }

    /// Ends the save of an object that was stored as it was in the cut, or deleted as that says, and is so still; false for another.
    private func finishAsCut(_ position: Int, _ cut: ChangeCut, _ finished: inout FinishedSave) -> Bool {
        // The entry is looked at where it is: a copy of it is half a dozen reference counts for every object.
        guard cut.entries[position].pending.changeCount == cut.entries[position].changeCount else { return false }
        switch cut.entries[position].kind {
        case .insertion: finished.summary.insertedCount += 1
        case .change: finished.summary.updatedCount += 1
        case .deletion where cut.entries[position].pending.status == .deleted:
            let object = cut.entries[position].object
            finished.summary.deletedCount += 1
            noteDeleted(object, &finished)
            becomeGone(object)
            return true
        case .deletion, .none: return false
        }
        cut.entries[position].pending.becomeClean(version: cut.version(at: position))
        if !cut.entries[position].pending.areIdle(.didSave) { finished.saved.append(cut.entries[position].object) }
        return true
    }

    /// The record of an object after a save; nil when it is deleted.
    private func final(
        _ entry: ChangeCut.Entry, _ cut: ChangeCut, _ settlement: Settlement?, _ change: RecordChange?
    ) throws -> StoredVersion? {
        if let change { return try change.after.map { try version($0, change.key, entry.object) } }
        // The save left the record as it was before.
        switch settlement {
        case .keep(let stored): return stored
        case .delete: return nil
        case .write(let other?): return try version(other, cut.wholeKey(of: entry), entry.object)
        case .write(nil), nil:
            if entry.kind == .deletion { return nil }
            if entry.kind == .none {
                let binding = try core.binding(for: entry.type)
                return StoredVersion(bytes: cut.record(of: entry), version: entry.version, layout: binding.layout)
            }
            return try version(cut.record(of: entry), cut.wholeKey(of: entry), entry.object)
        }
    }

    private func version(_ bytes: [UInt8], _ key: [UInt8], _ object: any LiveModel) throws -> StoredVersion {
        let binding = try core.binding(for: type(of: object))
        if binding.layout.isLayout(of: bytes) {
            return StoredVersion(bytes: bytes, version: RecordVersion.of(bytes), layout: binding.layout)
        }
        // A rule left the record in the layout of an older program.
        let current = try core.read { try $0.record(bytes, key: key, inLayoutOf: binding) }
        return StoredVersion(bytes: current, version: RecordVersion.of(bytes), layout: binding.layout)
    }

    /// - Parameters:
    ///   - isKept: whether the save left the record as somebody else had stored it.
    ///   - removed: what has no record any more though the cut does not delete it.
    private func finish(
        _ entry: ChangeCut.Entry, _ cut: ChangeCut, _ final: StoredVersion?, isKept: Bool, _ finished: inout FinishedSave, _ removed: inout Set<AnyReference>
    ) throws {
        let object = entry.object
        let live = object.live
        let isAsCut = live.changeCount == entry.changeCount
        guard let final else {
            // What an owner let go of before it was ever saved had no record.
            if entry.kind != .insertion {
                if !isKept {
                    if entry.kind != .none { finished.summary.deletedCount += 1 }
                    noteDeleted(object, &finished)
                }
            }
            // One that was inserted again since the cut is new; but one that the same save stored and by a rule deleted is gone.
            if live.status == .inserted, entry.kind != .insertion || !isAsCut { return live.version = 0 }
            if entry.kind == .change || entry.kind == .none {
                removed.insert(object.reference)
                // What was changed while the save was under way has no record to be stored in.
                if !isAsCut, live.status == .changed { noteFault(object.changeIsLost) }
            } else if !isAsCut, live.status != .deleted {
                // It was inserted again after the cut that deletes it: the next save stores it anew.
                live.status = .inserted
                live.version = 0
                return
            }
            becomeGone(object)
            return
        }
        switch entry.kind {
        case .insertion where !isKept: finished.summary.insertedCount += 1
        case .change where !isKept: finished.summary.updatedCount += 1
        case .insertion, .change, .deletion, .none: break
        }
        if entry.kind != .none, !isKept { noteSaved(object, &finished) }
        if isAsCut {
            if entry.kind == .deletion || !cut.isRecord(of: entry, final.bytes) { try assign(final.bytes, to: object) }
            live.becomeClean(version: final.version)
            return
        }
        switch live.status {
        case .detached, .gone, .clean:
            // Taken back by something that a save waits for; nothing of it is left to save.
            break
        case .inserted, .changed, .deleted:
            let base = try entry.kind == .deletion ? nil : storedRecord(cut.record(of: entry), of: object)
            if let base, !cut.isRecord(of: entry, final.bytes) {
                let now = try storedRecord(encoded(object), of: object)
                let merged = try storedRecord(final.bytes, of: object).merging(changesFrom: base, to: now, of: entry.type)
                try assign(image(merged, core.binding(for: entry.type)), to: object)
            }
            // A deletion stays one, of the record that is stored now.
            if live.status != .deleted { live.status = .changed }
            live.image = final.bytes
            live.version = final.version
        }
    }

    /// Notes that an object's record is deleted.
    func becomeGone(_ object: any LiveModel) {
        let live = object.live
        live.status = .gone
        live.version = 0
        live.forgetChanges()
        map.remove(object)
        tellLists(type(of: object), deletes: true)
    }
}
