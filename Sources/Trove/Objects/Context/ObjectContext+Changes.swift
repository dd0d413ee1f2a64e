extension ObjectContext {
    /// Whether there are unsaved changes. An object that was changed and changed back counts until a save or roll-back looks at it, and so does one that was
    /// inserted and deleted again, where delete rules or inverses may have something to do with it.
    public var hasChanges: Bool {
        domain.withLock { !state.ghosts.isEmpty || state.pending.contains { $0.status.isPending } }
    }

    /// The objects that were inserted and not saved yet, in the order of their insertion.
    public var insertedObjects: [any LiveModel] { pendingObjects(.inserted) }

    /// The objects that were changed and not saved yet, in the order of their first changes.
    public var changedObjects: [any LiveModel] { pendingObjects(.changed) }

    /// The objects that were deleted and not saved yet, in the order of their deletion. What their delete rules delete is found out by the save.
    public var deletedObjects: [any LiveModel] { pendingObjects(.deleted) }

    /// The names of the properties whose values differ from those last read or saved; all properties of an inserted object.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when a value cannot be stored.
    public func changedProperties<Object: LiveModel>(of object: Object) throws -> [String] {
        try domain.withLock {
            guard object.live.domain === domain else { return [] }
            switch object.live.status {
            case .inserted: return Object.schema.fields.map(\.name)
            case .detached, .clean, .gone: return []
            case .changed, .deleted:
                try checkNoChangeUnderWay()
                guard let image = object.live.image else { return [] }
                let before = try storedRecord(image, of: object)
                let now = try storedRecord(encoded(object), of: object)
                // By what is stored, as a save tells them: NaN is itself, and no lazy value is read.
                return now.fieldNames.filter { now.differs(from: before, in: $0) }
            }
        }
    }

    private func pendingObjects(_ status: LiveObjectStatus) -> [any LiveModel] {
        domain.withLock { state.pending.filter { $0.status == status }.map(\.object) }
    }
}

extension LiveObjectStatus {
    /// Whether a save has something to do about the object.
    var isPending: Bool { self == .inserted || self == .changed || self == .deleted }

    /// Whether the object has a record, as far as the context knows.
    var hasRecord: Bool { self == .clean || self == .changed || self == .deleted }

    /// Whether the context has the object.
    var isInContext: Bool { self != .detached && self != .gone }
}

extension ObjectContext {
    /// Discards all unsaved changes: changed objects have the values they had when they were read or saved last, deleted ones are no longer, and
    /// inserted ones leave the context.
    ///
    /// It waits for a save that is under way; what that has stored stays.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, a read, a transaction of the store, or a hook of a save; when all is
    ///   discarded, the error of an object that could not be made of its record and keeps its values.
    public func rollback() throws {
        try checkMayWait("roll back")
        // What its changes were in the way of.
        defer { mergeLater() }
        try operations.run("roll back") {
            let unknown = domain.withLock { takeBack() }
            try bringUpToDate(unknown, keepingChanges: false)
        }
    }

    /// Discards all unsaved changes and forgets all objects and undo steps: the context is as new.
    ///
    /// Objects that the application still holds are in no context any more; they cannot be saved, unless they are inserted again.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, a read, a transaction of the store, or a hook of a save.
    public func reset() throws {
        try checkMayWait("be reset")
        try operations.run("reset the context") {
            domain.withLock {
                let forgotten = map.objects
                // Nobody needs to know of one that keeps its values: it is in no context any more.
                _ = takeBack()
                for object in forgotten {
                    object.live.status = .detached
                    object.live.isForgotten = true
                    object.live.forgetChanges()
                }
                map.removeAll()
                state.lists?.noteAll()
                state.faultErrors = []
                forgetUndoSteps()
            }
        }
    }

    /// Takes all changes back, and returns the objects of which is not known how they were; the lock is held.
    private func takeBack() -> [any LiveModel] {
        var unknown: [any LiveModel] = []
        beginEpoch()
        tellLists(state.pending)
        for ghost in state.ghosts.values { tellLists(ghost.type, deletes: true) }
        for pending in state.pending {
            let (object, live) = (pending.object, pending.object.live)
            switch live.status {
            case .inserted: leave(object)
            case .changed, .deleted:
                // No object can be made of some records that were stored.
                let isKnown = live.image.map { (try? assign($0, to: object)) != nil } ?? (live.status == .deleted)
                if !isKnown { unknown.append(object) }
                live.changeCount &+= 1
                // Of one that is unknown no version is known either, so that it is read anew.
                live.becomeClean(version: isKnown ? live.version : 0)
            case .detached, .clean, .gone: break
            }
        }
        _ = takePending()
        state.forgetOutdated()
        state.derived = []
        (state.released, state.ghosts) = ([], [:])
        state.derivation &+= 1
        state.refusal = nil
        resetChangeLimit()
        state.recorder?.didRollBack()
        forgetAnnexes()
        return unknown
    }
}
