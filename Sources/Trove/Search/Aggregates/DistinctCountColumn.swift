/// Counts the different values at a path.
final class DistinctCountColumn: AggregateColumn {
    private let reader: FieldReader
    /// The group's number and the value, for each combination seen.
    private var seen = GroupTable()
    private var counts: [Int] = []
    private var part = ByteWriter(capacity: 64)

    init(_ reader: FieldReader) {
        self.reader = reader
    }

    func add(_ record: RecordView, to group: Int) throws {
        counts.extend(to: group, with: 0)
        if try reader.isNil(record) { return }
        part.count = 0
        part.append(UInt64(group))
        try reader.appendKeyPart(record, ignoringCase: false, direction: .ascending, to: &part)
        let known = seen.count
        _ = try seen.group(of: UnsafeRawBufferPointer(start: part.base, count: part.count))
        if seen.count > known { counts[group] += 1 }
    }

    func result(of group: Int) -> StoredValue { .int(Int64(group < counts.count ? counts[group] : 0)) }
}
