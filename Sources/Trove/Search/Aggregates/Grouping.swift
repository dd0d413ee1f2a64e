/// Computes aggregates of the records it is given, for each combination of the values at some paths.
final class Grouping {
    private let keyReaders: [FieldReader]
    private let columns: [any AggregateColumn]
    private var table = GroupTable()
    /// The values that the groups have in common, group after group.
    private var keys: [StoredValue] = []
    private var part = ByteWriter(capacity: 128)

    /// - Throws: ``TroveError/unknownField(model:field:)``, ``TroveError/unknownPath(model:path:reason:)``,
    ///   ``TroveError/incomparable(model:path:reason:)``.
    init(by paths: [FieldPath], aggregates: [(AggregateFunction, FieldPath?)], in binding: ModelBinding) throws {
        keyReaders = try paths.map { try Self.orderedReader($0, in: binding) }
        columns = try aggregates.map { function, path in try Self.column(function, path, in: binding) }
    }

    func add(_ record: RecordView) throws {
        part.count = 0
        for reader in keyReaders {
            try reader.appendKeyPart(record, ignoringCase: false, direction: .ascending, to: &part)
        }
        let known = table.count
        let group = try table.group(of: UnsafeRawBufferPointer(start: part.base, count: part.count))
        if group == known {
            for reader in keyReaders { keys.append(try reader.value(record)) }
        }
        for column in columns { try column.add(record, to: group) }
    }

    /// The groups, ascending by their keys: the values in common and the aggregates.
    func results() throws -> [GroupedValues] {
        try table.sortedGroups().map { group in
            GroupedValues(
                keys: Array(keys[group * keyReaders.count..<(group + 1) * keyReaders.count]),
                aggregates: try columns.map { try $0.result(of: group) })
        }
    }

    /// The aggregates of everything, which without paths is one group; also of nothing.
    func totals() throws -> [StoredValue] {
        try columns.map { try $0.result(of: 0) }
    }

    private static func column(_ function: AggregateFunction, _ path: FieldPath?, in binding: ModelBinding) throws -> any AggregateColumn {
        guard let path else { return CountColumn() }
        return switch function {
        case .count: CountColumn()
        case .sum, .average:
            try SumColumn(FieldReader(path, in: binding), model: binding.schema.name, path: path, isAverage: function == .average)
        case .minimum, .maximum: ExtremeColumn(try orderedReader(path, in: binding), wantsGreatest: function == .maximum)
        case .countDistinct: DistinctCountColumn(try orderedReader(path, in: binding))
        }
    }

    /// A reader of values that can be told apart and put in order.
    private static func orderedReader(_ path: FieldPath, in binding: ModelBinding) throws -> FieldReader {
        let reader = try FieldReader(path, in: binding)
        switch reader.type?.unwrapped {
        case .array, .set, .dictionary, .codable:
            throw TroveError.incomparable(
                model: binding.schema.name, path: path.description, reason: "its values are collections or compound, which have no order")
        default: return reader
        }
    }
}
