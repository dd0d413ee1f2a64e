// All with the lock of the domain held.
extension ObjectContext {
    func didRelease(_ references: [AnyReference], by field: Int, in model: any LiveModel.Type) {
        state.hasRemovals = true
        guard let rule = model.schema.fields[field].relationship?.deleteRule else { return }
        for reference in references {
            guard let type = classes[reference.modelName] else { continue }
            let key = ObjectKey(ObjectIdentifier(type), reference.keyBytes)
            // Of what is stored the save itself finds out.
            guard let object = map.peek(key), object.live.status == .inserted else { continue }
            // With undo each step counts as a save does.
            if let history = state.history, history.wasThereBeforeOpenStep(object) { continue }
            state.released.append(ReleasedObject(object: object, rule: rule))
            state.mayDelete = true
        }
    }

    /// Keeps what the next save needs of an object that leaves the context before it was saved.
    func leaveGhost(of object: any LiveModel) {
        guard core.rules.model(type(of: object).schema.name).concernsDeletion else { return }
        do {
            let key = object.contextKey
            state.ghostCount += 1
            let record = try state.history?.imageBeforeOpenStep(of: object) ?? encoded(object)
            state.ghosts[key] = Ghost(type: type(of: object), key: RecordKey(key.bytes), record: record, number: state.ghostCount)
            state.mayDelete = true
            state.hasRemovals = true
        } catch {
            // What cannot be encoded could not have been saved, nor deleted then.
            report(error)
        }
    }

    /// Forgets what a save has dealt with.
    func forgetNeverSaved(_ cut: ChangeCut) {
        let count = min(cut.releasedCount, state.released.count)
        if count > 0 {
            // What the save did not store, and was changed meanwhile, is new still: the next save looks whether it has an owner.
            let judged = Set(cut.released.map { $0.reference })
            let left = state.released.prefix(count).filter { $0.object.live.status == .inserted && judged.contains($0.object.reference) }
            state.released.replaceSubrange(..<count, with: left)
        }
        for ghost in cut.ghosts where state.ghosts[ghost.contextKey]?.number == ghost.number { state.ghosts[ghost.contextKey] = nil }
    }
}
