import TroveStorage

extension BackendSpecification {
    /// Guarantee 1: keys compare as unsigned bytes, of two where one begins the other the shorter is first.
    static let order: [SpecificationCase] = [
        SpecificationCase("order.unsigned-bytes", "The 256 keys of one byte come in the order of unsigned numbers.") { run in
            let entries = (0...255).map { Entry([UInt8($0)], .number($0)) }
            try checkOrder(of: entries, in: run)
        },
        SpecificationCase("order.shorter-first", "A key that begins another one comes before it.") { run in
            let keys: [[UInt8]] = [
                [0], [0, 0], [0, 0, 0], [0, 1], [0, 0xFF], [1], [1, 0], [1, 0, 0xFF], [1, 1], [0x7F], [0x7F, 0xFF], [0x80],
                [0x80, 0], [0xFF], [0xFF, 0], [0xFF, 0xFF], [0xFF, 0xFF, 0], [0xFF, 0xFF, 0xFF],
            ]
            try checkOrder(of: .keyed(keys), in: run)
        },
        SpecificationCase("order.every-length", "Keys of every length from 1 to 511 bytes are kept apart and in order.") { run in
            for byte: UInt8 in [0x00, 0x61, 0xFF] {
                let keys = (1...StorageLimits.maxKeySize).map { [UInt8](repeating: byte, count: $0) }
                try checkOrder(of: .keyed(keys), in: run, keyspace: "byte \(byte)")
            }
        },
        SpecificationCase("order.difference-in-last-byte", "Keys of equal length that differ only in the last byte are told apart.") { run in
            let lengths = [2, 8, 15, 16, 17, 31, 32, 33, 63, 64, 127, 128, 254, 255, 256, 257, 500, 509, 510, 511]
            let keys = lengths.flatMap { length in
                [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF].map { [UInt8](repeating: 0x62, count: length - 1) + [$0] }
            }
            try checkOrder(of: .keyed(keys), in: run)
        },
        SpecificationCase("order.random-keys", "2,000 random keys with common beginnings come in byte order.") { run in
            var generator = SeededGenerator(seed: 1)
            let keys = Set((0..<2_000).map { _ in generator.key(1...24) })
            let longKeys = Set((0..<200).map { _ in generator.key(480...511) })
            // Sorted first: the order of a set is another one in each run, and with it the values and the order of insertion.
            try checkOrder(of: .keyed(keys.union(longKeys).sorted { $0.lexicographicallyPrecedes($1) }), in: run)
        },
        SpecificationCase("order.no-collation", "Keys that look like text or numbers are bytes all the same.") { run in
            let keys = ["1", "10", "2", "-1", "1.0", "A", "B", "a", "b", "Z", "z", "ä", "Ä", "é", "e\u{301}", "ß", "ss", " ", "_", "NULL"]
            try checkOrder(of: .keyed(keys.map { [UInt8]($0) }), in: run)
        },
        SpecificationCase("order.any-insertion-order", "The order of insertion does not show.") { run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<3_000)
            var generator = SeededGenerator(seed: 2)
            try store.fill(entries, in: "ascending")
            try store.fill(entries.reversed(), in: "descending")
            try store.fill(entries.shuffled(using: &generator), in: "shuffled")
            for name in ["ascending", "descending", "shuffled"] {
                try run.equal(try store.entries(named: name) ?? [], entries, "the contents after \(name) insertion")
            }
        },

        SpecificationCase("order.shared-beginnings", "Keys that share a beginning of any length, from none to 510 bytes, come in order and are found.") { run in
            let store = try run.open()
            let longest = [UInt8].pattern(StorageLimits.maxKeySize, seed: 3)
            let keys = Set(
                (0..<StorageLimits.maxKeySize).flatMap { length in
                    let shared = Array(longest[..<length])
                    return [[0x00], [0x01], [0x7F], [0x80], [0xFF]].map { shared + $0 } + (length > 0 ? [shared] : [])
                })
            var generator = SeededGenerator(seed: 17)
            let shuffled = [Entry].keyed(keys.sorted { $0.lexicographicallyPrecedes($1) }.shuffled(using: &generator))
            try store.fill(shuffled)
            let ordered = shuffled.inKeyOrder()
            let reopened = try run.reopen(store)
            try reopened.reading { reader, data in
                try run.equal(try reader.entries(in: data), ordered, "the entries")
                try run.equal(try reader.entries(in: data, order: .descending), ordered.reversed(), "the entries downwards")
                let cursor = try reader.cursor(in: data)
                for (position, entry) in ordered.enumerated() {
                    try run.equal(try cursor.seeking(entry.key), entry.key, "the key found by a seek")
                    try run.equal(
                        try cursor.steppingUp(), position + 1 < ordered.count ? ordered[position + 1].key : nil, "the key above \(entry.key.hexadecimal)")
                }
            }
        },
        SpecificationCase("order.longest-keys", "Keys of the greatest length, and one and two bytes less, are kept apart up to their last byte.") { run in
            let store = try run.open()
            let limit = min(store.capabilities.maxKeySize, 65_536)
            let shared = [UInt8].pattern(limit - 2, seed: 9)
            let keys: [[UInt8]] = [shared] + (0...255).map { shared + [UInt8($0)] }
                + (0...255).flatMap { last in [0x00, 0x7F, 0xFF].map { shared + [$0, UInt8(last)] } }
            let entries = [Entry].keyed(keys)
            try store.fill(entries.reversed())
            let reopened = try run.reopen(store)
            try reopened.reading { reader, data in
                try run.equal(try reader.entries(in: data), entries.inKeyOrder(), "the entries")
                for entry in entries { try run.equal(try reader.value(of: entry.key, in: data), entry.value, "the value of \(entry.key.suffix(3))") }
                // A bound may be longer than any key.
                let above = try reader.keys(KeyRange(from: shared + [0x7F, 0xFF, 0x00]), in: data)
                try run.equal(above.count, 128 + 256, "the number of keys above a bound longer than any key")
            }
        },
    ]

    /// Stores the entries in a random order and checks that scans both ways, cursors both ways and gets agree with byte order.
    private static func checkOrder(of entries: [Entry], in run: SpecificationRun, keyspace name: String = "data") throws {
        let store = try run.open()
        var generator = SeededGenerator(seed: 3)
        let expected = entries.inKeyOrder()
        try store.fill(entries.shuffled(using: &generator), in: name)
        try store.read { reader in
            guard let keyspace = try reader.keyspace(named: name) else { throw MissingKeyspace() }
            try run.equal(try reader.entries(in: keyspace), expected, "the ascending scan")
            try run.equal(try reader.entries(in: keyspace, order: .descending), expected.reversed(), "the descending scan")
            let cursor = try reader.cursor(in: keyspace)
            var upwards: [Entry] = []
            while try cursor.next(), let entry = try cursor.entry() { upwards.append(Entry(entry.key, entry.value)) }
            try run.equal(upwards, expected, "the cursor's way up")
            var downwards: [Entry] = []
            while try cursor.previous(), let entry = try cursor.entry() { downwards.append(Entry(entry.key, entry.value)) }
            try run.equal(downwards, expected.reversed(), "the cursor's way down")
            for entry in entries {
                try run.equal(try reader.value(of: entry.key, in: keyspace), entry.value, "the value of \(entry.key.hexadecimal)")
            }
        }
    }
}
