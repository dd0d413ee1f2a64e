/// Undoing and redoing steps.
extension UndoHistory {
    /// Undoes the last step: `prepare` turns what a save did beside it into entries, and the step is kept for redoing.
    func undo(_ prepare: (UndoStep) throws -> UndoStep) throws {
        guard let last = done.last else { return }
        let step = try prepare(last)
        let rebased = try apply(step.reversed, isUndo: true)
        done.removeLast()
        if let rebased, rebased.isEmpty { return forgetNextStep() }
        undone.append(rebased?.reversed ?? step)
    }

    /// Does the step again that was undone last.
    func redo() throws {
        guard let step = undone.last else { return }
        let rebased = try apply(step, isUndo: false)
        undone.removeLast()
        if let rebased, rebased.isEmpty { return forgetNextStep() }
        done.append(rebased ?? step)
    }

    /// Counts a step no longer that would be done next, and of which others have left nothing to undo or redo.
    private func forgetNextStep() {
        if let savedCount, savedCount > done.count { self.savedCount = savedCount - 1 }
    }

    /// Makes all objects of a step as it left them, or none when it throws. Returns what was done instead, where others have changed them since.
    private func apply(_ step: UndoStep, isUndo: Bool) throws -> UndoStep? {
        isApplying = true
        defer {
            isApplying = false
            watchAll()
        }
        // What was loaded as pending changes of others show it would keep what these did when they are taken back.
        try context.forgetDerived()
        // What refers to others finds them only when they are there.
        var (entries, areAsLeft) = try rebased(step.entries.filter { $0.before == nil } + step.entries.filter { $0.before != nil })
        if step.isIncomplete { areAsLeft = false }
        // What is not there points at nothing, whatever it still has in memory.
        let known = entries.map { $0.before == nil ? [:] : targets(of: $0.object) }
        var applied: [UndoEntry] = []
        do {
            for entry in entries {
                applied.append(entry)
                // An insertion that is undone is as if it had never been; a deletion that is done again is one.
                try context.restore(entry.object, to: entry.after, heedingRules: !isUndo && !step.isSaved)
                entry.object.live.isRestored = step.isSaved || entry.isRestored
            }
            if try dropLost(entries, whichHad: known) { areAsLeft = false }
        } catch {
            for entry in applied.reversed() {
                do {
                    try context.restore(entry.object, to: entry.before)
                    entry.object.live.isRestored = entry.wasRestored
                } catch {
                    context.report(error)
                }
            }
            throw error
        }
        if areAsLeft {
            note(entries)
            return nil
        }
        entries = settledBesideOthers(entries, whichHad: step.isIncomplete ? known : nil)
        note(entries)
        return UndoStep(name: step.name, entries: entries.filter { $0.before != $0.after })
    }
}
