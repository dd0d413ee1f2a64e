import TroveStorage

extension BackendSpecification {
    /// Cursors that no change disturbs: positions, ends and changes of direction.
    static let cursors: [SpecificationCase] = [
        SpecificationCase("cursors.new", "A new cursor is before the first entry.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<3))
            try store.reading { reader, data in
                let cursor = try reader.cursor(in: data)
                try run.equal(try cursor.withEntry { _, _ in }, false, "whether the new cursor is at an entry")
                try run.equal(try cursor.previous(), false, "the step down from before the first")
                try run.equal(try cursor.steppingUp(), .number(0), "the step up from before the first")
                let second = try reader.cursor(in: data)
                try run.equal(try second.steppingUp(), .number(0), "a new cursor's first step up")
            }
        },
        SpecificationCase("cursors.seek", "A seek comes to the key itself or to the next above it, an empty key to the first.") { run in
            let store = try run.open()
            try store.fill(.keyed([[1], [1, 0], [3], [3, 3], [0xFF]]))
            try store.reading { reader, data in
                let cursor = try reader.cursor(in: data)
                let seeks: [([UInt8], [UInt8]?)] = [
                    ([], [1]), ([0], [1]), ([1], [1]), ([1, 0], [1, 0]), ([1, 0, 0], [3]), ([2], [3]), ([3, 2, 9], [3, 3]), ([3, 4], [0xFF]),
                    ([0xFF], [0xFF]), ([0xFF, 0], nil), ([1], [1]),
                ]
                for (key, expected) in seeks {
                    try run.equal(try cursor.seeking(key), expected, "the key that seeking \(key.hexadecimal) comes to")
                }
            }
        },
        SpecificationCase("cursors.seek-long-keys", "A seek takes keys longer than any that can be stored.") { run in
            let store = try run.open()
            let long = [UInt8](repeating: 0x61, count: StorageLimits.maxKeySize)
            try store.fill(.keyed([[0x61], long, [0x62]]))
            try store.reading { reader, data in
                let cursor = try reader.cursor(in: data)
                for count in [510, 511, 512, 513, 2_000, 70_000] {
                    let key = [UInt8](repeating: 0x61, count: count)
                    try run.equal(try cursor.seeking(key), count <= 511 ? long : [0x62], "the key that seeking \(count) bytes comes to")
                }
                try run.equal(try cursor.seeking([UInt8](repeating: 0xFF, count: 600)), nil, "the key above all")
                try run.equal(try cursor.steppingDown(), [0x62], "the step down from after the last")
            }
        },
        SpecificationCase("cursors.ends", "Past an end a cursor stays there, and the way back begins with the entry at that end.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<3))
            try store.reading { reader, data in
                let cursor = try reader.cursor(in: data)
                try run.equal(try cursor.seekToLast() ? cursor.key() : nil, .number(2), "the last key")
                for _ in 0..<3 { try run.equal(try cursor.next(), false, "the step up from the end") }
                try run.equal(try cursor.withEntry { _, _ in }, false, "whether the cursor after the last is at an entry")
                try run.equal(try cursor.steppingDown(), .number(2), "the step down from after the last")
                try run.equal(try cursor.seekToFirst() ? cursor.key() : nil, .number(0), "the first key")
                for _ in 0..<3 { try run.equal(try cursor.previous(), false, "the step down from the first") }
                try run.equal(try cursor.withEntry { _, _ in }, false, "whether the cursor before the first is at an entry")
                try run.equal(try cursor.steppingUp(), .number(0), "the step up from before the first")
                try run.equal(try cursor.seek(to: [UInt8].number(9).span.bytes), false, "a seek above all keys")
                try run.equal(try cursor.next(), false, "the step up after it")
                try run.equal(try cursor.steppingDown(), .number(2), "the step down after it")
            }
        },
        SpecificationCase("cursors.empty-and-single", "A cursor over no entries finds none; over one it finds that from both ends.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                try run.equal(try cursor.next(), false, "a step up in an empty keyspace")
                try run.equal(try cursor.previous(), false, "a step down in an empty keyspace")
                try run.equal(try cursor.seekToFirst(), false, "the first of an empty keyspace")
                try run.equal(try cursor.seekToLast(), false, "the last of an empty keyspace")
                try run.equal(try cursor.seek(to: [UInt8]([5]).span.bytes), false, "a seek in an empty keyspace")
                try writer.put([5], [50], in: data)
                try run.equal(try cursor.seekToFirst() ? cursor.key() : nil, [5], "the first key, which is the only one,")
                try run.equal(try cursor.seekToLast() ? cursor.key() : nil, [5], "the last key, which is the only one,")
                try run.equal(try cursor.next(), false, "the step up from the only entry")
                try run.equal(try cursor.steppingDown(), [5], "the step back")
                try run.equal(try cursor.previous(), false, "the step down from the only entry")
                try run.equal(try cursor.steppingUp(), [5], "the step back up")
            }
        },
        SpecificationCase("cursors.random-walk", "10,000 random moves agree with a model.") { run in
            let store = try run.open()
            var generator = SeededGenerator(seed: 11)
            let model = SortedModel((0..<300).map { _ in Entry(generator.key(1...4), generator.value(0...40)) })
            try store.fill(model.entries)
            try store.reading { reader, data in
                let cursor = try reader.cursor(in: data)
                var position = -1
                for move in 0..<10_000 {
                    switch Int.random(in: 0..<10, using: &generator) {
                    case 0:
                        let key = generator.key(0...5)
                        _ = try cursor.seek(to: key.span.bytes)
                        position = model.position(of: key)
                    case 1 where move % 7 == 0:
                        _ = try cursor.seekToLast()
                        position = model.entries.count - 1
                    case 1, 2, 3, 4, 5:
                        _ = try cursor.next()
                        position = min(position + 1, model.entries.count)
                    default:
                        _ = try cursor.previous()
                        position = max(position - 1, -1)
                    }
                    let expected = model.entries.indices.contains(position) ? model.entries[position] : nil
                    let found = try cursor.entry().map { Entry($0.key, $0.value) }
                    try run.equal(found, expected, "the entry after move \(move)")
                }
            }
        },
        SpecificationCase("cursors.body-errors", "What the body of withEntry throws comes through, and the cursor stays where it is.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.fill([Entry(.number(3), .pattern(70_000))])
            func check(_ cursor: any StorageCursor, _ when: String) throws {
                for number in 2...3 {
                    try run.equal(try cursor.seeking(.number(number)), .number(number), "the key sought \(when)")
                    try run.failsOnPurpose("withEntry \(when)", number: number) {
                        try cursor.withEntry { _, _ in throw SpecificationRun.Deliberate(number: number) }
                    }
                    try run.equal(try cursor.key(), .number(number), "the key at the cursor after the error \(when)")
                    try run.equal(try cursor.steppingUp(), .number(number + 1), "the step up after the error \(when)")
                }
            }
            try store.reading { reader, data in try check(try reader.cursor(in: data), "in a read") }
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                try check(cursor, "in a write")
                // The cursor finds its place anew after a change.
                try writer.put(.number(20), [1], in: data)
                try run.failsOnPurpose("withEntry after a change") { try cursor.withEntry { _, _ in throw SpecificationRun.Deliberate() } }
                try run.equal(try cursor.key(), .number(4), "the key at the cursor after the error after a change")
                try check(cursor, "after a change")
            }
            try run.equal(try store.entries()?.count, 11, "the number of entries after the commit")
        },
        SpecificationCase("cursors.independent", "Cursors over one keyspace and over two move independently.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<100))
            try store.fill(.numbered(50..<150), in: "other")
            try store.reading { reader, data in
                guard let other = try reader.keyspace(named: "other") else { throw MissingKeyspace() }
                let cursors = [try reader.cursor(in: data), try reader.cursor(in: data), try reader.cursor(in: other)]
                _ = try cursors[1].seekToLast()
                _ = try cursors[2].seekToFirst()
                for step in 0..<99 {
                    try run.equal(try cursors[0].steppingUp(), .number(step), "the first cursor's key")
                    try run.equal(try cursors[1].key(), .number(99 - step), "the second cursor's key")
                    try run.equal(try cursors[2].key(), .number(50 + step), "the third cursor's key")
                    _ = try cursors[1].previous()
                    _ = try cursors[2].next()
                }
            }
        },
    ]
}
