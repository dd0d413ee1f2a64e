/// Finds the least or greatest value at a path.
final class ExtremeColumn: AggregateColumn {
    private let reader: FieldReader
    private let wantsGreatest: Bool
    private var parts: [[UInt8]] = []
    private var values: [StoredValue] = []
    private var part = ByteWriter(capacity: 64)

    init(_ reader: FieldReader, wantsGreatest: Bool) {
        self.reader = reader
        self.wantsGreatest = wantsGreatest
    }

    func add(_ record: RecordView, to group: Int) throws {
        parts.extend(to: group, with: [])
        values.extend(to: group, with: .null)
        if try reader.isNil(record) { return }
        part.count = 0
        try reader.appendKeyPart(record, ignoringCase: false, direction: .ascending, to: &part)
        let found = UnsafeRawBufferPointer(start: part.base, count: part.count)
        let isBetter = wantsGreatest ? parts[group].lexicographicallyPrecedes(found) : found.lexicographicallyPrecedes(parts[group])
        guard parts[group].isEmpty || isBetter else { return }
        parts[group] = [UInt8](found)
        values[group] = try reader.value(record)
    }

    func result(of group: Int) -> StoredValue { group < values.count ? values[group] : .null }
}
