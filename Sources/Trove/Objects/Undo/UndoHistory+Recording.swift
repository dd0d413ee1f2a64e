extension UndoHistory: ChangeRecorder {
    func willChange(_ object: any LiveModel, field: Int) {
        touch(object) { image(object) }
    }

    func didInsert(_ object: any LiveModel) {
        touch(object) { nil }
    }

    func willDelete(_ object: any LiveModel) {
        touch(object) { image(object) }
    }

    func didSave(_ changes: [RecordChange]) {
        // A group goes on; what grew by itself ends with the save.
        if !isInGroup { close() }
        noteSave(changes)
    }

    func didRollBack() {
        forgetUnsaved()
    }
}

extension UndoHistory {
    /// Takes note of what a save has done beside the changes of the steps before it: what delete rules and inverses did, which belongs to them.
    func noteSave(_ changes: [RecordChange]) {
        let first = firstUnsaved
        defer { markSaved() }
        guard first < done.count else { return }
        do {
            let effects = try changes.compactMap { try sideEffect($0) }
            if effects.isEmpty { return }
            let causes = try SideEffectCauses(effects, context)
            for (effect, step) in zip(effects, try causes.steps(Array(done[first...]))) {
                // Of those that nothing leads to, the last step is as good a cause as any.
                done[step.map { first + $0 } ?? done.count - 1].sideEffects.append(effect)
            }
        } catch {
            // A record that cannot be read cannot be brought back either; the rest can.
            context.report(error)
        }
    }

    /// What a save did to a record beside what the context's objects say; nil when that is nothing.
    private func sideEffect(_ change: RecordChange) throws -> SideEffect? {
        guard let type = context.classes[change.modelName] else { return nil }
        let key = ObjectKey(ObjectIdentifier(type), change.key)
        // A group that goes on sees what became of the objects it has touched when it ends.
        if let object = context.map.peek(key), isTouchedByOpenStep(object) { return nil }
        let before: [UInt8]?
        let isKnown: Bool
        switch lastImages[key] {
        case .some(let image): (before, isKnown) = (image, true)
        case nil: (before, isKnown) = (try change.before.map { try current($0, change.key, type) }, false)
        }
        guard let before else { return nil }
        guard let after = try change.after.map({ try current($0, change.key, type) }) else {
            return SideEffect(key: key, type: type, before: before, after: nil)
        }
        // Of an object that was changed here, other threads may have changed more since; rules and inverses change relationships alone.
        if isKnown, try !differsInRelationships(before, after, change.key, type) { return nil }
        return before == after ? nil : SideEffect(key: key, type: type, before: before, after: after)
    }

    private func current(_ record: [UInt8], _ key: [UInt8], _ type: any LiveModel.Type) throws -> [UInt8] {
        let binding = try context.core.binding(for: type)
        if binding.layout.isLayout(of: record) { return record }
        return try context.core.read { try $0.record(record, key: key, inLayoutOf: binding) }
    }

    private func differsInRelationships(_ one: [UInt8], _ other: [UInt8], _ key: [UInt8], _ type: any LiveModel.Type) throws -> Bool {
        let one = try context.storedRecord(one, key: key, of: type)
        let other = try context.storedRecord(other, key: key, of: type)
        return type.schema.fields.contains { $0.relationship != nil && one[$0.name] != other[$0.name] }
    }
}
