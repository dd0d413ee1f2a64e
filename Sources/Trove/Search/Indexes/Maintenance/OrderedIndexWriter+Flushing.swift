/// Writing what was noted to the engine.
extension OrderedIndexWriter {
    func flush(insideBatch: Bool) throws {
        try writeEntries(insideBatch: insideBatch)
        try IndexSample.add(growth, of: binding.number, writer)
        growth = 0
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
        case .remove: try writer.delete(key, in: keyspace)
        case .check, .uncheck: return
        }
        if action != .update, IndexSample.contains(key) { try IndexSample.note(key, of: binding.number, isRemoved: action == .remove, writer) }
    }
}
