import TroveStorage

extension BackendSpecification {
    /// What callers say in advance changes how long an answer takes, never the answer.
    static let hints: [SpecificationCase] = [
        SpecificationCase(
            "hints.prefetch-in-a-read", "After keys were announced, a read answers as without, for present, absent and refused keys and for others."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<200) + [Entry([9], .pattern(70_000)), Entry([8], [])])
            let long = store.capabilities.tooLongKey
            try store.reading { reader, data in
                let announced: [[UInt8]] = (150..<250).map { .number($0) } + [[9], [8], []] + [long].compactMap(\.self)
                for round in 1...2 {
                    try reader.prefetch(announced, in: data)
                    try reader.prefetch([], in: data)
                    for number in 0..<250 {
                        try run.equal(
                            try reader.value(of: .number(number), in: data), number < 200 ? .pattern(20, seed: number) : nil,
                            "the value of \(number) in round \(round)")
                    }
                    try run.equal(try reader.value(of: [9], in: data), .pattern(70_000), "the large value")
                    try run.equal(try reader.value(of: [8], in: data), [], "the empty value")
                    try run.fails(with: StorageError.emptyKey, "a get of the empty key that was announced") { try reader.contains([], in: data) }
                    if let long {
                        try run.fails(with: StorageError.keyTooLarge, "a get of the long key that was announced") { try reader.contains(long, in: data) }
                    }
                    try reader.prefetch([.number(1), .number(300)], in: data)
                    var sizes: [Int?] = []
                    try reader.getMany([.number(300), .number(1), .number(2), .number(1)], in: data) { sizes.append($1?.byteCount) }
                    try run.equal(sizes, [nil, 20, 20, 20], "the sizes that getMany gives in round \(round)")
                    try run.equal(try reader.entries(KeyRange(from: .number(198)), in: data).count, 4, "the entries of a scan")
                }
            }
        },
        SpecificationCase(
            "hints.prefetch-in-a-write", "After keys were announced, a write changes and answers as without, whatever was put or removed before or since."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.writing { writer, data in
                try writer.put(.number(1), [1], in: data)
                try writer.remove(.number(2), in: data)
                try writer.prefetch((0..<20).map { .number($0) } + [[]], in: data)
                try run.equal(try writer.value(of: .number(1), in: data), [1], "the value put before")
                try run.equal(try writer.value(of: .number(2), in: data), nil, "the value removed before")
                try run.equal(try writer.insert(.number(3), [3], in: data), false, "the answer to an insert of a present key")
                try run.equal(try writer.insert(.number(12), [12], in: data), true, "the answer to an insert of an absent key")
                try run.equal(try writer.insert(.number(12), [13], in: data), false, "the answer to a second insert")
                try run.equal(try writer.delete(.number(4), in: data), true, "the answer to a delete of a present key")
                try run.equal(try writer.delete(.number(4), in: data), false, "the answer to a second delete")
                try run.equal(try writer.delete(.number(14), in: data), false, "the answer to a delete of an absent key")
                try writer.put(.number(5), [5], in: data)
                try run.equal(try writer.value(of: .number(5), in: data), [5], "the value put since")
                try run.equal(try writer.deleteRange(KeyRange(from: .number(6), upTo: .number(8)), in: data), 2, "the number deleted")
                try run.equal(try writer.value(of: .number(6), in: data), nil, "the value of a deleted range")
                try writer.prefetch([.number(5), .number(6), .number(12)], in: data)
                try run.equal(try writer.value(of: .number(5), in: data), [5], "the value after another announcement")
                try run.equal(try writer.insert(.number(6), [6], in: data), true, "the answer to an insert of a key of the deleted range")
                try run.equal(try writer.count(in: data), 8, "the number of entries")
            }
            let expected = [0, 1, 3, 5, 6, 8, 9, 12]
            try run.equal(try store.entries()?.map(\.key.asNumber), expected, "the keys after the commit")
            try run.equal(
                try store.entries()?.map(\.value.count), [20, 1, 20, 1, 1, 20, 20, 1], "the sizes of the values after the commit")
        },
        SpecificationCase("hints.prefetch-and-savepoints", "What was announced before, inside or after an undone savepoint is answered as it is then.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.writing { writer, data in
                try writer.prefetch([.number(1), .number(2), .number(11)], in: data)
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        try run.equal(try writer.delete(.number(1), in: data), true, "the answer to a delete inside")
                        try writer.put(.number(2), [2], in: data)
                        try run.equal(try writer.insert(.number(11), [11], in: data), true, "the answer to an insert inside")
                        try writer.prefetch([.number(1), .number(3), .number(12)], in: data)
                        try run.equal(try writer.value(of: .number(1), in: data), nil, "the deleted value inside")
                        try run.equal(try writer.insert(.number(12), [12], in: data), true, "another insert inside")
                        try writer.prefetch([.number(1)], in: writer.createKeyspace(named: "undone"))
                        throw SpecificationRun.Deliberate()
                    }
                }
                try writer.prefetch([.number(7)], in: data)
                try run.equal(try writer.value(of: .number(7), in: data), .pattern(20, seed: 7), "a value announced after the rollback")
                try run.equal(try writer.value(of: .number(1), in: data), .pattern(20, seed: 1), "the value whose deletion was undone")
                try run.equal(try writer.value(of: .number(2), in: data), .pattern(20, seed: 2), "the value whose replacement was undone")
                try run.equal(try writer.contains(.number(11), in: data), false, "the presence of what was inserted and undone")
                try run.equal(try writer.insert(.number(12), [13], in: data), true, "the insert after the rollback")
                try writer.savepoint { try writer.remove(.number(3), in: data) }
                try run.equal(try writer.delete(.number(3), in: data), false, "the answer to a delete of what a kept savepoint has removed")
            }
            try run.equal(try store.entries()?.map(\.key.asNumber), [0, 1, 2, 4, 5, 6, 7, 8, 9, 12], "the keys after the commit")
        },
        SpecificationCase("hints.prefetch-many", "Thousands of keys of several keyspaces can be announced at once.") { run in
            let store = try run.open()
            for name in ["data", "other"] { try store.fill(.numbered(0..<3_000, valueSize: 30, seed: name.count), in: name) }
            try store.writing { writer, data in
                guard let other = try writer.keyspace(named: "other") else { throw MissingKeyspace() }
                try writer.prefetch((0..<6_000).map { .number($0) }, in: data)
                try writer.prefetch((0..<6_000).map { .number($0) }, in: other)
                var found = 0
                for number in 0..<6_000 {
                    if try writer.value(of: .number(number), in: data) == .pattern(30, seed: number + 4) { found += 1 }
                    if try writer.value(of: .number(number), in: other) == .pattern(30, seed: number + 5) { found += 1 }
                    if number % 2 == 0 { try writer.remove(.number(number), in: data) }
                }
                try run.equal(found, 6_000, "the number of right values")
                try run.equal(try writer.count(in: data), 1_500, "the number of entries left")
            }
            try run.equal(try store.entries()?.count, 1_500, "the number of entries after the commit")
        },
        SpecificationCase("hints.expecting", "A scan ends where its range ends or its body stops it, however many entries were expected.") { run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<100)
            try store.fill(entries)
            func check(_ reader: any StorageReader, _ data: Keyspace) throws {
                for range in [KeyRange.all, KeyRange(from: .number(10), upTo: .number(60)), KeyRange(from: .number(5), upTo: .number(5))] {
                    for order in [ScanOrder.ascending, .descending] {
                        let all = order == .ascending ? entries.within(range) : entries.within(range).reversed()
                        for expected in [nil, 0, -1, 1, 7, 50, 99, 100, 101, 5_000, Int.max] {
                            var seen: [Entry] = []
                            try reader.scan(range, in: data, order: order, expecting: expected) { key, value in
                                seen.append(Entry([UInt8](copying: key), [UInt8](copying: value)))
                                return .next
                            }
                            let what = "a scan \(order) from \(describe(range)) that expects \(expected.map(String.init) ?? "nothing")"
                            try run.equal(seen, all, what)
                            var steps = 0
                            try reader.scan(range, in: data, order: order, expecting: expected) { _, _ in
                                steps += 1
                                return steps == 3 ? .stop : .next
                            }
                            try run.equal(steps, min(3, all.count), "the steps of \(what) and stops")
                        }
                    }
                }
            }
            try store.reading(check)
            try store.writing { writer, data in
                try check(writer, data)
                try run.failsOnPurpose("the body") {
                    try writer.scan(.all, in: data, order: .ascending, expecting: 2) { _, _ in throw SpecificationRun.Deliberate() }
                }
            }
        },
        SpecificationCase("hints.expecting-while-changing", "A scan that expects few entries sees what its body changes ahead of it.") { run in
            let store = try run.open()
            try store.fill(.numbered(stride(from: 0, to: 100, by: 10)))
            try store.writing { writer, data in
                for order in [ScanOrder.ascending, .descending] {
                    var seen: [Int] = []
                    try writer.scan(.all, in: data, order: order, expecting: 2) { key, _ in
                        let number = [UInt8](copying: key).asNumber
                        seen.append(number)
                        let ahead = order == .ascending ? 1 : -1
                        if number % 10 == 0, number > 0 { try writer.put(.number(number + ahead), [1], in: data) }
                        if number == 20 || number == 70 { try writer.remove(.number(number + 10 * ahead), in: data) }
                        return .next
                    }
                    let expected = order == .ascending
                        ? [0, 10, 11, 20, 21, 40, 41, 50, 51, 60, 61, 70, 71, 90, 91]
                        : [91, 90, 89, 71, 70, 69, 61, 51, 50, 49, 41, 40, 39, 21, 20, 19, 11, 0]
                    try run.equal(seen, expected, "the keys of the \(order) scan")
                }
            }
        },
    ]
}
