/// What other contexts and programs have saved since a step, and this context has taken over, is not the step's to take back.
extension UndoHistory {
    /// What is to be done to an object that may not be as the step left it: only what the step changed, and of that what nobody else has changed since. Lists of references
    /// are merged. nil for an object that somebody else has deleted: it stays so.
    func rebased(_ entry: UndoEntry) throws -> UndoEntry? {
        let present = image(entry.object)
        if present == entry.before { return entry }
        guard let left = entry.before else { return changed(entry, present, to: entry.after) }
        guard let present else { return nil }
        guard let after = entry.after else { return changed(entry, present, to: nil) }
        let (now, before) = try (context.storedRecord(present, of: entry.object), context.storedRecord(left, of: entry.object))
        let differences = now.fieldNames.filter { now.differs(from: before, in: $0) }
        // The dates of a save are set by the save, and by the next one again.
        if differences.allSatisfy(isSavedDate(of: type(of: entry.object))) { return entry }
        let merged = try now.merging(
            changesFrom: before, to: context.storedRecord(after, of: entry.object), of: type(of: entry.object), keepingOwn: true)
        return changed(entry, present, to: try context.image(merged, context.core.binding(for: type(of: entry.object))))
    }

    private func changed(_ entry: UndoEntry, _ present: [UInt8]?, to after: [UInt8]?) -> UndoEntry {
        var entry = entry
        (entry.before, entry.after, entry.isAsLeft) = (present, after, false)
        entry.wasRestored = entry.object._$live.isRestored
        return entry
    }

    private func isSavedDate(of type: any LiveModel.Type) -> (String) -> Bool {
        let dates = type.schema.fields.filter { $0.options.contains(.creationDate) || $0.options.contains(.modificationDate) }.map(\.name)
        return dates.contains
    }
}
