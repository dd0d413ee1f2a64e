extension ObjectContext {
    /// Inserts a new object into the context, with all objects that it refers to and that are in no context; the next save stores them.
    ///
    /// An object that is in the context already stays as it is; one that is marked as deleted is no longer.
    ///
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when it or one it refers to is in another context;
    ///   ``TroveError/notInContext(model:id:)`` when one it refers to is deleted, or the next save deletes it;
    ///   ``TroveError/alreadyExists(model:id:)`` when the context has another object with the id of one.
    public func insert(_ object: any LiveModel) throws {
        try domain.withLock { try insertHere(object) }
    }

    /// Inserts new objects of one or several classes into the context; see ``insert(_:)-swift.method``.
    public func insert(_ objects: [any LiveModel]) throws {
        try domain.withLock { for object in objects { try insertHere(object) } }
    }

    /// Inserts new objects into the context; see ``insert(_:)-swift.method``.
    public func insert(_ objects: some Sequence<some LiveModel>) throws {
        try domain.withLock { for object in objects { try insertHere(object) } }
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
            guard object._$live.domain === domain else { throw object.isNotInContext }
            switch object._$live.status {
            case .detached: throw object.isNotInContext
            case .deleted, .gone: return
            case .inserted:
                state.recorder?.willDelete(object)
                if leavingGhost { leaveGhost(of: object) }
                leave(object)
                // Now and then, as it takes as long as there are pending objects.
                state.leftCount += 1
                if state.leftCount * 2 > state.pending.count { dropClean() }
            case .clean, .changed:
                state.recorder?.willDelete(object)
                let wasPending = object._$live.status == .changed
                object._$live.status = .deleted
                object._$live.changeCount &+= 1
                if wasPending { state.mayDelete = true } else { addPending(object) }
                countChange()
            }
        }
    }

    /// Marks objects of one or several classes as deleted; see ``delete(_:)-swift.method``.
    public func delete(_ objects: [any LiveModel]) throws {
        try domain.withLock { for object in objects { try delete(object) } }
    }

    /// Marks objects as deleted; see ``delete(_:)-swift.method``.
    public func delete(_ objects: some Sequence<some LiveModel>) throws {
        try domain.withLock { for object in objects { try delete(object) } }
    }

    private func insertHere<Object: LiveModel>(_ object: Object) throws {
        if domain.isHome(of: object._$live) { return try returnHome(object) }
        if try !insertAlone(object) { try insertGraph(from: object) }
    }

    /// Inserts an object again that is in the context's domain, with those it refers to that have left the context too.
    private func returnHome(_ object: any LiveModel) throws {
        if object._$live.status.isInContext { return try insertAgain(object) }
        let objects = try returning([object])
        for object in objects { try insertAgain(object) }
        domain.connect(objects)
    }

    /// Objects that are inserted again, and all that they refer to, that have left the context too, and that the program still has.
    ///
    /// - Throws: ``TroveError/notInContext(model:id:)`` when one that was not deleted refers to what is, or is nowhere; ``TroveError/alreadyExists(model:id:)`` when the context has another
    ///   object with the id of one. Then nothing is changed.
    private func returning(_ objects: [any LiveModel]) throws -> [any LiveModel] {
        var found: [any LiveModel] = []
        var known: [ObjectKey: any LiveModel] = [:]
        var waiting: [any LiveModel] = objects.reversed()
        while let next = waiting.popLast() {
            let key = next.contextKey
            if let other = known[key] ?? map.peek(key), other !== next { throw next.existsAlready }
            guard known.updateValue(next, forKey: key) == nil else { continue }
            found.append(next)
            // One that was deleted may refer to what was deleted with it.
            if next._$live.status == .detached {
                let count = waiting.count
                try appendAwayTargets(of: next, to: &waiting)
                waiting[count...].reverse()
            }
        }
        return found
    }

    private func appendAwayTargets(of object: any LiveModel, to waiting: inout [any LiveModel]) throws {
        var unknown: Set<AnyReference> = []
        for field in type(of: object).schema.fields.indices where type(of: object).schema.fields[field].relationship != nil {
            for target in object._$targets(of: field) {
                guard let type = classes[target.modelName] else { continue }
                let key = ObjectKey(ObjectIdentifier(type), target.keyBytes)
                if let present = map.peek(key) {
                    if present._$live.isDeleted { throw present.isNotInContext }
                } else if let away = state.away[key]?.object as? any LiveModel {
                    waiting.append(away)
                } else {
                    unknown.insert(target)
                }
            }
        }
        guard let target = try lost(among: unknown).first, let type = classes[target.modelName] else { return }
        throw TroveError.notInContext(model: target.modelName, id: try shownID(of: target, type))
    }

    private func shownID<Object: LiveModel>(of reference: AnyReference, _ type: Object.Type) throws -> String {
        try Object.ID(keyBytes: reference.keyBytes).shownInErrors
    }

    /// Those of the references that lead to no object: it is deleted, or there never was one.
    func lost(among references: Set<AnyReference>) throws -> Set<AnyReference> {
        var lost: Set<AnyReference> = []
        var unknown: [ObjectIdentifier: [AnyReference]] = [:]
        for reference in references {
            guard let type = classes[reference.modelName] else { continue }
            if let object = map.peek(ObjectKey(ObjectIdentifier(type), reference.keyBytes)) {
                if object._$live.isDeleted { lost.insert(reference) }
            } else {
                unknown[ObjectIdentifier(type), default: []].append(reference)
            }
        }
        for references in unknown.values {
            guard let type = classes[references[0].modelName] else { continue }
            let stored = try read(includingPendingChanges: false) { try $0.storedVersions(of: references.map(\.keyBytes), type) }
            for (reference, version) in zip(references, stored) where version == nil { lost.insert(reference) }
        }
        return lost
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
            if insertion.object !== object { throw object.existsAlready }
            object._$live.move(to: domain)
            object._$releaseHeld()
            return true
        }
        if isInserted {
            didInsert(object, key)
            if known(Object.self).hasInverses { domain.connect([object]) }
        }
        withExtendedLifetime(insertion) {}
        return isInserted
    }

    private func insertGraph(from object: any LiveModel) throws {
        let (graph, away) = try domain.detachedGraph(from: object)
        let keys = graph.map { $0.contextKey }
        let returning = try returning(away)
        var seen = Set(returning.map { $0.contextKey })
        for (object, key) in zip(graph, keys) where !seen.insert(key).inserted || map.contains(key) { throw object.existsAlready }
        try domain.adopt(graph)
        for (object, key) in zip(graph, keys) {
            _ = claim(key, for: object)
            didInsert(object, key)
        }
        for object in returning { try insertAgain(object) }
        domain.connect(graph + returning)
    }

    /// Makes an object the one that the context has of a key; false when there is another.
    private func claim<Object: LiveModel>(_ key: ObjectKey, for object: Object) -> Bool { map.insert(object, key).object === object }

    private func didInsert(_ object: any LiveModel, _ key: ObjectKey) {
        if !state.ghosts.isEmpty { state.ghosts[key] = nil }
        addPending(object)
        state.recorder?.didInsert(object)
        countChange()
    }

    /// Inserts an object that is in the context's domain: one that was deleted, or whose insertion was taken back.
    func insertAgain(_ object: any LiveModel) throws {
        let live = object._$live
        switch live.status {
        case .inserted, .clean, .changed: return
        case .deleted:
            try forgetDerived()
            // Its own changes from before may still be there.
            live.status = .changed
            live.changeCount &+= 1
            if live.image == nil { live.image = try encoded(object) }
        case .detached, .gone:
            guard claim(object.contextKey, for: object) else { throw object.existsAlready }
            state.ghosts[object.contextKey] = nil
            state.away[object.contextKey] = nil
            live.status = .inserted
            live.isForgotten = false
            live.version = 0
            live.forgetChanges()
            live.changeCount &+= 1
            addPending(object)
        }
        state.recorder?.didInsert(object)
        countChange()
    }

    /// Gives objects that show only what pending changes of others do to them the values they are stored with: one of those changes is no more.
    func forgetDerived() throws {
        state.derivation &+= 1
        for (object, changeCount) in state.derived where object._$live.status == .changed {
            let live = object._$live
            guard let image = live.image else { continue }
            if live.changeCount == changeCount {
                try assign(image, to: object)
                live.becomeClean(version: live.version)
            } else {
                try assign(ownChanges(of: object, since: image), to: object)
            }
        }
        state.derived = []
    }

    /// The record of an object with the fields that were changed themselves, and the others as they were.
    private func ownChanges<Object: LiveModel>(of object: Object, since image: [UInt8]) throws -> [UInt8] {
        let now = try storedRecord(encoded(object), of: object)
        var own = try storedRecord(image, of: object)
        for field in object._$live.changedFields {
            let name = Object.schema.fields[field].name
            if let value = now[name] { try own.set(name, to: value) }
        }
        return try self.image(own, core.binding(for: Object.self))
    }

    /// Lets an object leave the context that is in no record; the lock is held.
    func leave(_ object: any LiveModel) {
        let live = object._$live
        live.status = .detached
        live.version = 0
        live.changeCount &+= 1
        live.forgetChanges()
        map.remove(object)
        if state.away.count >= state.awayLimit {
            state.away = state.away.filter { $0.value.object != nil }
            state.awayLimit = max(1_024, 2 * state.away.count)
        }
        state.away[object.contextKey] = ObjectHandle(object)
    }
}

extension LiveModel {
    /// What a context knows the object by.
    var contextKey: ObjectKey { ObjectKey(ObjectIdentifier(Self.self), id.keyBytes) }

    var isNotInContext: TroveError { .notInContext(model: Self.schema.name, id: id.shownInErrors) }

    /// Says why a change of the object is not stored.
    var changeIsLost: TroveError {
        .changeLost(
            model: Self.schema.name, id: id.shownInErrors,
            reason: _$live.isForgotten
                ? "its context was reset and has forgotten it; fetch it again, and change that object"
                : "its record is deleted; change objects before they are deleted, or insert it again as a new object")
    }

    var existsAlready: TroveError { .alreadyExists(model: Self.schema.name, id: id.shownInErrors) }
}
