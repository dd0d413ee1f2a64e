extension ObjectContext {
    /// Inserts a new object into the context, with all objects that it refers to and that are in no context; the next save stores them.
    ///
    /// An object that is in the context already stays as it is; one that is marked as deleted is no longer.
    ///
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when it or one it refers to is in another context;
    ///   ``TroveError/notInContext(model:id:)`` when one it refers to is deleted, or the next save deletes it;
    ///   ``TroveError/alreadyExists(model:id:)`` when the context has another object with the id of one, ``TroveError/deletionNotSaved(model:id:)`` when that
    ///   one is deleted and the next save will free the id.
    public func insert(_ object: any LiveModel) throws {
        try domain.withLock { try insertHere(object) }
    }

    /// Inserts new objects of one or several classes into the context; see ``insert(_:)``.
    public func insert(_ objects: [any LiveModel]) throws {
        try domain.withLock { for object in objects { try insertHere(object) } }
    }

    /// Inserts new objects into the context; see ``insert(_:)``.
    @inlinable
    public func insert(_ objects: some Sequence<some LiveModel>) throws {
        try insert(objects.map { $0 as any LiveModel })
    }

    /// Marks an object as deleted; the next save deletes it and applies the delete rules of its relationships.
    ///
    /// An object that was inserted and not saved leaves the context. For one that is deleted already nothing happens.
    ///
    /// - Throws: ``TroveError/notInContext(model:id:)`` when the object is not of this context.
    public func delete(_ object: any LiveModel) throws {
        try delete(object, leavingGhost: true)
    }

    /// Marks an object as deleted.
    ///
    /// - Parameter leavingGhost: whether the next save heeds the delete rules of one that was never saved.
    func delete(_ object: any LiveModel, leavingGhost: Bool) throws {
        try domain.withLock {
            guard object.live.domain === domain else { throw object.isNotInContext }
            defer { tellLists(type(of: object), deletes: true) }
            switch object.live.status {
            case .detached: throw object.isNotInContext
            case .deleted, .gone: return
            case .inserted where state.saving?.inserts(object) == true:
                // It will be stored when the save ends, and the next one deletes it.
                state.recorder?.willDelete(object)
                object.live.status = .deleted
                object.live.changeCount &+= 1
                state.mayDelete = true
                state.hasRemovals = true
                countChange()
            case .inserted:
                state.recorder?.willDelete(object)
                if leavingGhost { leaveGhost(of: object) }
                leave(object)
                // Now and then, as it takes as long as there are pending objects.
                state.leftCount += 1
                if state.leftCount * 2 > state.pending.count { dropClean() }
            case .clean, .changed:
                state.recorder?.willDelete(object)
                let wasPending = object.live.status == .changed
                object.live.status = .deleted
                object.live.changeCount &+= 1
                state.hasRemovals = true
                if wasPending { state.mayDelete = true } else { addPending(object) }
                countChange()
            }
        }
    }

    /// Marks objects of one or several classes as deleted, all or none; see ``delete(_:)``.
    public func delete(_ objects: [any LiveModel]) throws {
        try domain.withLock {
            for object in objects where object.live.domain !== domain || object.live.status == .detached { throw object.isNotInContext }
            // One that is there twice and was not saved has left the context the second time.
            for object in objects where object.live.status != .detached { try delete(object) }
        }
    }

    /// Marks objects as deleted, all or none; see ``delete(_:)``.
    @inlinable
    public func delete(_ objects: some Sequence<some LiveModel>) throws {
        try delete(objects.map { $0 as any LiveModel })
    }

    /// Inserts an object; the lock is held.
    func insertHere<Object: LiveModel>(_ object: Object) throws {
        if domain.isHome(of: object.live) { return try returnHome(object) }
        if try !insertAlone(object) { try insertGraph(from: [object]) }
    }

    /// Inserts an object that holds no others, as most do; false for one that does.
    private func insertAlone<Object: LiveModel>(_ object: Object) throws -> Bool {
        let key = object.contextKey
        // What the map lets go of for it ends when the locks are given back.
        var insertion = IdentityMap.Found()
        let isInserted = try ObjectDomain.detached.withLock {
            try domain.check(object)
            var held: [any LiveModel] = []
            object._$appendHeld(to: &held)
            guard held.isEmpty else { return false }
            insertion = map.insert(object, key)
            if insertion.object != nil { throw object.idIsTaken(by: map.peek(key)) }
            object._$state._withUnsafeGuaranteedRef { $0.move(to: domain) }
            object._$releaseHeld()
            return true
        }
        if isInserted {
            didInsert(object, key)
            if withKnown(Object.self, { $0.hasInverses }) { domain.connect([object]) }
        }
        withExtendedLifetime(insertion) {}
        return isInserted
    }

    /// Inserts objects in no context with all that they hold; the lock is held.
    ///
    /// - Parameters:
    ///   - other: one that stays outside with what it alone holds, though others hold it.
    ///   - check: is given those that are about to come in; when it throws, none does.
    ///   - prepare: is given those that have come in before the other sides of their relationships follow.
    func insertGraph(
        from objects: consuming [any LiveModel], leavingOut other: (any LiveModel)? = nil, checking check: ([any LiveModel]) throws -> Void = { _ in },
        preparing prepare: ([any LiveModel]) throws -> Void = { _ in }
    ) throws {
        let (graph, away) = try domain.detachedGraph(from: consume objects, leavingOut: other)
        let keys = graph.map { $0.contextKey }
        let returning = try returning(away)
        var seen = Set(returning.map { $0.contextKey })
        for (object, key) in zip(graph, keys) {
            let present = map.peek(key)
            if !seen.insert(key).inserted || present != nil { throw object.idIsTaken(by: present) }
        }
        try check(graph)
        try domain.adopt(graph)
        for (object, key) in zip(graph, keys) {
            _ = claim(key, for: object)
            didInsert(object, key)
        }
        for object in returning { try insertAgain(object) }
        try prepare(graph)
        domain.connect(graph + returning)
    }

    /// Makes an object the one that the context has of a key; false when there is another.
    func claim<Object: LiveModel>(_ key: ObjectKey, for object: Object) -> Bool { map.insert(object, key).object == nil }

    private func didInsert(_ object: any LiveModel, _ key: ObjectKey) {
        if !state.ghosts.isEmpty { state.ghosts[key] = nil }
        addPending(object)
        tellLists(type(of: object), deletes: false)
        state.recorder?.didInsert(object)
        countChange()
    }

    /// Gives objects that show only what pending changes of others do to them the values they are stored with: one of those changes is no more.
    func forgetDerived() throws {
        state.derivation &+= 1
        for derived in state.derived { try forget(derived) }
        state.derived = []
    }

    /// The same for one of them. What has been changed in it itself stays; of one that was deleted itself the values are those that it has when it comes back.
    func forget(_ derived: DerivedObject) throws {
        let (object, live) = (derived.object, derived.object.live)
        guard derived.isShown, let image = live.image else { return }
        if live.status == .changed, live.changeCount == derived.changeCount {
            try assign(image, to: object)
            live.becomeClean(version: live.version)
            return
        }
        let now = try storedRecord(encoded(object), of: object)
        var own = try storedRecord(image, of: object).merging(
            changesFrom: storedRecord(derived.record, of: object), to: now, of: type(of: object))
        // Rules and inverses change relationships alone; the record of the others may have moved on, by a save or by others, since this one was derived.
        let fields = type(of: object).schema.fields
        for field in live.changedFields where fields[field].relationship == nil {
            if let value = now[fields[field].name] { try own.set(fields[field].name, to: value) }
        }
        try assign(self.image(own, core.binding(for: type(of: object))), to: object)
    }
}

extension LiveModel {
    /// What a context knows the object by.
    var contextKey: ObjectKey { ObjectKey(ObjectIdentifier(Self.self), id: id) }

    var isNotInContext: TroveError { .notInContext(model: Self.schema.name, id: id.shownInErrors) }

    /// Says why a change of the object is not stored.
    var changeIsLost: TroveError {
        .changeLost(
            model: Self.schema.name, id: id.shownInErrors,
            reason: live.isForgotten
                ? "its context was reset and has forgotten it; fetch it again, and change that object"
                : "its record is deleted; change objects before they are deleted, or insert it again as a new object")
    }

    var existsAlready: TroveError { .alreadyExists(model: Self.schema.name, id: id.shownInErrors) }

    /// Says why an object cannot come into a context that has another one of its id.
    func idIsTaken(by other: (any LiveModel)?) -> TroveError {
        other?.live.status == .deleted ? .deletionNotSaved(model: Self.schema.name, id: id.shownInErrors) : existsAlready
    }
}
