/// Which entries change with a record.
extension OrderedIndexWriter {
    /// Appends the entries of a record to the arena and returns how many they are.
    @discardableResult
    func appendEntries(of record: RecordView, _ action: EntryArena.Action) throws -> Int {
        try binding.appendEntries(of: record, action, to: &arena, paths)
    }

    /// Notes the entries that only one of two states of a record has, of an index with several entries for a record.
    func exchangeMembers(_ old: RecordView, _ new: RecordView, _ multiple: Int) throws {
        let newParts = try binding.entryParts(of: new, multiple, paths)
        let oldParts: MemberParts
        var oldCovered: [UInt8] = []
        do {
            oldParts = try binding.entryParts(of: old, multiple, paths)
            oldCovered = try binding.coveredBytes(of: old)
            try groups?.note(old, sign: -1)
        } catch {
            throw OldRecordFault(underlying: error)
        }
        try groups?.note(new, sign: 1)
        let isCoveredEqual = try oldCovered == binding.coveredBytes(of: new)
        let haveSameRest = oldParts.before == newParts.before && oldParts.after == newParts.after
        var (oldPlace, newPlace) = (0, 0)
        while oldPlace < oldParts.members.count || newPlace < newParts.members.count {
            let order = haveSameRest ? Self.order(oldParts.members, oldPlace, newParts.members, newPlace) : oldPlace < oldParts.members.count ? -1 : 1
            if order < 0 {
                try binding.appendEntry(oldParts, oldPlace, of: old, .remove, to: &arena)
                growth.add(-1, of: old)
            } else if order > 0 {
                try binding.appendEntry(newParts, newPlace, of: new, .add, to: &arena)
                growth.add(1, of: new)
            } else if !isCoveredEqual {
                try binding.appendEntry(newParts, newPlace, of: new, .update, to: &arena)
            }
            if order <= 0 { oldPlace += 1 }
            if order >= 0 { newPlace += 1 }
        }
    }

    /// Which of two sorted lists has the lower member next: negative for the first, 0 when it is in both.
    private static func order(_ left: KeyList, _ leftPlace: Int, _ right: KeyList, _ rightPlace: Int) -> Int {
        guard leftPlace < left.count else { return 1 }
        guard rightPlace < right.count else { return -1 }
        return left.buffer.withUnsafeBytes { leftBytes in
            right.buffer.withUnsafeBytes { rightBytes in
                KeyList.compare(
                    UnsafeRawBufferPointer(rebasing: leftBytes[left.range(leftPlace)]),
                    UnsafeRawBufferPointer(rebasing: rightBytes[right.range(rightPlace)]))
            }
        }
    }
}

/// Writing what was noted to the engine.
extension OrderedIndexWriter {
    func announce() throws {
        if growth != EntryNumbers() { try IndexSample.prefetchCount(of: binding.number, writer) }
        // Only a unique index asks what is there.
        if binding.schema.isUnique, !arena.isEmpty { try writer.prefetch(arena.keys, in: keyspace) }
        try groups?.announce(writer)
    }

    func flush(insideBatch: Bool) throws {
        try paths?.flush()
        try writeEntries(insideBatch: insideBatch)
        do {
            try IndexSample.add(growth, of: binding, writer)
        } catch TroveError.corruptValue(let reason) {
            throw binding.corrupt("the number of its entries cannot be read: \(reason)")
        }
        growth = EntryNumbers()
        settleMark()
        try groups?.write(writer)
    }

    /// Writes the arena's changes in the order of their keys and empties it.
    func writeEntries(insideBatch: Bool) throws {
        guard !arena.isEmpty else { return }
        let keyspace = try keyspace
        let order = EntryOrder(arena)
        var waiting: [Int] = []
        var start = 0
        for end in 1...order.count where end == order.count || !order.haveSameKey(start, end, in: arena) {
            defer { start = end }
            let last = order.offset(end - 1)
            if try binding.schema.isUnique && IndexEntry(arena.key(at: last), arena.value(at: last)).isUnique {
                let offsets = (start..<end).map { order.offset($0) }
                if try !writeUnique(offsets, keyspace, mayWait: insideBatch) { waiting += offsets }
            } else {
                // A new entry whose covered values changed since is new all the same.
                let isNew = (start..<end).contains { arena.action(at: order.offset($0)) == .add }
                let action = arena.action(at: last)
                try write(last, action == .update && isNew ? .add : action, keyspace)
            }
        }
        defer { settleMark() }
        if waiting.isEmpty { return arena.removeAll() }
        var rest = EntryArena()
        for offset in waiting.sorted() { rest.append(offset, of: arena) }
        arena = rest
    }

    /// Writes one change, and its entry to the sample when it belongs there.
    func write(_ offset: Int, _ action: EntryArena.Action, _ keyspace: Keyspace) throws {
        let key = arena.key(at: offset).bytes
        switch action {
        case .add, .update: try writer.put(key, arena.value(at: offset).bytes, in: keyspace)
        case .remove: try writer.remove(key, in: keyspace)
        case .check, .uncheck: return
        }
        if action != .update, IndexSample.contains(key) { try IndexSample.note(key, of: binding.number, isRemoved: action == .remove, writer) }
    }
}
