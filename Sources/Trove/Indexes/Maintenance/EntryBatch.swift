/// The entries of an ordered index that one of several threads has made of new records, until the index's writer takes them over.
final class EntryBatch {
    private let binding: IndexBinding
    @exclusivity(unchecked) fileprivate var arena = EntryArena()
    @exclusivity(unchecked) fileprivate var growth = 0
    @exclusivity(unchecked) fileprivate var groups: GroupChanges?

    init(_ binding: IndexBinding) {
        self.binding = binding
        groups = binding.hasGroups ? GroupChanges(binding) : nil
    }

    /// About how many bytes it takes.
    var size: Int { arena.size + (groups?.size ?? 0) }

    func add(_ record: RecordView) throws {
        growth += try binding.appendEntries(of: record, .add, to: &arena)
        try groups?.note(record, sign: 1)
        try groups?.accept()
    }
}

extension OrderedIndexWriter {
    /// Whether entries can be made in batches: paths are numbered as they come, and decimals may be added exactly in one order alone.
    var takesBatches: Bool { paths == nil && !binding.fields.sums.contains(where: \.isDecimal) }

    /// Takes over entries of records that follow those noted before.
    func take(_ batch: EntryBatch) throws {
        arena.append(contentsOf: batch.arena)
        growth += batch.growth
        if let others = batch.groups { try groups?.add(others) }
        settleMark()
    }
}
