// Objects that leave the context without having been stored, and come back. The lock of the domain is held.
extension ObjectContext {
    /// Lets an object leave the context that is in no record.
    func leave(_ object: any LiveModel) {
        let live = object.live
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
        tellLists(type(of: object), deletes: true)
    }

    /// Inserts an object again that is in the context's domain, with those it refers to that have left the context too.
    func returnHome(_ object: any LiveModel) throws {
        if object.live.status.isInContext { return try insertAgain(object) }
        let objects = try returning([object])
        for object in objects { try insertAgain(object) }
        domain.connect(objects)
    }

    /// Objects that are inserted again, and all that they refer to, that have left the context too, and that the program still has.
    ///
    /// - Throws: ``TroveError/notInContext(model:id:)`` when one that was not deleted refers to what is, or is nowhere; ``TroveError/alreadyExists(model:id:)``
    ///   or ``TroveError/deletionNotSaved(model:id:)`` when the context has another object with the id of one. Then nothing is changed.
    func returning(_ objects: [any LiveModel]) throws -> [any LiveModel] {
        var found: [any LiveModel] = []
        var known: [ObjectKey: any LiveModel] = [:]
        var waiting: [any LiveModel] = objects.reversed()
        while let next = waiting.popLast() {
            let key = next.contextKey
            if let other = known[key] ?? map.peek(key), other !== next { throw next.idIsTaken(by: other) }
            guard known.updateValue(next, forKey: key) == nil else { continue }
            found.append(next)
            // One that was deleted may refer to what was deleted with it.
            if next.live.status == .detached {
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
                    if present.live.isDeleted { throw present.isNotInContext }
                } else if let away = state.away[key]?.object as? any LiveModel {
                    waiting.append(away)
                } else {
                    unknown.insert(target)
                }
            }
        }
        guard let target = try lost(among: unknown).first else { return }
        throw TroveError.notInContext(model: target.modelName, id: try shownID(of: target))
    }

    /// The id that a reference has, as messages show it.
    func shownID(of reference: AnyReference) throws -> String {
        func shown<Object: LiveModel>(_ type: Object.Type) throws -> String { try Object.ID(keyBytes: reference.keyBytes).shownInErrors }
        return try classes[reference.modelName].map { try shown($0) } ?? StoredRecord.text(of: reference.keyBytes)
    }

    /// Those of the references that lead to no object: it is deleted, or there never was one.
    func lost(among references: Set<AnyReference>) throws -> Set<AnyReference> {
        var lost: Set<AnyReference> = []
        var unknown: [ObjectIdentifier: [AnyReference]] = [:]
        for reference in references {
            guard let type = classes[reference.modelName] else { continue }
            if let object = map.peek(ObjectKey(ObjectIdentifier(type), reference.keyBytes)) {
                if object.live.isDeleted { lost.insert(reference) }
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

    /// Inserts an object that is in the context's domain: one that was deleted, or whose insertion was taken back.
    func insertAgain(_ object: any LiveModel) throws {
        let live = object.live
        switch live.status {
        case .inserted, .clean, .changed: return
        case .deleted:
            try forgetDerived()
            // Its own changes from before may still be there.
            live.status = .changed
            live.changeCount &+= 1
            if live.image == nil { live.image = try encoded(object) }
        case .detached, .gone:
            guard claim(object.contextKey, for: object) else { throw object.idIsTaken(by: map.peek(object.contextKey)) }
            state.ghosts[object.contextKey] = nil
            state.away[object.contextKey] = nil
            live.status = .inserted
            live.isForgotten = false
            live.version = 0
            live.forgetChanges()
            live.changeCount &+= 1
            addPending(object)
        }
        // What its deletion would have done to others is not done.
        tellLists(type(of: object), deletes: true)
        state.recorder?.didInsert(object)
        countChange()
    }
}
