/// An index that what is stored does not allow: a unique one of which two objects have the same values, or one of all paths with more paths than it numbers.
struct UnbuildableIndex: Error {
    let number: Int
    let violation: TroveError

    /// Whether it is an index of all paths.
    var isOfPaths: Bool {
        if case .tooManyPaths = violation { true } else { false }
    }
}

extension WriteTransaction {
    /// How many entries of an unwanted index a batch removes.
    private static let dropSize = 100_000

    /// Does one batch of what the indexes need, but those of some numbers; returns how many records it read, nil when there is nothing to do.
    ///
    /// - Parameter only: the numbers of the indexes to build; nil for all.
    /// - Throws: ``UnbuildableIndex`` when the objects break a unique index, or documents have too many paths.
    func buildIndexes(_ only: Set<Int>? = nil, batchSize: Int, except excluded: Set<Int> = []) throws -> Int? {
        let table = try indexTable
        let unbuilt = table.unbuilt(only).filter { !excluded.contains($0.binding.number) }
        if let first = unbuilt.min(by: { Self.isBefore($0, $1) }) {
            // Indexes that are equally far are built in one go.
            let bindings = unbuilt.filter { $0.binding.modelName == first.binding.modelName && $0.position == first.position }
            return try build(bindings.map(\.binding), after: first.position, batchSize)
        }
        let unwanted = table.entries.filter { $0.state == .dropping }
        if unwanted.isEmpty { return nil }
        try drop(unwanted)
        return 0
    }

    private static func isBefore(
        _ left: (binding: IndexBinding, position: [UInt8]?), _ right: (binding: IndexBinding, position: [UInt8]?)
    ) -> Bool {
        if left.binding.modelName != right.binding.modelName { return left.binding.modelName < right.binding.modelName }
        guard let other = right.position else { return false }
        return left.position?.lexicographicallyPrecedes(other) ?? true
    }

    /// Makes the entries of the next records, and notes in the catalogue how far they are.
    private func build(_ bindings: [IndexBinding], after start: [UInt8]?, _ batchSize: Int) throws -> Int {
        let writer = try writer
        let model = try binding(named: bindings[0].modelName)
        let stored = try storeComputedDefaults(of: model, for: bindings, after: start, upTo: batchSize)
        let batchSize = stored?.size ?? batchSize
        let maintainers = try bindings.map { try $0.maintainer(upTo: nil, writer) { self.whenCommitted($0) } }
        var count = 0
        var last: [UInt8]?
        let keyspace = try writer.keyspace(named: model.schema.name)
        // Other threads read what is committed.
        let isShared = stored.map { !$0.isAny } ?? true
        if let keyspace, isShared, let shared = try noteShared(maintainers, of: model, in: keyspace, after: start, upTo: batchSize) {
            (count, last) = shared
        } else if let keyspace {
            let memory = core.scanThreads.pace.withLock { $0.batchMemory }
            var watch = ReadWatch()
            try writer.scan(start.map { .after($0) } ?? .all, in: keyspace) { key, record in
                try watch.step()
                try withRecordView(record, key: key, OpenModel(model)) { view in
                    for (binding, maintainer) in zip(bindings, maintainers) {
                        do {
                            try maintainer.note(RecordTransition(adding: view))
                            try maintainer.accept()
                        } catch let error as TroveError {
                            guard case .tooManyPaths = error else { throw error }
                            throw UnbuildableIndex(number: binding.number, violation: error)
                        }
                    }
                }
                count += 1
                let isFull = count >= batchSize || maintainers.reduce(0) { $0 + $1.bufferedSize } > memory
                guard isFull else { return .next }
                last = [UInt8](copying: key)
                return .stop
            }
        }
        do {
            if writer.prefetches { for maintainer in maintainers { try maintainer.announce() } }
            for maintainer in maintainers { try maintainer.flush(insideBatch: false) }
        } catch let conflict as UniqueConflict {
            throw UnbuildableIndex(number: conflict.binding.number, violation: try violation(conflict, nil))
        }
        let numbers = Set(bindings.map(\.number))
        try IndexDirectory.change(writer) { _, entries in
            for position in entries.indices where numbers.contains(entries[position].number) {
                entries[position].state = last.map { .building(after: $0) } ?? .ready
            }
        }
        forgetIndexes()
        return count
    }

    /// Removes indexes that are not wanted any more, as far as one transaction goes, and the entries in the catalogue of those that are gone.
    ///
    /// A large index is not removed at once, since on some engines that would be a transaction of many seconds.
    private func drop(_ unwanted: [IndexCatalogueEntry]) throws {
        let writer = try writer
        let names = Dictionary(grouping: try writer.keyspaceNames()) { IndexCatalogueEntry.number(ofKeyspace: $0) ?? 0 }
        var left = Self.dropSize
        var removed: Set<Int> = []
        removing: for entry in unwanted {
            for name in names[entry.number] ?? [] {
                guard let keyspace = try writer.keyspace(named: name) else { continue }
                if try !removeEntries(keyspace, &left) { break removing }
                try writer.dropKeyspace(keyspace)
            }
            try IndexSample.removeAll(of: entry.number, writer)
            try PathDictionary.removeAll(of: entry.number, writer)
            removed.insert(entry.number)
        }
        try IndexDirectory.change(writer) { _, entries in entries.removeAll { removed.contains($0.number) } }
        forgetIndexes()
    }

    /// Removes the first entries of a keyspace, `left` at most, from which it takes their number; returns whether these were all.
    private func removeEntries(_ keyspace: Keyspace, _ left: inout Int) throws -> Bool {
        var count = 0
        var end: [UInt8]?
        let most = left
        defer { left -= min(count, most) }
        try writer.scan(in: keyspace) { key, _ in
            count += 1
            guard count > most else { return .next }
            end = [UInt8](copying: key)
            return .stop
        }
        guard let end else { return true }
        try writer.deleteRange(KeyRange(upTo: end), in: keyspace)
        return false
    }
}
