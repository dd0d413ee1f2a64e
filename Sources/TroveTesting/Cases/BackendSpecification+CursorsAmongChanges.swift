import TroveStorage

extension BackendSpecification {
    /// Cursors whose entries come and go: they keep their place, and see what is there now.
    static let cursorsAmongChanges: [SpecificationCase] = [
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
