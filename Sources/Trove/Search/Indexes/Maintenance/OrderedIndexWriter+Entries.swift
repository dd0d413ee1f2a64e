/// Which entries change with a record.
extension OrderedIndexWriter {
    /// Appends the entries of a record to the arena and returns how many they are.
    @discardableResult
    func appendEntries(of record: RecordView, _ action: EntryArena.Action) throws -> Int {
        try binding.appendEntries(of: record, action, to: &arena)
    }

    /// Notes the entries that only one of two states of a record has, of an index with several entries for a record.
    func exchangeMembers(_ old: RecordView, _ new: RecordView) throws {
        let newParts = try binding.allParts(of: new)
        let oldParts: [MemberParts]
        var oldCovered: [UInt8] = []
        do {
            oldParts = try binding.allParts(of: old)
            oldCovered = try binding.coveredBytes(of: old)
            try groups?.note(old, sign: -1)
        } catch {
            throw OldRecordFault(underlying: error)
        }
        try groups?.note(new, sign: 1)
        let isCoveredEqual = try oldCovered == binding.coveredBytes(of: new)
        let (oldSet, newSet) = (Set(oldParts), Set(newParts))
        for parts in oldParts where !newSet.contains(parts) {
            try binding.appendEntry(parts, of: old, .remove, to: &arena)
            growth -= 1
        }
        for parts in newParts {
            if !oldSet.contains(parts) {
                try binding.appendEntry(parts, of: new, .add, to: &arena)
                growth += 1
            } else if !isCoveredEqual {
                try binding.appendEntry(parts, of: new, .update, to: &arena)
            }
        }
    }
}
