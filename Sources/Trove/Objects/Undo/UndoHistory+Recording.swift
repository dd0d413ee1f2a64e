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
        noteSave(changes)
    }

    func didRollBack() {
        forgetUnsaved()
    }

    func didDiscard(_ objects: [any LiveModel]) {
        for object in objects {
            discarded[ObjectIdentifier(object)] = done.count
            if isTouchedByOpenStep(object) { open?.restart(object, from: image(object)) }
        }
    }

    func didEndDiscarding() {
        if discarded.isEmpty { return }
        defer { discarded = [:] }
        let isAllDiscarded = !context.state.pending.contains { $0.status.isPending }
        if isAllDiscarded, !isInGroup { return forgetUnsaved() }
        for position in firstUnsaved..<done.count where !done[position].isSaved {
            done[position].entries.removeAll { entry in discarded[ObjectIdentifier(entry.object)].map { position < $0 } ?? false }
            done[position].isIncomplete = true
        }
        done = done.prefix(firstUnsaved) + done.dropFirst(firstUnsaved).filter { !$0.isEmpty }
        for position in undone.indices where !undone[position].isSaved { undone[position].isIncomplete = true }
        open?.unsettle()
        // Of their links one side may be as it was and the other one not.
        for pending in context.state.pending { pending.object.live.isRestored = false }
    }
}
