import TroveStorage

extension BackendSpecification {
    /// Single entries: get, getMany, put, insert, delete, count.
    static let entries: [SpecificationCase] = [
        SpecificationCase("entries.get-exact", "A get finds the key itself and no other that begins it or that it begins.") { run in
            let store = try run.open()
            try store.fill([Entry([1, 2], [9]), Entry([1, 2, 3, 4], [8])])
            try store.reading { reader, data in
                for key: [UInt8] in [[1], [1, 2, 3], [1, 2, 0], [1, 2, 3, 4, 0], [2]] {
                    var isCalled = false
                    let isFound = try reader.get(key.span.bytes, in: data) { _ in isCalled = true }
                    try run.equal(isFound, false, "the answer to a get of the absent key \(key.hexadecimal)")
                    try run.equal(isCalled, false, "whether a get of the absent key \(key.hexadecimal) gives a value")
                    try run.equal(try reader.contains(key, in: data), false, "the presence of \(key.hexadecimal)")
                }
                try run.equal(try reader.value(of: [1, 2], in: data), [9], "the value of [1 2]")
                try run.equal(try reader.value(of: [1, 2, 3, 4], in: data), [8], "the value of [1 2 3 4]")
            }
        },
        SpecificationCase("entries.put-replaces", "A put replaces the value, whatever the sizes of the old and the new.") { run in
            let store = try run.open()
            let sizes = [0, 1, 100, 3_000, 2, 70_000, 5_000, 0, 70_000, 90]
            for (round, size) in sizes.enumerated() {
                let value = [UInt8].pattern(size, seed: round)
                try store.writing { writer, data in
                    try writer.put([7], value, in: data)
                    try run.equal(try writer.value(of: [7], in: data), value, "the value of \(size) bytes inside the write")
                }
                try store.reading { reader, data in
                    try run.equal(try reader.value(of: [7], in: data), value, "the value of \(size) bytes after the write")
                    try run.equal(try reader.count(in: data), 1, "the number of entries")
                }
            }
        },
        SpecificationCase("entries.empty-value", "An empty value is a value, not an absent one.") { run in
            let store = try run.open()
            try store.fill([Entry([1], []), Entry([2], [0])])
            let reopened = try run.reopen(store)
            try reopened.reading { reader, data in
                try run.equal(try reader.value(of: [1], in: data), [], "the empty value")
                try run.equal(try reader.contains([1], in: data), true, "the presence of the entry with an empty value")
                try run.equal(try reader.entries(in: data), [Entry([1], []), Entry([2], [0])], "the scan")
                var seen: [Int?] = []
                try reader.getMany([[1], [3]], in: data) { _, value in seen.append(value?.byteCount) }
                try run.equal(seen, [0, nil], "the sizes getMany gives")
            }
        },
        SpecificationCase("entries.insert", "An insert stores when the key is absent, otherwise changes nothing and says so.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                try run.equal(try writer.insert([1], [10], in: data), true, "the first insert's answer")
                try run.equal(try writer.insert([1], [20], in: data), false, "the second insert's answer")
                try run.equal(try writer.value(of: [1], in: data), [10], "the value after the refused insert")
                try writer.delete([1], in: data)
                try run.equal(try writer.insert([1], [30], in: data), true, "the answer after a delete")
            }
            try store.writing { writer, data in
                try run.equal(try writer.insert([1], [40], in: data), false, "the answer in a later transaction")
                try run.equal(try writer.insert([2], [50], in: data), true, "the answer for a new key")
            }
            try run.equal(try store.entries() ?? [], [Entry([1], [30]), Entry([2], [50])], "the contents")
        },
        SpecificationCase("entries.delete", "A delete says whether there was an entry, and removes no other.") { run in
            let store = try run.open()
            try store.fill([Entry([1], [1]), Entry([1, 0], [2]), Entry([2], [3])])
            try store.writing { writer, data in
                try run.equal(try writer.delete([1], in: data), true, "the answer for a present key")
                try run.equal(try writer.delete([1], in: data), false, "the answer for the deleted key")
                try run.equal(try writer.delete([3], in: data), false, "the answer for an absent key")
                try run.equal(try writer.value(of: [1], in: data), nil, "the deleted value")
            }
            try run.equal(try store.entries() ?? [], [Entry([1, 0], [2]), Entry([2], [3])], "the contents")
        },
        SpecificationCase("entries.get-many", "getMany answers once for each key, in the order of the keys, repeated and absent ones included.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<500))
            try store.reading { reader, data in
                let numbers = [499, 3, 3, 1_000, 0, 250, 777, 3]
                var positions: [Int] = []
                var values: [[UInt8]?] = []
                try reader.getMany(numbers.map { .number($0) }, in: data) { position, value in
                    positions.append(position)
                    if let value { values.append([UInt8](copying: value)) } else { values.append(nil) }
                }
                try run.equal(positions, Array(numbers.indices), "the positions")
                try run.equal(values, numbers.map { $0 < 500 ? .pattern(20, seed: $0) : nil }, "the values")
                try reader.getMany([], in: data) { position, _ in
                    throw run.failure("no call for no keys", found: "a call for position \(position)")
                }
            }
        },
        SpecificationCase("entries.get-many-stops", "getMany ends where its body says so, among present and absent keys, in reads and in writes.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<20))
            func check(_ reader: any StorageReader, _ data: Keyspace) throws {
                let numbers = [40, 3, 41, 2, 19, 42]
                for last in numbers.indices {
                    var seen: [Int] = []
                    try reader.getMany(KeyList(numbers.map { .number($0) }), in: data) { position, value in
                        try run.equal(value != nil, numbers[position] < 20, "the presence of key \(numbers[position])")
                        seen.append(position)
                        return position == last ? .stop : .next
                    }
                    try run.equal(seen, Array(0...last), "the positions of a getMany that ends at \(last)")
                }
            }
            try store.reading(check)
            try store.writing(check)
        },
        SpecificationCase(
            "entries.get-many-inside",
            "The body of getMany may use the transaction: further lookups and scans, and in a write changes of what it has been given."
        ) { run in
            let store = try run.open()
            let sizes = [0, 1, 300, 5_000, 70_000]
            try store.writing { writer, data in
                for number in 0..<50 {
                    try writer.put(.number(number) + .pattern(number % 7, seed: 1), .pattern(sizes[number % sizes.count], seed: number), in: data)
                }
            }
            let keys = (0..<60).map { [UInt8].number($0) + .pattern($0 % 7, seed: 1) }
            func copied(_ value: RawSpan?) -> [UInt8]? { if let value { [UInt8](copying: value) } else { nil } }
            func expected(_ number: Int) -> [UInt8]? { number < 50 ? .pattern(sizes[number % sizes.count], seed: number) : nil }
            try store.reading { reader, data in
                var count = 0
                try reader.getMany(keys, in: data) { position, value in
                    var inner: [[UInt8]?] = []
                    try reader.getMany([keys[55], keys[position], keys[0], keys[3], keys[4]], in: data) { _, value in inner.append(copied(value)) }
                    try run.equal(inner, [nil, expected(position), expected(0), expected(3), expected(4)], "the values of a getMany inside of another one")
                    if position == 30 { try run.equal(try reader.keys(in: data).count, 50, "the keys of a scan inside of a getMany") }
                    try run.equal(copied(value), expected(position), "the value, after what happened inside")
                    count += 1
                }
                try run.equal(count, keys.count, "the calls")
                try run.failsOnPurpose("getMany") {
                    try reader.getMany(keys, in: data) { position, _ in
                        if position == 20 { throw SpecificationRun.Deliberate() }
                    }
                }
                try run.equal(try reader.value(of: keys[2], in: data), expected(2), "a value after an error of a body")
            }
            try store.writing { writer, data in
                try writer.getMany(keys, in: data) { position, value in
                    try run.equal(copied(value), expected(position), "a value, where the body changes those before it")
                    if position % 3 == 0 {
                        try writer.put(keys[position], .pattern(900, seed: position), in: data)
                    } else {
                        try writer.delete(keys[position], in: data)
                    }
                }
                try run.equal(try writer.count(in: data), keys.count / 3, "the number of entries")
            }
        },
        SpecificationCase("entries.body-errors", "What the body of a get or getMany throws comes through, and the transaction goes on.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.writing { writer, data in
                try run.failsOnPurpose("get") {
                    try writer.get([UInt8].number(1).span.bytes, in: data) { _ in throw SpecificationRun.Deliberate() }
                }
                var calls = 0
                try run.failsOnPurpose("getMany") {
                    try writer.getMany([.number(1), .number(2), .number(3)], in: data) { _, _ in
                        calls += 1
                        if calls == 2 { throw SpecificationRun.Deliberate() }
                    }
                }
                try run.equal(calls, 2, "the calls of getMany's body")
                try writer.put([1], [2], in: data)
            }
            try run.equal(try store.entries()?.count, 11, "the number of entries after the commit")
        },
        SpecificationCase("entries.count", "The count is exact after every kind of change, inside the write and after it.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                try run.equal(try writer.count(in: data), 0, "the count of an empty keyspace")
                for number in 0..<1_000 { try writer.put(.number(number), [1], in: data) }
                for number in 0..<500 { try writer.put(.number(number), [2], in: data) }
                try run.equal(try writer.count(in: data), 1_000, "the count after 1,000 puts and 500 replacements")
                _ = try writer.insert(.number(5), [3], in: data)
                _ = try writer.insert(.number(5_000), [3], in: data)
                try run.equal(try writer.count(in: data), 1_001, "the count after a refused and an accepted insert")
                try writer.delete(.number(5_000), in: data)
                try writer.delete(.number(6_000), in: data)
                try run.equal(try writer.count(in: data), 1_000, "the count after deletes of a present and an absent key")
                try writer.deleteRange(KeyRange(from: .number(100), upTo: .number(300)), in: data)
                try run.equal(try writer.count(in: data), 800, "the count after deleting a range")
            }
            try store.reading { reader, data in try run.equal(try reader.count(in: data), 800, "the count after the commit") }
            let reopened = try run.reopen(store)
            try reopened.reading { reader, data in try run.equal(try reader.count(in: data), 800, "the count after opening again") }
        },
        SpecificationCase("entries.read-your-writes", "A write body sees its own changes through every way of reading.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                try writer.put(.number(3), [33], in: data)
                try writer.put(.number(20), [20], in: data)
                try writer.delete(.number(5), in: data)
                try run.equal(try writer.value(of: .number(3), in: data), [33], "the value by get")
                try run.equal(try writer.contains(.number(5), in: data), false, "the presence of the deleted key")
                try run.equal(try writer.keys(in: data).map(\.asNumber), [0, 1, 2, 3, 4, 6, 7, 8, 9, 20], "the keys by scan")
                try run.equal(try cursor.seeking(.number(5)), .number(6), "the key by the cursor that was open before")
                try run.equal(try cursor.seekToLast() ? cursor.key() : nil, .number(20), "the last key by the cursor")
                var isThere: [Bool] = []
                try writer.getMany([.number(5), .number(20)], in: data) { isThere.append($1 != nil) }
                try run.equal(isThere, [false, true], "the presence by getMany")
            }
        },
    ]
}
