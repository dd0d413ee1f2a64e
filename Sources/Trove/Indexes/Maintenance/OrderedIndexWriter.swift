/// Keeps an ordered index in step with the records, a unique one too: uniqueness is a rule of an ordered index, and what it asks besides is in
/// `OrderedIndexWriter+Unique.swift`.
///
/// What it notes is accessed without Swift's checks of exclusivity, which would cost as much as the work: a transaction belongs to one thread,
/// and nothing that a maintainer calls while it changes these calls the maintainer.
final class OrderedIndexWriter: IndexMaintainer {
    let binding: IndexBinding
    let writer: any StorageWriter
    /// Changes of entries, noted one after the other.
    @exclusivity(unchecked) var arena = EntryArena()
    /// By how much the index has grown.
    @exclusivity(unchecked) var growth = EntryNumbers()
    @exclusivity(unchecked) var groups: GroupChanges?
    /// Where the change begins that was noted last.
    @exclusivity(unchecked) private(set) var mark: EntryArena.Mark
    @exclusivity(unchecked) private var growthAtMark = EntryNumbers()
    /// The engine's key of the last record that is in the index while it is being built; nil when all are.
    private let lastKey: [UInt8]?
    /// The numbers of paths, of an index of all paths.
    let paths: PathNumbers?
    /// The keyspace of the entries, once it is there.
    private var knownKeyspace: Keyspace?

    /// - Parameter lastKey: where the building of the index has come to; nil for a whole one.
    init(_ binding: IndexBinding, upTo lastKey: [UInt8]?, _ writer: any StorageWriter, _ paths: PathNumbers? = nil) {
        self.binding = binding
        self.paths = paths
        self.lastKey = lastKey
        self.writer = writer
        groups = binding.hasGroups ? GroupChanges(binding) : nil
        mark = arena.mark
    }

    var bufferedSize: Int { arena.size + (groups?.size ?? 0) }

    func note(_ change: RecordTransition) throws {
        let (old, new) = (change.old, change.new)
        mark = arena.mark
        growthAtMark = growth
        if let lastKey, let key = (new ?? old)?.key, lastKey.span.bytes.precedes(key.bytes) {
            // The build has not come to this record. It must still not take the values of one that it has come to.
            if binding.schema.isUnique { try exchangeChecks(old, new) }
            return
        }
        switch (old, new) {
        case (nil, let new?): try add(new)
        case (let old?, nil):
            do { try remove(old) } catch { throw OldRecordFault(underlying: error) }
        case (let old?, let new?):
            if let sources = binding.fields.sources, try new.agrees(with: old, in: sources) { return }
            try binding.fields.multiplePart.map { try exchangeMembers(old, new, $0) } ?? exchange(old, new)
        case (nil, nil): break
        }
    }

    private func add(_ record: RecordView) throws {
        growth.add(try appendEntries(of: record, .add), of: record)
        try groups?.note(record, sign: 1)
    }

    private func remove(_ record: RecordView) throws {
        growth.add(-(try appendEntries(of: record, .remove)), of: record)
        try groups?.note(record, sign: -1)
    }

    private func exchange(_ old: RecordView, _ new: RecordView) throws {
        let newStart = arena.size
        try appendEntries(of: new, .add)
        let end = arena.mark
        let oldStart = arena.size
        do {
            try appendEntries(of: old, .remove)
            try groups?.note(old, sign: -1)
        } catch {
            throw OldRecordFault(underlying: error)
        }
        try groups?.note(new, sign: 1)
        guard arena.key(at: newStart).bytes.isEqual(to: arena.key(at: oldStart).bytes) else { return }
        if arena.value(at: newStart).bytes.isEqual(to: arena.value(at: oldStart).bytes) {
            arena.truncate(to: mark)
        } else {
            arena.truncate(to: end)
            arena.setAction(.update, at: newStart)
        }
    }

    func accept() throws {
        groups?.accept()
        settleMark()
    }

    /// What was noted up to now cannot be undone any more.
    func settleMark() {
        mark = arena.mark
        growthAtMark = growth
    }

    func undo() {
        arena.truncate(to: mark)
        growth = growthAtMark
        groups?.undo()
    }

    func discard() {
        arena.removeAll()
        mark = arena.mark
        growth = EntryNumbers()
        growthAtMark = EntryNumbers()
        groups?.removeAll()
        paths?.discard()
        knownKeyspace = nil
    }

    func noteRemovalOfAll(in records: Keyspace) throws {
        discard()
        for name in [binding.keyspaceName, IndexCatalogueEntry.groupsName(binding.number)] {
            if let keyspace = try writer.keyspace(named: name) { try writer.deleteRange(.all, in: keyspace) }
        }
        try IndexSample.removeAll(of: binding.number, writer)
    }

    /// The keyspace of the entries, which is made when there is none.
    var keyspace: Keyspace {
        get throws {
            if let knownKeyspace { return knownKeyspace }
            let keyspace = try writer.createKeyspace(named: binding.keyspaceName)
            knownKeyspace = keyspace
            return keyspace
        }
    }
}

/// The entries of an ordered index that one of several threads has made of new records, until the index's writer takes them over.
final class EntryBatch {
    private let binding: IndexBinding
    @exclusivity(unchecked) fileprivate var arena = EntryArena()
    @exclusivity(unchecked) fileprivate var growth = EntryNumbers()
    @exclusivity(unchecked) fileprivate var groups: GroupChanges?

    init(_ binding: IndexBinding) {
        self.binding = binding
        groups = binding.hasGroups ? GroupChanges(binding) : nil
    }

    /// About how many bytes it takes.
    var size: Int { arena.size + (groups?.size ?? 0) }

    func add(_ record: RecordView) throws {
        growth.add(try binding.appendEntries(of: record, .add, to: &arena), of: record)
        try groups?.note(record, sign: 1)
        groups?.accept()
    }
}

extension OrderedIndexWriter {
    /// Whether entries can be made in batches: paths are numbered as they come.
    var takesBatches: Bool { paths == nil }

    /// Takes over entries of records that follow those noted before.
    func take(_ batch: EntryBatch) {
        arena.append(contentsOf: batch.arena)
        growth.add(batch.growth)
        if let others = batch.groups { groups?.add(others) }
        settleMark()
    }
}
