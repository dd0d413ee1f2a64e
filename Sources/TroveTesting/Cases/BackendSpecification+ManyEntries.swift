import TroveStorage

extension BackendSpecification {
    /// Cursors, ranges and lists of keys over so many entries that no page or leaf holds all: every edge of one is met.
    static let manyEntries: [SpecificationCase] = [
        SpecificationCase(
            "cursors.seek-everywhere", "Among 5,000 entries a seek to each key, and to keys between any two, comes to the right entry, in reads and in writes."
        ) { run in
            let store = try run.open()
            var model = SortedModel(sparse)
            try store.fill(model.entries)
            try store.reading { reader, data in try checkSeeks(reader, data, model, "in a read", run) }
            try store.writing { writer, data in
                try change(&model, writer, data)
                try checkSeeks(writer, data, model, "in a write after changes", run)
            }
            let reopened = try run.reopen(store)
            try reopened.reading { reader, data in try checkSeeks(reader, data, model, "in a read after the commit", run) }
        },
        SpecificationCase(
            "ranges.every-bound-of-many",
            "Among 5,000 entries scans, scans of keys and counts are right for each key, and for keys between any two, as the lower and as the upper bound, in reads and in writes."
        ) { run in
            let store = try run.open()
            var model = SortedModel(sparse)
            try store.fill(model.entries)
            try store.reading { reader, data in try checkBounds(reader, data, model, "in a read", run) }
            try store.writing { writer, data in
                try change(&model, writer, data)
                try checkBounds(writer, data, model, "in a write after changes", run)
            }
        },
        SpecificationCase("cursors.walk-far", "A cursor comes to each of 25,000 entries once, in order, up and down, in a read and in a write.") { run in
            let store = try run.open()
            let count = 25_000
            try store.fill((0..<count).map { Entry(.number($0), .number($0 + 1)) })
            try store.reading { reader, data in try checkWalk(reader, data, 0..<count, "in a read", run) }
            try store.writing { writer, data in
                try writer.put(.number(count), .number(count + 1), in: data)
                try checkWalk(writer, data, 0..<count + 1, "in a write", run)
            }
        },
        SpecificationCase(
            "entries.get-many-thousand",
            "getMany answers 1,000 keys, present and absent, in order and out of order, repeated and of different lengths, in reads and in writes."
        ) { run in
            let store = try run.open()
            var model = SortedModel(sparse)
            try store.fill(model.entries)
            try store.reading { reader, data in try checkLists(reader, data, model, "in a read", run) }
            try store.writing { writer, data in
                try change(&model, writer, data)
                try checkLists(writer, data, model, "in a write after changes", run)
            }
        },
    ]

    /// 5,000 entries with a gap of two numbers between any two.
    private static let sparse = (0..<5_000).map { Entry(.number($0 * 3 + 1), .number($0)) }

    /// Replaces, deletes and inserts entries all over the keyspace.
    private static func change(_ model: inout SortedModel, _ writer: any StorageWriter, _ data: Keyspace) throws {
        for number in stride(from: 0, to: 5_000, by: 7) {
            let (replaced, deleted, inserted) = ([UInt8].number(number * 3 + 1), [UInt8].number(number * 3 + 4), [UInt8].number(number * 3 + 8))
            try writer.put(replaced, [7], in: data)
            model.put(replaced, [7])
            try writer.delete(deleted, in: data)
            _ = model.delete(deleted)
            try writer.put(inserted, [8], in: data)
            model.put(inserted, [8])
        }
    }

    /// The key itself, the least one above it, and one further in the gap.
    private static func keys(at key: [UInt8]) -> [[UInt8]] { [key, key + [0], .number(key.asNumber + 1)] }

    private static func checkSeeks(_ reader: any StorageReader, _ data: Keyspace, _ model: SortedModel, _ when: String, _ run: SpecificationRun) throws {
        let cursor = try reader.cursor(in: data)
        for (position, entry) in model.entries.enumerated() {
            for (number, key) in keys(at: entry.key).enumerated() {
                let next = position + 1 < model.entries.count ? model.entries[position + 1] : nil
                // The key further in the gap may itself be there.
                let expected = number == 0 ? entry : next
                let isFound = try cursor.seek(to: key)
                let found = try cursor.entry().map { Entry($0.key, $0.value) }
                if found == expected && isFound == (expected != nil) { continue }
                try run.equal(found, expected, "the entry that seeking \(key.hexadecimal) comes to \(when), at position \(position) of \(model.entries.count),")
                try run.equal(isFound, expected != nil, "the answer of seeking \(key.hexadecimal) \(when)")
            }
        }
    }

