// With the lock of the domain held.
extension ObjectContext {
    /// Inserts new objects, but for those whose id or unique values an object has already, as a fetch of the context would show it.
    ///
    /// - Parameter join: gives the object that is there what it is to have of the new one.
    /// - Returns: for each the object that the context has.
    func unify<Object: LiveModel>(_ objects: [Object], _ join: (GivenObject<Object>, Object) throws -> Void) throws -> [Object] {
        try checkNoChangeUnderWay()
        for object in objects { try domain.check(object) }
        let given = try objects.filter { !isHere($0) }.map { GivenObject(object: $0, key: $0.contextKey, record: try encoded($0)) }
        let places = Dictionary(given.enumerated().map { (ObjectIdentifier($1.object), $0) }, uniquingKeysWith: { first, _ in first })
        let (lookup, isPlain) = try lookUp(given)
        defer { withExtendedLifetime(lookup) {} }
        let outdated = try outdated(lookup)
        if !outdated.isEmpty { try bringUpToDate(outdated, keepingChanges: true) }
        let type = ObjectIdentifier(Object.self)
        // Taken out, so that it is changed in place.
        var claims = isPlain ? takeClaims(of: type, lookup.indexes) : UniqueClaims(lookup.indexes, shown: state.pending)
        defer { if isPlain { state.claims[type] = claims } }
        // All are looked at once. Then an object only changes what it becomes, unless relationships are indexed, or objects may come back to their places.
        let looksAtAll = lookup.followsRelationships || state.leftCount > 0
        var areKnown = false
        return try objects.map { object in
            if let place = places[ObjectIdentifier(object)], !isHere(object) {
                try claims.update(Object.self, state.pending, onlyNew: areKnown && !looksAtAll) { try uniqueValues(of: $0, lookup.indexes) }
                areKnown = true
                if let present = try owner(of: lookup.values[place], of: given[place], claims, lookup) {
                    try join(given[place], present)
                    if !looksAtAll, objects.count > 1 { claims.update(present, try uniqueValues(of: present, lookup.indexes)) }
                    return present
                }
            }
            // One that comes back has its place already.
            if domain.isHome(of: object.live) { areKnown = false }
            try insertHere(object)
            return object
        }
    }

    /// Whether the context has the object, deleted or not.
    func isHere(_ object: some LiveModel) -> Bool { domain.isHome(of: object.live) && object.live.status.isInContext }

    /// Looks up new objects among those that are stored and those that are pending.
    ///
    /// Changes that are not saved are written for it, and taken back, only where rules or inverses may decide who has a value.
    ///
    /// - Returns: `isPlain` is whether the pending changes are still to be looked at beside it.
    private func lookUp<Object: LiveModel>(_ given: [GivenObject<Object>]) throws -> (UniqueLookup<Object>, isPlain: Bool) {
        let name = Object.schema.name
        if !mayFreeValues || !pendingChangesConcern(name) {
            let lookup = try read(includingPendingChanges: false) { try $0.lookUp(given) }
            if !lookup.followsRelationships || !pendingChangesConcern(name) { return (lookup, true) }
        }
        return (try read(includingPendingChanges: true) { try $0.lookUp(given) }, false)
    }

    /// Whether a save may delete objects that nobody has marked, whose values are free then. With undo, steps may let go of some without saying so.
    var mayFreeValues: Bool { state.history == nil ? state.hasRemovals : state.mayDelete }

    /// The objects without changes that have other values in memory than those by which they were found: somebody else has changed them.
    private func outdated<Object: LiveModel>(_ lookup: UniqueLookup<Object>) throws -> [any LiveModel] {
        var found: [ObjectKey: [UniqueValue]] = [:]
        for (value, key) in lookup.owners { found[key, default: []].append(value) }
        return try lookup.objects.filter { object in
            guard object.live.status == .clean, let values = found[object.contextKey] else { return false }
            return try !Set(values).isSubset(of: valuesInMemory(of: object, lookup.indexes))
        }
    }

    /// What is known of the pending objects of a class, to be put back.
    private func takeClaims(of type: ObjectIdentifier, _ indexes: [IndexBinding]) -> UniqueClaims {
        guard let claims = state.claims.removeValue(forKey: type), claims.indexes.map(\.number) == indexes.map(\.number) else { return UniqueClaims(indexes) }
        return claims
    }

    /// What a pending object has in unique indexes; nil for one that is pending no longer.
    func uniqueValues<Object: LiveModel>(of object: Object, _ indexes: [IndexBinding]) throws -> [UniqueValue]? {
        switch object.live.status {
        case .detached, .clean, .gone: return nil
        case .deleted: return []
        case .inserted, .changed: return try valuesInMemory(of: object, indexes)
        }
    }

    /// What an object has in unique indexes, whatever is stored.
    private func valuesInMemory<Object: LiveModel>(of object: Object, _ indexes: [IndexBinding]) throws -> [UniqueValue] {
        let binding = try binding(of: Object.self)
        return try binding.uniqueValues(of: encoded(object), key: object.contextKey.bytes, indexes, lazyValues(of: binding))
    }

    /// The object that has the id or unique values of a new one; nil when there is none.
    ///
    /// - Throws: ``TroveError/ambiguousUpsert(model:id:match:otherID:otherMatch:)`` when there are two.
    private func owner<Object: LiveModel>(
        of values: [UniqueValue], of given: GivenObject<Object>, _ claims: UniqueClaims, _ lookup: UniqueLookup<Object>
    ) throws -> Object? {
        var found: (object: Object, match: String)?
        if let present = map.object(Object.self, given.key), !present.live.isDeleted { found = (present, "its id") }
        for value in values {
            guard let key = claims.owner(of: value, stored: lookup.owners[value], otherThan: given.key), let present = map.object(Object.self, key),
                present !== found?.object
            else { continue }
            let match = "the unique index '\(lookup.indexes.first { $0.number == value.index }?.schema.name ?? "")'"
            if let found {
                throw TroveError.ambiguousUpsert(
                    model: Object.schema.name, id: found.object.shownID, match: found.match, otherID: present.shownID, otherMatch: match)
            }
            found = (present, match)
        }
        return found?.object
    }
}
