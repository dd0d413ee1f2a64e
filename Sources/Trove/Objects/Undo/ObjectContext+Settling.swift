/// With undo, what delete rules, inverses and owners make of a step is found out when the step ends, and done to the objects as changes of their own: so a
/// step has all that it changed, whenever it is saved, and undoing it is to restore records.
extension ObjectContext {
    /// Does to the objects what a save would do beside the changes that have come since the last step ended. The lock is held.
    ///
    /// When such a save would fail, nothing is done: the next step that can be saved has it all.
    func settle() {
        do {
            let cut = try cut()
            if cut.needsSettling(core) {
                let effects = try effects(of: cut)
                for derived in state.derived where derived.isShown {
                    let object = derived.object
                    // One that is deleted has come to its end in this step, or is another one's.
                    guard object.live.status == .changed || state.history?.isTouchedByOpenStep(object) == true else { continue }
                    if let image = object.live.image { state.history?.noteDerived(object, from: image) }
                }
                try apply(effects)
            }
            for pending in state.pending { pending.object.live.isRestored = true }
            state.forgetOutdated()
            state.derived = []
            (state.released, state.ghosts) = ([], [:])
        } catch {
            // What is wrong is told by the save, or by a fetch.
        }
    }

    /// All records that a save would change, as it would leave them.
    private func effects(of cut: ChangeCut) throws -> [Effect] {
        let journal = ChangeJournal()
        return try cut.tryOut(in: core, heedsOptions: false, journal: journal) { transaction in
            try journal.records.compactMap { change in
                guard let type = classes[change.modelName] else { return nil }
                let binding = try core.binding(for: type)
                let after = try change.after.map { try transaction.record($0, key: change.key, inLayoutOf: binding) }
                return Effect(type: type, key: change.key, after: after)
            }
        }
    }

    private func apply(_ effects: [Effect]) throws {
        var objects: [any LiveModel] = []
        for effect in effects {
            let key = ObjectKey(ObjectIdentifier(effect.type), effect.key)
            func load<Object: LiveModel>(_ type: Object.Type) throws -> (any LiveModel)? {
                try read(includingPendingChanges: false) { try $0.fetch(type, id: Object.ID(keyBytes: effect.key)) }
            }
            guard let object = try map.object(key) ?? load(effect.type) else { continue }
            objects.append(object)
        }
        for effect in effects {
            guard let object = map.peek(ObjectKey(ObjectIdentifier(effect.type), effect.key)) else { continue }
            let isThere = [.inserted, .clean, .changed].contains(object.live.status)
            guard let after = effect.after else {
                if isThere { try delete(object, leavingGhost: false) }
                continue
            }
            if isThere, try encoded(object) == after { continue }
            if isThere { state.recorder?.willChange(object, field: 0) }
            try restore(object, to: after)
        }
        withExtendedLifetime(objects) {}
    }
}

/// A record as a save would leave it.
private struct Effect {
    let type: any LiveModel.Type
    let key: [UInt8]
    /// In the current layout; nil when it would be deleted.
    let after: [UInt8]?
}

extension ChangeCut {
    /// Whether rules, inverses or owners may have something to do with one of the changes.
    fileprivate func needsSettling(_ core: StoreCore) -> Bool {
        if !ghosts.isEmpty || !released.isEmpty { return true }
        let all = core.rules
        return entries.contains { entry in
            if entry.isRestored || entry.kind == .none { return false }
            let rules = all.model(entry.type.schema.name)
            switch entry.kind {
            case .deletion: return rules.concernsDeletion
            case .insertion: return !rules.tracked.isEmpty
            case .change: return rules.tracked.contains { entry.object.live.changedFields.contains($0.binding.field) }
            case .none: return false
            }
        }
    }
}