    /// Ranges of a few entries, so that each bound is the lower of one and the upper of another, and ranges that are open at one end.
    private static func checkBounds(_ reader: any StorageReader, _ data: Keyspace, _ model: SortedModel, _ when: String, _ run: SpecificationRun) throws {
        let entries = model.entries
        // With each bound the position of the first entry at or above it.
        var bounds: [(key: [UInt8], position: Int)] = [([], 0)]
        for (position, entry) in entries.enumerated() { bounds += [(entry.key, position), (entry.key + [0], position + 1)] }
        for (number, lower) in bounds.enumerated() {
            let upper = number + 7 < bounds.count ? bounds[number + 7] : nil
            let range = KeyRange(from: lower.key, upTo: upper?.key)
            let expected = Array(entries[lower.position..<(upper?.position ?? entries.count)])
            func check<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
                if found != expected { try run.equal(found, expected, "\(what) from \(describe(range)) \(when)") }
            }
            try check("the scan", try reader.entries(range, in: data), expected)
            try check("the descending scan", try reader.entries(range, in: data, order: .descending), expected.reversed())
            try check("the scan of keys", try keys(range, .ascending, data, reader), expected.map(\.key))
            try check("the descending scan of keys", try keys(range, .descending, data, reader), expected.reversed().map(\.key))
            try check("the count", try reader.count(of: range, in: data), expected.count)
            let above = entries[lower.position...].first.map { [$0.key] } ?? []
            try check(
                "the first key at or above the lower bound, by a scan of keys without an upper one,",
                try keys(KeyRange(from: lower.key), .ascending, data, reader, atMost: 1), above)
            let below = entries[..<lower.position].last.map { [$0.key] } ?? []
            try check(
                "the last key below the lower bound, by a scan of keys without a lower one,",
                try keys(KeyRange(upTo: lower.key), .descending, data, reader, atMost: 1), below)
        }
    }

    private static func checkWalk(_ reader: any StorageReader, _ data: Keyspace, _ numbers: Range<Int>, _ when: String, _ run: SpecificationRun) throws {
        let cursor = try reader.cursor(in: data)
        for upwards in [true, false] {
            let way = upwards ? "up" : "down"
            for step in 0..<numbers.count {
                let expected = upwards ? step : numbers.count - 1 - step
                let isMoved = try upwards ? cursor.next() : cursor.previous()
                var found: (key: Int, value: Int)?
                _ = try cursor.withEntry { found = ([UInt8](copying: $0).asNumber, [UInt8](copying: $1).asNumber) }
                if isMoved, let found, found == (expected, expected + 1) { continue }
                try run.equal(found?.key, expected, "the key after \(step + 1) steps \(way) \(when)")
                try run.equal(found?.value, expected + 1, "the value after \(step + 1) steps \(way) \(when)")
                try run.equal(isMoved, true, "the answer of step \(step + 1) \(way) \(when)")
            }
            try run.equal(try upwards ? cursor.next() : cursor.previous(), false, "the answer of the step \(way) from the last entry \(when)")
        }
    }

    private static func checkLists(_ reader: any StorageReader, _ data: Keyspace, _ model: SortedModel, _ when: String, _ run: SpecificationRun) throws {
        var generator = SeededGenerator(seed: 51)
        let present = (0..<1_000).map { model.entries[$0 * 4].key }
        let mixed = (0..<1_000).map { $0 % 3 == 0 ? [UInt8].number($0 * 9) : model.entries[$0 * 3].key }.sorted { $0.lexicographicallyPrecedes($1) }
        let lists: [(String, [[UInt8]])] = [
            ("present keys in order", present),
            ("present keys in falling order", present.reversed()),
            ("present keys out of order", present.shuffled(using: &generator)),
            ("present and absent keys in order", mixed),
            ("present and absent keys out of order", mixed.shuffled(using: &generator)),
            ("ten keys a hundred times", (0..<1_000).map { mixed[$0 % 10 * 100] }),
            ("one key a thousand times", [[UInt8]](repeating: present[500], count: 1_000)),
            ("absent keys", (0..<1_000).map { .number($0 * 12) }),
            ("keys of different lengths", (0..<1_000).map { present[$0] + [UInt8](repeating: 0, count: $0 % 3) }),
        ]
        for (name, keys) in lists {
            var next = 0
            try reader.getMany(keys, in: data) { position, value in
                if position != next { try run.equal(position, next, "the position of call \(next) of getMany of \(name) \(when)") }
                next += 1
                let found: [UInt8]? = if let value { [UInt8](copying: value) } else { nil }
                let expected = model.value(of: keys[position])
                if found != expected {
                    try run.equal(found, expected, "the value of key \(position) of 1000, \(keys[position].hexadecimal), by getMany of \(name) \(when)")
                }
            }
            try run.equal(next, keys.count, "the number of calls of getMany of \(name) \(when)")
        }
    }

    private static func keys(
        _ range: KeyRange, _ order: ScanOrder, _ data: Keyspace, _ reader: any StorageReader, atMost count: Int = .max
    ) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try reader.scanKeys(range, in: data, order: order, expecting: nil) { key in
            keys.append([UInt8](copying: key))
            return keys.count == count ? .stop : .next
        }
        return keys
    }
}
