/// What became of a cut that was saved.
struct SaveOutcome {
    let cut: ChangeCut
    /// What was done otherwise than the cut says.
    let settlements: [Int: Settlement]
    /// All records that the save changed.
    let journal: ChangeJournal

    /// What was changed beside the records that the cut itself wrote, or in these after it had written them.
    func changesBeside(_ classes: [String: any LiveModel.Type]) -> [ObjectKey: RecordChange] {
        // The cut's own writes come first and in its order; so most of the journal need not be looked up.
        var next = 0
        for (position, entry) in cut.entries.enumerated() where next < journal.log.count {
            guard entry.kind == .insertion || entry.kind == .change else { continue }
            if case .delete? = settlements[position] { continue }
            if case .keep? = settlements[position] { continue }
            let change = journal.log[next]
            guard cut.isKey(of: entry, change.key), change.modelName == entry.type.schema.name else { break }
            next += 1
        }
        var changes: [ObjectKey: RecordChange] = [:]
        for change in journal.log[next...] {
            guard let type = classes[change.modelName] else { continue }
            let key = ObjectKey(ObjectIdentifier(type), change.key)
            if changes[key] == nil { changes[key] = change } else { changes[key]?.after = change.after }
        }
        return changes
    }
}
