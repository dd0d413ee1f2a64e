/// Numbers byte strings in the order of their first appearance: a hash table whose keys lie in one piece of memory.
///
/// A dictionary of arrays would allocate for each lookup; this one copies a key when it is new and nothing else.
struct GroupTable: ~Copyable {
    /// The keys, one after the other.
    private var keys = ByteWriter(capacity: 1_024)
    /// Where each group's key ends; it begins where the one before ends.
    private var ends: [Int] = []
    private var hashes: [UInt64] = []
    /// Group numbers plus 1 by hash, 0 for a free slot; a power of two of them, at most half full.
    private var slots = [Int32](repeating: 0, count: 64)

    init() {}

    /// The number of groups.
    var count: Int { ends.count }

    /// The number of the group with this key, a new one when there is none.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` beyond 2^31 groups.
    mutating func group(of key: UnsafeRawBufferPointer) throws -> Int {
        let hash = Checksum.hash(key)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let group = Int(slots[slot]) - 1
            if hashes[group] == hash, isEqual(group, key) { return group }
            slot = (slot + 1) & (slots.count - 1)
        }
        guard count < Int(Int32.max) - 1 else { throw TroveError.invalidQuery(reason: "it has more than two thousand million groups") }
        keys.append(key)
        ends.append(keys.count)
        hashes.append(hash)
        slots[slot] = Int32(count)
        if count * 2 > slots.count { grow() }
        return count - 1
    }

    /// The group's key.
    func key(of group: Int) -> [UInt8] {
        withKey(of: group) { [UInt8]($0) }
    }

    /// The groups in the order of their keys' bytes.
    func sortedGroups() -> [Int] {
        (0..<count).sorted { left, right in
            withKey(of: left) { left in withKey(of: right) { right in left.lexicographicallyPrecedes(right) } }
        }
    }

    private func withKey<Result>(of group: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = group == 0 ? 0 : ends[group - 1]
        return body(UnsafeRawBufferPointer(start: keys.base + start, count: ends[group] - start))
    }

    private func isEqual(_ group: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        withKey(of: group) { $0.elementsEqual(key) }
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: slots.count * 2)
        for (group, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(group + 1)
        }
    }
}

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

/// The values that the objects of a group have in common, and the group's aggregates.
struct GroupedValues {
    let keys: [StoredValue]
    let aggregates: [StoredValue]
}
