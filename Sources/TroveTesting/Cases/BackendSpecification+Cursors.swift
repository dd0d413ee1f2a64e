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
        SpecificationCase("cursors.delete-current", "When its entry is deleted, a cursor goes on to the neighbours of the key.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                try run.equal(try cursor.seeking(.number(4)), .number(4), "the key sought")
                try writer.delete(.number(4), in: data)
                try run.equal(try cursor.withEntry { _, _ in }, false, "whether the cursor is at the deleted entry")
                try run.equal(try cursor.steppingUp(), .number(5), "the step up from the deleted entry")
                try writer.delete(.number(5), in: data)
                try run.equal(try cursor.steppingDown(), .number(3), "the step down from the deleted entry")
                try writer.deleteRange(KeyRange(from: .number(2), upTo: .number(8)), in: data)
                try run.equal(try cursor.withEntry { _, _ in }, false, "whether the cursor is at an entry of the deleted range")
                try run.equal(try cursor.steppingUp(), .number(8), "the step up from the deleted range")
                try run.equal(try cursor.steppingDown(), .number(1), "the step down across the deleted range")
            }
        },
        SpecificationCase("cursors.delete-all-visited", "A cursor that deletes every entry it comes to comes to all of them.") { run in
            let store = try run.open()
            for isUpwards in [true, false] {
                try store.fill(.numbered(0..<2_000))
                try store.writing { writer, data in
                    let cursor = try writer.cursor(in: data)
                    if !isUpwards {
                        _ = try cursor.seekToLast()
                        _ = try cursor.next()
                    }
                    var seen: [Int] = []
                    while let key = try isUpwards ? cursor.steppingUp() : cursor.steppingDown() {
                        seen.append(key.asNumber)
                        try writer.delete(key, in: data)
                    }
                    try run.equal(seen, isUpwards ? Array(0..<2_000) : (0..<2_000).reversed(), "the visited keys")
                    try run.equal(try writer.count(in: data), 0, "the number of entries left")
                }
            }
        },
        SpecificationCase("cursors.delete-neighbours", "Entries deleted beside the cursor, by key or in a range, are not visited.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<20))
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                _ = try cursor.seeking(.number(10))
                try writer.delete(.number(11), in: data)
                try writer.delete(.number(9), in: data)
                try run.equal(try cursor.key(), .number(10), "the cursor's own key")
                try run.equal(try cursor.steppingUp(), .number(12), "the step over the deleted entry above")
                try run.equal(try cursor.steppingDown(), .number(10), "the step back")
                try run.equal(try cursor.steppingDown(), .number(8), "the step over the deleted entry below")
                try writer.deleteRange(KeyRange(from: .number(0), upTo: .number(8)), in: data)
                try run.equal(try cursor.previous(), false, "the step down when nothing is left below")
            }
        },
        SpecificationCase("cursors.insert-around", "Entries inserted beside the cursor are visited, those at the ends too.") { run in
            let store = try run.open()
            try store.fill(.numbered([10, 20]))
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                _ = try cursor.seeking(.number(10))
                try writer.put(.number(15), [1], in: data)
                try writer.put(.number(5), [1], in: data)
                try run.equal(try cursor.steppingUp(), .number(15), "the step up to the entry put above")
                try writer.put(.number(12), [1], in: data)
                try run.equal(try cursor.steppingDown(), .number(12), "the step down to the entry put below")
                _ = try cursor.seekToLast()
                try run.equal(try cursor.next(), false, "the step past the last")
                try writer.put(.number(30), [1], in: data)
                try run.equal(try cursor.steppingDown(), .number(30), "the step down from after the last to an entry put there since")
                _ = try cursor.seekToFirst()
                try run.equal(try cursor.previous(), false, "the step before the first")
                try writer.put(.number(1), [1], in: data)
                try run.equal(try cursor.steppingUp(), .number(1), "the step up from before the first to an entry put there since")
            }
        },
        SpecificationCase("cursors.replace-current", "A cursor gives the value its key has now, also after the entry was deleted and put again.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<100))
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                _ = try cursor.seeking(.number(50))
                for size in [3, 5_000, 0, 100_000, 20] {
                    let value = [UInt8].pattern(size, seed: size)
                    try writer.put(.number(50), value, in: data)
                    try run.equal(try cursor.entry()?.value, value, "the value of \(size) bytes put at the cursor")
                }
                try writer.delete(.number(50), in: data)
                try run.equal(try cursor.key(), nil, "the key at the cursor after the delete")
                try writer.put(.number(50), [9], in: data)
                try run.equal(try cursor.entry()?.value, [9], "the value put again")
                try run.equal(try cursor.steppingUp(), .number(51), "the step up")
            }
        },
        SpecificationCase("cursors.big-changes-around", "A cursor keeps its place when thousands of entries come and go around it.") { run in
            let store = try run.open()
            try store.fill([Entry].numbered((0..<100).map { $0 * 1_000 }))
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                _ = try cursor.seeking(.number(50_000))
                for number in 0..<5_000 { try writer.put(.number(number * 20 + 7), .pattern(100, seed: number), in: data) }
                try run.equal(try cursor.key(), .number(50_000), "the cursor's key after the inserts")
                try run.equal(try cursor.steppingUp(), .number(50_007), "the step up")
                try run.equal(try cursor.steppingDown(), .number(50_000), "the step back")
                try run.equal(try cursor.steppingDown(), .number(49_987), "the step down")
                try writer.deleteRange(KeyRange(upTo: .number(90_000)), in: data)
                try run.equal(try cursor.previous(), false, "the step down when all below is deleted")
                try run.equal(try cursor.steppingUp(), .number(90_000), "the step up after it")
            }
        },
        SpecificationCase("cursors.random-changes", "A cursor among random puts, deletes and moves agrees with a model.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                var generator = SeededGenerator(seed: 12)
                var model = SortedModel()
                let cursor = try writer.cursor(in: data)
                var place = ModelCursor()
                for move in 0..<6_000 {
                    let key = generator.key(1...3)
                    switch Int.random(in: 0..<12, using: &generator) {
                    case 0, 1, 2:
                        let value = generator.value(0...300)
                        try writer.put(key, value, in: data)
                        model.put(key, value)
                    case 3, 4:
                        try run.equal(try writer.delete(key, in: data), model.delete(key), "the answer to delete at move \(move)")
                    case 5 where move % 40 == 0:
                        let range = KeyRange(from: key, upTo: generator.key(1...3))
                        try run.equal(try writer.deleteRange(range, in: data), model.deleteRange(range), "the number of deleted entries at move \(move)")
                    case 6:
                        try run.equal(try cursor.seek(to: key.span.bytes), place.seek(to: key, in: model), "the answer to seek at move \(move)")
                    case 7, 8, 9:
                        try run.equal(try cursor.next(), place.next(in: model), "the answer to next at move \(move)")
                    default:
                        try run.equal(try cursor.previous(), place.previous(in: model), "the answer to previous at move \(move)")
                    }
                    let found = try cursor.entry().map { Entry($0.key, $0.value) }
                    try run.equal(found, place.entry(in: model), "the entry at the cursor after move \(move)")
                }
            }
        },
    ]
}
