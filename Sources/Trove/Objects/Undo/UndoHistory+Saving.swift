/// What a save stores of the steps, and what it does beside them. Steps that end while it is under way are the next one's.
extension UndoHistory {
    /// Ends what has grown, and notes what the save is about to store. A group goes on, and what it has changed so far is a part of its step.
    func closeBeforeSave() {
        if isInGroup {
            let entries = settledEntries()
            note(entries)
            open?.endPart(entries)
            watchAll()
        } else {
            close()
        }
        // What the save before had is unsaved still when it failed.
        let images = saving?.images ?? [:]
        saving = CutSteps(
            steps: firstUnsaved..<done.count, group: open.map { CutGroup(name: $0.name, parts: $0.parts) },
            images: images.isEmpty ? lastImages : images.merging(lastImages) { $1 })
        lastImages = [:]
    }

    /// Takes note of what a save has done beside the changes of the steps before it: what delete rules and inverses did, which belongs to the step that
    /// changed what they went on from.
    func noteSave(_ changes: [RecordChange]) {
        defer { markSaved() }
        guard let cut = saving, let last = cut.last else { return }
        do {
            let effects = try changes.compactMap { try sideEffect($0, cut) }
            if effects.isEmpty { return }
            let (causes, steps) = (SideEffectCauses(changes), changedSteps(in: cut))
            for effect in effects {
                let cause = causes.cause(of: effect.reference) { steps[$0] != nil }
                // What follows from none of the objects, such as a bag's loss of members, goes with the last step.
                note(effect, of: cause.flatMap { steps[$0] } ?? last, in: cut)
            }
            if !cut.isGroupOpen { try beginOpenStep(after: effects) }
        } catch {
            // A record that cannot be read cannot be brought back either; the rest can.
            context.report(error)
        }
    }

    /// The step of a cut at which each object was changed last, by its position.
    private func changedSteps(in cut: CutSteps) -> [AnyReference: Int] {
        var steps: [AnyReference: Int] = [:]
        for position in cut.positions {
            for entry in done[position].entries { steps[entry.object.reference] = position }
        }
        for object in cut.group?.parts.objects.map(\.self) ?? [] { steps[object.reference] = cut.steps.upperBound }
        return steps
    }

    /// Notes what a save did beside what was changed, to the step of its cut at a position.
    private func note(_ effect: SideEffect, of position: Int, in cut: CutSteps) {
        if position == cut.steps.upperBound {
            saving?.group?.parts.note(effect)
        } else if position >= 0 {
            done[position].sideEffects.append(effect)
        }
    }

    /// Lets what a save did be no part of the step that grows since its cut, which has touched some of the same objects.
    private func beginOpenStep(after effects: [SideEffect]) throws {
        guard var step = open else { return }
        let known = Dictionary(effects.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        try step.mapBefore { entry in
            guard let before = entry.before, let effect = known[key(of: entry.object)] else { return entry.before }
            return try effect.after.map { try merge(before, from: effect.before, to: $0, of: entry.object, keepingOwn: false) }
        }
        open = step
    }

    /// The steps of the cut are saved, and those that have ended since are not.
    private func markSaved() {
        guard let cut = saving.take() else { return }
        for position in cut.positions { done[position].isSaved = true }
        savedCount = cut.steps.upperBound < 0 ? nil : cut.steps.upperBound
        savedPart = nil
        guard let group = cut.group else { return }
        if !group.parts.isEmpty { savedPart = group.parts.step(group.name, isSaved: true) }
        if group.isOpen { open?.parts = group.parts } else { replaceStep(of: group, at: cut.steps.upperBound) }
    }

    /// Makes the step of a group anew that has ended since the cut: what the save did may have become a part of it.
    private func replaceStep(of group: CutGroup, at position: Int) {
        // It may have been dropped as the oldest.
        guard position >= 0 else { return }
        let step = group.step
        if group.isKept { done.remove(at: position) }
        if !step.isEmpty { done.insert(step, at: position) }
        dropOldest()
    }

    /// Comes back to the steps that were done when everything was saved last, after the context has.
    func forgetUnsaved() {
        open = nil
        watchAll()
        (lastImages, saving) = ([:], nil)
        guard let savedCount else { return removeAll() }
        if done.count > savedCount {
            done.removeLast(done.count - savedCount)
            undone = []
        }
        while done.count < savedCount, let step = undone.popLast() { done.append(step) }
        if let savedPart { keep(savedPart, isSaved: true) }
        savedPart = nil
    }

    /// What a save did to a record beside what the context's objects say; nil when that is nothing.
    private func sideEffect(_ change: RecordChange, _ cut: CutSteps) throws -> SideEffect? {
        guard let type = context.classes[change.modelName] else { return nil }
        let key = ObjectKey(ObjectIdentifier(type), change.key)
        // A group that goes on sees what became of the objects it has touched when it ends.
        if cut.isGroupOpen, let object = context.map.peek(key), isTouchedByOpenStep(object) { return nil }
        let before: [UInt8]?
        let isKnown: Bool
        switch cut.images[key] {
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
        return type.schema.fields.contains { $0.relationship != nil && one.differs(from: other, in: $0.name) }
    }
}
