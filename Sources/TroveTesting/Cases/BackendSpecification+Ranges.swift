import TroveStorage

extension BackendSpecification {
    /// Scans over parts of a keyspace, against a model.
    static let ranges: [SpecificationCase] = [
        SpecificationCase("ranges.every-pair-of-bounds", "A scan visits exactly the keys at or above the lower and below the upper bound.") { run in
            let store = try run.open()
            let entries = rangeEntries
            try store.fill(entries)
            try store.reading { reader, data in
                for range in everyRange {
                    let expected = entries.within(range)
                    try run.equal(try reader.entries(range, in: data), expected, "the scan from \(describe(range))")
                    try run.equal(
                        try reader.entries(range, in: data, order: .descending), expected.reversed(),
                        "the descending scan from \(describe(range))")
                }
            }
        },
        SpecificationCase("ranges.same-in-a-write", "A write transaction scans ranges as a read transaction does.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                for entry in rangeEntries { try writer.put(entry.key, entry.value, in: data) }
                for range in everyRange {
                    let expected = rangeEntries.within(range)
                    try run.equal(try writer.entries(range, in: data), expected, "the scan from \(describe(range))")
                    try run.equal(
                        try writer.entries(range, in: data, order: .descending), expected.reversed(),
                        "the descending scan from \(describe(range))")
                }
            }
        },
        SpecificationCase("ranges.prefix", "A prefix range holds the keys that begin with it, also when it ends in 0xFF.") { run in
            let store = try run.open()
            let keys: [[UInt8]] = [
                [1], [1, 0], [1, 0xFE], [1, 0xFF], [1, 0xFF, 0], [1, 0xFF, 0xFF], [2], [0xFE, 0xFF], [0xFF], [0xFF, 0], [0xFF, 0xFF],
                [0xFF, 0xFF, 1],
            ]
            try store.fill(.keyed(keys))
            try store.reading { reader, data in
                for prefix: [UInt8] in [[], [1], [1, 0xFF], [1, 0xFF, 0xFF], [2], [3], [0xFF], [0xFF, 0xFF], [0xFF, 0xFF, 0xFF]] {
                    let expected = keys.filter { $0.starts(with: prefix) }
                    try run.equal(try reader.keys(.prefix(prefix), in: data), expected, "the keys that begin with \(prefix.hexadecimal)")
                }
            }
        },
        SpecificationCase("ranges.after", "The range after a key leaves the key out and holds the next possible one.") { run in
            let store = try run.open()
            try store.fill(.keyed([[1], [1, 0], [1, 0, 0], [1, 1], [2]]))
            try store.reading { reader, data in
                try run.equal(try reader.keys(.after([1]), in: data), [[1, 0], [1, 0, 0], [1, 1], [2]], "the keys after [1]")
                try run.equal(try reader.keys(.after([1, 0]), in: data), [[1, 0, 0], [1, 1], [2]], "the keys after [1 0]")
                try run.equal(try reader.keys(.after([2]), in: data), [], "the keys after the last")
            }
        },
        SpecificationCase("ranges.nothing-between", "A range whose bounds are equal or crossed holds nothing.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<100))
            try store.reading { reader, data in
                for range in [
                    KeyRange(from: .number(5), upTo: .number(5)), KeyRange(from: .number(9), upTo: .number(5)),
                    KeyRange(from: [], upTo: []), KeyRange(from: .number(5), upTo: []), KeyRange(from: .number(200)),
                    KeyRange(from: [], upTo: [0]),
                ] {
                    try run.equal(try reader.keys(range, in: data), [], "the keys from \(describe(range))")
                    try run.equal(try reader.keys(range, in: data, order: .descending), [], "the keys down from \(describe(range))")
                }
            }
        },
        SpecificationCase("ranges.empty-and-single", "Ranges of an empty keyspace and of one with a single entry are right.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                try run.equal(try writer.keys(in: data), [], "the keys of an empty keyspace")
                try run.equal(try writer.keys(in: data, order: .descending), [], "the keys down an empty keyspace")
                try run.equal(try writer.keys(.prefix([1]), in: data), [], "a prefix of an empty keyspace")
                try writer.put([5], [50], in: data)
                for order in [ScanOrder.ascending, .descending] {
                    try run.equal(try writer.keys(in: data, order: order), [[5]], "the only key")
                    try run.equal(try writer.keys(KeyRange(from: [5]), in: data, order: order), [[5]], "the keys from the only one")
                    try run.equal(try writer.keys(KeyRange(from: [5, 0]), in: data, order: order), [], "the keys above the only one")
                    try run.equal(try writer.keys(KeyRange(upTo: [5]), in: data, order: order), [], "the keys below the only one")
                    try run.equal(try writer.keys(KeyRange(upTo: [5, 0]), in: data, order: order), [[5]], "the keys up to above the only one")
                }
            }
        },
        SpecificationCase("ranges.long-bounds", "A bound may be longer than any key, as the range after the longest key needs.") { run in
            let store = try run.open()
            try store.fill(longEntries)
            try store.reading { reader, data in
                for range in longRanges {
                    let expected = longEntries.within(range)
                    try run.equal(try reader.entries(range, in: data), expected, "the scan from \(describe(range))")
                    try run.equal(
                        try reader.entries(range, in: data, order: .descending), expected.reversed(),
                        "the descending scan from \(describe(range))")
                }
            }
        },
    ]

    /// Keys with gaps, common beginnings and extreme bytes.
    static let rangeEntries = [Entry].keyed([
        [0], [0, 0], [0, 0xFF], [1], [2, 1], [2, 1, 0], [2, 1, 7], [2, 2], [4], [0x80], [0xFE, 0xFF], [0xFF], [0xFF, 0xFF],
    ])

    /// Ranges between all pairs of bounds, present and absent, crossed and equal ones too.
    static let everyRange: [KeyRange] = {
        let bounds: [[UInt8]] = rangeEntries.map(\.key) + [[0, 1], [2], [2, 1, 8], [3], [5], [0x7F, 0xFF], [0xFF, 0xFF, 0]]
        return ([[]] + bounds).flatMap { lower in
            [KeyRange(from: lower)] + ([[]] + bounds).map { KeyRange(from: lower, upTo: $0) }
        }
    }()

    private static let longestKey = [UInt8](repeating: 0x61, count: StorageLimits.maxKeySize)

    /// Keys around the longest one.
    static let longEntries = [Entry].keyed([[0x60], Array(longestKey.dropLast()), longestKey, longestKey.dropLast() + [0x62], [0x62]])

    /// Ranges with bounds of the longest key's length and longer ones, next to it.
    static let longRanges: [KeyRange] = [511, 512, 513, 1_024, 5_000, 70_000].flatMap { (length: Int) -> [KeyRange] in
        let bounds: [[UInt8]] = [
            [UInt8](repeating: 0x61, count: length), longestKey + [UInt8](repeating: 0, count: length - 511),
            longestKey + [UInt8](repeating: 0xFF, count: length - 511),
        ]
        return bounds.flatMap { [KeyRange(from: $0), KeyRange(upTo: $0), KeyRange(from: longestKey, upTo: $0)] }
    }

    static func describe(_ range: KeyRange) -> String {
        "\(range.lower.hexadecimal) to \(range.upper.map(\.hexadecimal) ?? "the end")"
    }
}
