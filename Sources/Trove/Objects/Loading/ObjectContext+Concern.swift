/// Which reads pending changes can concern: others are plain reads.
extension ObjectContext {
    /// Whether what a query finds may be otherwise after a save: a pending change is of a model it looks at, or may change its records by rules,
    /// inverses, or because bags lose members.
    func pendingChangesConcern(_ draft: QueryDraft) throws -> Bool {
        let changed = domain.withLock { changedModels }
        // A mistake in the query is told by running it.
        guard !changed.isEmpty, draft.problem == nil else { return false }
        let looked = try ObservedModels(of: draft, core).names
        return core.modelsConcerned(by: changed).map { !$0.isDisjoint(with: looked) } ?? true
    }

    /// Whether records of a model may be otherwise after a save.
    func pendingChangesConcern(_ modelName: String) -> Bool {
        let changed = domain.withLock { changedModels }
        if changed.isEmpty { return false }
        return core.modelsConcerned(by: changed)?.contains(modelName) ?? true
    }

    /// The models of pending changes, and whether one of them is a deletion. The lock is held.
    private var changedModels: [String: Bool] {
        var models: [ObjectIdentifier: (type: any LiveModel.Type, deletes: Bool)] = [:]
        for pending in state.pending where pending.status.isPending {
            let type = type(of: pending.object)
            models[ObjectIdentifier(type), default: (type, false)].deletes = models[ObjectIdentifier(type)]?.deletes ?? false || pending.status == .deleted
        }
        for ghost in state.ghosts.values { models[ObjectIdentifier(ghost.type)] = (ghost.type, true) }
        for released in state.released { models[ObjectIdentifier(type(of: released.object))] = (type(of: released.object), true) }
        return Dictionary(models.values.map { ($0.type.schema.name, $0.deletes) }, uniquingKeysWith: { $0 || $1 })
    }
}

extension StoreCore {
    /// The models whose records may change with those of some models; nil when that may be any.
    ///
    /// - Parameter changed: the models, and whether records of them are deleted.
    func modelsConcerned(by changed: [String: Bool]) -> Set<String>? {
        let table = seenIndexes
        let known = relationships(with: table).table
        var concerned: [String: Bool] = [:]
        var waiting = changed.map { (name: $0.key, deletes: $0.value) }
        while let next = waiting.popLast() {
            if let deletes = concerned[next.name], deletes || !next.deletes { continue }
            concerned[next.name] = next.deletes
            for relationship in known.relationships(of: next.name) {
                let inverse = known.inverse(of: relationship)
                // Taken out of an owner's relationship by its own, a record may have to be deleted.
                if inverse?.schema.deleteRule.owns == true { waiting.append((next.name, true)) }
                guard inverse != nil || relationship.schema.deleteRule.owns else { continue }
                guard let target = relationship.target else { return nil }
                waiting.append((target.schema.name, relationship.schema.deleteRule.owns))
            }
            guard next.deletes else { continue }
            // A function may name objects of any model.
            if mayHaveCustomDeleteRule(next.name, in: table) { return nil }
            concerned[StoredBag.schema.name] = concerned[StoredBag.schema.name] ?? false
            for relationship in known.relationships(to: next.name) {
                waiting.append((relationship.model.schema.name, relationship.schema.targetDeleteRule == .cascade))
            }
        }
        return Set(concerned.keys)
    }
}
