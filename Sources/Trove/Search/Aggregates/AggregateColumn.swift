/// One aggregate of a query, computed for all groups at once.
protocol AggregateColumn: AnyObject {
    /// Counts an object in.
    func add(_ record: RecordView, to group: Int) throws

    /// The aggregate of a group; of one that no object was added to, the aggregate of nothing.
    func result(of group: Int) throws -> StoredValue
}

/// Counts objects.
final class CountColumn: AggregateColumn {
    private var counts: [Int] = []

    func add(_ record: RecordView, to group: Int) {
        counts.extend(to: group, with: 0)
        counts[group] += 1
    }

    func result(of group: Int) -> StoredValue { .int(Int64(group < counts.count ? counts[group] : 0)) }
}

extension Array {
    /// Makes room for the element at `index`.
    mutating func extend(to index: Int, with value: Element) {
        while count <= index { append(value) }
    }
}
