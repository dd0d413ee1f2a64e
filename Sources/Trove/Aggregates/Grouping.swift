/// Where a grouping finds the values of one object: in its record, or in its entry of an index.
///
/// Values go by the numbers of the paths that the grouping was made for: those it groups by, then those of the aggregates.
protocol GroupingRow {
    /// Calls `body` with a value, which is valid during the call.
    func withValue<Result>(_ number: Int, _ body: (FieldValue) throws -> Result) throws -> Result

    /// Appends a value as ``KeyPart`` has it, ascending.
    func appendKeyPart(_ number: Int, type: FieldType?, to key: inout ByteWriter) throws

    /// A value as ``KeyPart`` has it, ascending, where it lies; nil where it has to be made.
    func keyPart(_ number: Int) -> UnsafeRawBufferPointer?
}

/// Computes aggregates of the objects it is given, for each combination of the values at some paths.
final class Grouping {
    /// The paths that values are read from, those of the groups first.
    let paths: [FieldPath]
    private let readers: [FieldReader]
    private let keyCount: Int
    /// The aggregates, each with the number of its path, and whether its values have to have an order.
    private let columns: [(number: Int?, column: any AggregateColumn, isOfOrder: Bool)]
    private let model: String
    // As of its columns.
    @exclusivity(unchecked) private var table = NumberedKeys()
    /// The values that the groups have in common, group after group.
    @exclusivity(unchecked) private var keys: [StoredValue] = []
    @exclusivity(unchecked) private var part = ByteWriter(capacity: 128)
    /// How many objects it was given.
    @exclusivity(unchecked) private(set) var objectCount = 0

    /// - Parameter referenced: makes the readers of values behind references; nil when there are none.
    /// - Throws: ``TroveError/unknownField(model:field:known:)``, ``TroveError/unknownPath(model:path:reason:)``,
    ///   ``TroveError/incomparable(model:path:reason:)``.
    init(by keyPaths: [FieldPath], aggregates: [AggregateSpecification], in binding: ModelBinding, _ referenced: ReferencedValues? = nil) throws {
        func makeReader(_ path: FieldPath) throws -> FieldReader { try referenced?.reader(of: path) ?? FieldReader(path, in: binding) }
        var paths = keyPaths
        var readers = try keyPaths.map { try Self.ordered(makeReader($0), of: binding) }
        columns = try aggregates.map { aggregate in
            let (reader, column) = try Self.column(aggregate, of: binding, makeReader)
            guard let reader, let path = aggregate.path else { return (nil, column, false) }
            paths.append(path)
            readers.append(reader)
            return (paths.count - 1, column, reader.type == nil && aggregate.function.isOfOrder)
        }
        keyCount = keyPaths.count
        model = binding.schema.name
        self.paths = paths
        self.readers = readers
    }

    func add(_ record: RecordView) throws { try add(RecordRow(readers: readers, record: record)) }

    func add(_ row: some GroupingRow) throws {
        objectCount += 1
        let known = table.count
        let group = try group(of: row)
        if group == known {
            for number in 0..<keyCount { keys.append(try row.withValue(number) { try $0.storedValue() }) }
        }
        for place in columns.indices {
            guard let number = columns[place].number else { try columns[place].column.add(.null, to: group); continue }
            try row.withValue(number) { value in
                if columns[place].isOfOrder, case .container = value { throw withoutOrder(number) }
                try columns[place].column.add(value, to: group)
            }
        }
    }

    @inline(__always)
    private func group(of row: some GroupingRow) throws -> Int {
        // Without keys there is one group, which is there from the first object on.
        if keyCount == 0, table.count == 1 { return 0 }
        if keyCount == 1, let part = row.keyPart(0) { return try table.number(of: part) }
        part.count = 0
        for number in 0..<keyCount {
            let start = part.count
            try row.appendKeyPart(number, type: readers[number].type, to: &part)
            if readers[number].type == nil, KeyPart.isOfContainer(part.base + start) { throw withoutOrder(number) }
        }
        return try table.number(of: UnsafeRawBufferPointer(start: part.base, count: part.count))
    }

