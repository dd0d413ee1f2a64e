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
    /// Takes note of what a save has done beside the changes of the steps before it: what delete rules and inverses did, which belongs to the step that
    /// changed what they went on from.
    func noteSave(_ changes: [RecordChange]) {
        defer { markSaved() }
        guard let last = lastUnsaved else { return }
        do {
            let effects = try changes.compactMap { try sideEffect($0) }
            if effects.isEmpty { return }
            let (causes, steps) = (SideEffectCauses(changes), unsavedSteps)
            for effect in effects {
                let cause = causes.cause(of: effect.reference) { steps[$0] != nil }
                // What follows from none of the objects, such as a bag's loss of members, goes with the last step.
                note(effect, of: cause.flatMap { steps[$0] } ?? last)
            }
        } catch {
            // A record that cannot be read cannot be brought back either; the rest can.
            context.report(error)
        }
    }

    /// The step at which each object was changed last since the last save, as ``note(_:of:)`` counts them.
    private var unsavedSteps: [AnyReference: Int] {
        var steps: [AnyReference: Int] = [:]
        for position in firstUnsaved..<done.count {
            for entry in done[position].entries { steps[entry.object.reference] = position }
        }
        for object in open?.parts.objects.map(\.self) ?? [] { steps[object.reference] = done.count }
        return steps
    }

    /// The last step that a save has stored, as ``note(_:of:)`` counts them; nil when there is none since the last save.
    private var lastUnsaved: Int? {
        if let open, !open.parts.isEmpty { return done.count }
        return firstUnsaved < done.count ? done.count - 1 : nil
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
            return SideEffect(key: key, type: type, before: before, after: nil, reference: change.reference)
        }
        // Of an object that was changed here, other threads may have changed more since; rules and inverses change relationships alone.
        if isKnown, try !differsInRelationships(before, after, change.key, type) { return nil }
        return before == after ? nil : SideEffect(key: key, type: type, before: before, after: after, reference: change.reference)
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
