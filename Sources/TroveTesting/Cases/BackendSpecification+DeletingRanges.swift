import TroveStorage

extension BackendSpecification {
    /// Removal of ranges, against a model.
    static let deletingRanges: [SpecificationCase] = [
        SpecificationCase("deleteRange.every-pair-of-bounds", "deleteRange removes exactly the entries of the range and says how many.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                for range in everyRange {
                    try writer.deleteRange(.all, in: data)
                    for entry in rangeEntries { try writer.put(entry.key, entry.value, in: data) }
                    let removed = rangeEntries.within(range).count
                    try run.equal(try writer.deleteRange(range, in: data), removed, "the number deleted from \(describe(range))")
                    try run.equal(
                        try writer.entries(in: data), rangeEntries.filter { !range.contains($0.key) }, "what is left without \(describe(range))")
                    try run.equal(try writer.count(in: data), rangeEntries.count - removed, "the count without \(describe(range))")
                }
            }
        },
        SpecificationCase("deleteRange.long-bounds", "deleteRange takes bounds that are longer than any key, among values of every size.") { run in
            let store = try run.open()
            var entries = longEntries
            entries[2].value = .pattern(70_000)
            try store.writing { writer, data in
                for range in longRanges {
                    for entry in entries { try writer.put(entry.key, entry.value, in: data) }
                    let left = entries.filter { !range.contains($0.key) }
                    try run.equal(try writer.deleteRange(range, in: data), entries.count - left.count, "the number deleted from \(describe(range))")
                    try run.equal(try writer.entries(in: data), left, "what is left without \(describe(range))")
                    try run.equal(try writer.count(in: data), left.count, "the count without \(describe(range))")
                }
                for entry in entries { try writer.put(entry.key, entry.value, in: data) }
            }
            try run.equal(try store.entries() ?? [], entries, "the contents after the commit")
        },
        SpecificationCase("deleteRange.large", "Ranges of thousands of entries go, their neighbours stay, and the space takes new entries.") { run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<12_000, valueSize: 90)
            try store.fill(entries)
            var model = SortedModel(entries)
            var generator = SeededGenerator(seed: 21)
            for round in 0..<8 {
                let bounds = [Int.random(in: 0..<12_000, using: &generator), Int.random(in: 0..<12_000, using: &generator)].sorted()
                let range = KeyRange(from: .number(bounds[0]), upTo: .number(bounds[1]))
                let expected = model.deleteRange(range)
                for number in stride(from: bounds[0], to: bounds[1], by: 3) { model.put(.number(number), [UInt8(round)]) }
                try store.writing { writer, data in
                    try run.equal(try writer.deleteRange(range, in: data), expected, "the number deleted in round \(round)")
                    for number in stride(from: bounds[0], to: bounds[1], by: 3) { try writer.put(.number(number), [UInt8(round)], in: data) }
                }
                try run.equal(try store.entries() ?? [], model.entries, "the contents after round \(round)")
            }
        },
        SpecificationCase("deleteRange.everything", "After everything was deleted the keyspace is there, empty and usable.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<5_000))
            try store.writing { writer, data in
                try run.equal(try writer.deleteRange(.all, in: data), 5_000, "the number deleted")
                try run.equal(try writer.deleteRange(.all, in: data), 0, "the number deleted the second time")
                try run.equal(try writer.keys(in: data), [], "the keys left")
            }
            try run.equal(try store.entries(), [], "the keyspace after the commit")
            try store.fill(.numbered(7..<9))
            try run.equal(try store.entries() ?? [], .numbered(7..<9), "the contents put afterwards")
        },
        SpecificationCase("deleteRange.neighbour-keyspaces", "Deleting a range of one keyspace touches no other.") { run in
            let store = try run.open()
            let extremes = [Entry].keyed([[0], [0, 0], [0xFF], [UInt8](repeating: 0xFF, count: 511)])
            for name in ["a", "b", "c"] { try store.fill(extremes, in: name) }
            for range in [KeyRange.all, KeyRange(from: [0xFF]), .prefix([0xFF]), KeyRange(upTo: [0, 0])] {
                try store.write(.buffered) { writer in
                    let middle = try writer.createKeyspace(named: "b")
                    try run.equal(try writer.deleteRange(range, in: middle), extremes.within(range).count, "the number deleted")
                    for entry in extremes { try writer.put(entry.key, entry.value, in: middle) }
                }
                for name in ["a", "b", "c"] { try run.equal(try store.entries(named: name) ?? [], extremes, "the contents of \(name)") }
            }
        },
        SpecificationCase("deleteRange.large-values", "A range with values of many sizes is deleted whole.") { run in
            let store = try run.open()
            let entries = [0, 1, 900, 2_040, 4_090, 20_000, 70_000, 1 << 20].enumerated().map { Entry(.number($0), .pattern($1, seed: $0)) }
            try store.fill(entries)
            try store.writing { writer, data in
                try run.equal(try writer.deleteRange(KeyRange(from: .number(1), upTo: .number(7)), in: data), 6, "the number deleted")
            }
            try run.equal(try store.entries() ?? [], [entries[0], entries[7]], "the contents")
        },
    ]
}