    /// Adds the objects that another grouping by the same paths was given after those of this one.
    func add(_ other: Grouping) throws {
        objectCount += other.objectCount
        var numbers: [Int] = []
        for group in 0..<other.table.count {
            let known = table.count
            let number = try other.table.withKey(of: group) { try table.number(of: $0) }
            if number == known { keys += other.keys[group * keyCount..<(group + 1) * keyCount] }
            numbers.append(number)
        }
        for (own, others) in zip(columns, other.columns) { try own.column.add(others.column, numbers) }
    }

    /// What a document has at a path, which only the value tells, may have no order, and then nothing tells two of them apart.
    private func withoutOrder(_ number: Int) -> TroveError { Self.withoutOrder(model: model, path: paths[number]) }

    static func withoutOrder(model: String, path: FieldPath) -> TroveError {
        .incomparable(
            model: model, path: path.description,
            reason: "one of its values is a list or has values inside, which have no order; name a value inside it")
    }

    /// The groups, ascending by their keys: the values in common and the aggregates.
    func results(_ watch: ReadWatch) throws -> [GroupedValues] {
        var watch = watch
        return try table.sorted(watch).map { group in
            try watch.step()
            return GroupedValues(
                keys: Array(keys[group * keyCount..<(group + 1) * keyCount]),
                aggregates: try columns.map { try $0.column.result(of: group) })
        }
    }

    /// The aggregates of everything, which without paths is one group; also of nothing.
    func totals() throws -> [StoredValue] {
        try columns.map { try $0.column.result(of: 0) }
    }

    /// The column of an aggregate, and the reader of its values; nil for objects, which have none.
    private static func column(
        _ aggregate: AggregateSpecification, of binding: ModelBinding, _ makeReader: (FieldPath) throws -> FieldReader
    ) throws -> (FieldReader?, any AggregateColumn) {
        switch (aggregate.function, aggregate.path) {
        case (.count, _), (_, nil): return (nil, CountColumn())
        case (.sum, let path?), (.average, let path?):
            let reader = try makeReader(path)
            return (reader, try SumColumn(reader, model: binding.schema.name, path: path, isAverage: aggregate.function == .average))
        case (.minimum, let path?), (.maximum, let path?):
            let reader = try ordered(makeReader(path), of: binding)
            return (reader, ExtremeColumn(reader.type, wantsGreatest: aggregate.function == .maximum))
        case (.countDistinct, let path?):
            let reader = try ordered(makeReader(path), of: binding)
            return (reader, DistinctCountColumn(reader.type))
        }
    }

    /// A reader, of values that can be told apart and put in order.
    private static func ordered(_ reader: FieldReader, of binding: ModelBinding) throws -> FieldReader {
        let path = reader.path
        switch reader.type?.unwrapped {
        case .array, .set:
            throw TroveError.incomparable(
                model: binding.schema.name, path: path.description,
                reason: "its values are collections, which have no order; where { $0.\(path).contains(…) }.count() tells how many objects have a member")
        case .dictionary, .codable:
            throw TroveError.incomparable(
                model: binding.schema.name, path: path.description,
                reason: "its values are collections or compound, which have no order; take a value inside of them")
        default: return reader
        }
    }
}

/// A record as what a grouping reads.
private struct RecordRow: GroupingRow {
    let readers: [FieldReader]
    let record: RecordView

    @inline(__always)
    func withValue<Result>(_ number: Int, _ body: (FieldValue) throws -> Result) throws -> Result {
        try readers[number].access.withValue(in: record, body)
    }

    func appendKeyPart(_ number: Int, type: FieldType?, to key: inout ByteWriter) throws {
        try readers[number].appendKeyPart(record, ignoring: [], direction: .ascending, to: &key)
    }

    func keyPart(_ number: Int) -> UnsafeRawBufferPointer? { nil }
}

extension CoveredRow: GroupingRow {}

/// The values that the objects of a group have in common, and the group's aggregates.
struct GroupedValues {
    let keys: [StoredValue]
    let aggregates: [StoredValue]
}
