/// What an index keeps for one combination of its parts' values: an entry of its keyspace of groups, or a change of one.
struct GroupEntry {
    /// How many objects there are; of an index on a collection, how many have the member.
    var count: Int
    var sums: [GroupSum]
    /// The parts' values in the nested encoding, one after the other.
    var values: [UInt8]

    /// - Throws: ``InexactSum``.
    mutating func add(_ other: GroupEntry) throws {
        count &+= other.count
        for position in sums.indices { try sums[position].add(other.sums[position]) }
    }

    func encode(_ fields: IndexFields) throws -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        bytes.append(Int64(count).littleEndian)
        for (sum, field) in zip(sums, fields.sums) { try sum.encode(into: &bytes, isDecimal: field.isDecimal) }
        values.withUnsafeBytes { bytes.append($0) }
        return bytes.bytes()
    }

    init(count: Int, sums: [GroupSum], values: [UInt8]) {
        self.count = count
        self.sums = sums
        self.values = values
    }

    /// - Throws: ``TroveError/corruptValue(reason:)``.
    init(_ value: RawSpan, _ fields: IndexFields) throws {
        self = try value.withUnsafeBytes { buffer in
            var bytes = ByteReader(buffer)
            let count = Int(try bytes.integer(Int64.self))
            guard count >= 0 else { throw TroveError.corruptValue(reason: "a group of \(count) objects") }
            let sums = try fields.sums.map { try GroupSum(from: &bytes, isDecimal: $0.isDecimal) }
            return GroupEntry(count: count, sums: sums, values: try bytes.take(bytes.remaining) { [UInt8]($0) })
        }
    }

    /// The parts' values.
    func storedValues(_ count: Int) throws -> [StoredValue] {
        try values.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            return try (0..<count).map { _ in try StoredValue.decodeNested(from: &reader) }
        }
    }
}
