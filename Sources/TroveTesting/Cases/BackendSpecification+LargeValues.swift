import TroveStorage

extension BackendSpecification {
    /// Values around the sizes where engines change how they store them.
    static let largeValues: [SpecificationCase] = [
        SpecificationCase("largeValues.page-boundaries", "Values of every size around page boundaries come back whole, by get and by scan.") { run in
            let store = try run.open()
            let entries = boundarySizes.enumerated().map { Entry(.number($0), .pattern($1, seed: $0)) }
            try store.fill(entries)
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries() ?? [], entries, "the contents by a scan")
            try reopened.reading { reader, data in
                for entry in entries {
                    try run.equal(try reader.value(of: entry.key, in: data), entry.value, "the value of \(entry.value.count) bytes")
                }
                try run.equal(try reader.entries(in: data, order: .descending), entries.reversed(), "the contents by a descending scan")
            }
        },
        SpecificationCase("largeValues.long-keys", "The same sizes under keys of 511 bytes come back whole.") { run in
            let store = try run.open()
            let entries = boundarySizes.enumerated().map { index, size in
                Entry([UInt8](repeating: 0x6B, count: 507) + [UInt8].number(index), .pattern(size, seed: index))
            }
            try store.fill(entries)
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries() ?? [], entries, "the contents")
        },
        SpecificationCase("largeValues.replaced", "Values grow and shrink across the boundaries, in one transaction and in many.") { run in
            let store = try run.open()
            var model = SortedModel()
            var generator = SeededGenerator(seed: 31)
            for round in 0..<30 {
                let changes = (0..<20).map { _ in
                    let size = boundarySizes[Int.random(in: 0..<boundarySizes.count, using: &generator)]
                    return Entry(.number(Int.random(in: 0..<12, using: &generator)), .pattern(size, seed: round))
                }
                try store.fill(changes, durability: .relaxed)
                for change in changes { model.put(change.key, change.value) }
                try run.equal(try store.entries() ?? [], model.entries, "the contents after round \(round)")
            }
        },
        SpecificationCase("largeValues.twenty-mebibytes", "A value of 20 MiB is stored, read, replaced, rolled back and deleted.") { run in
            let store = try run.open()
            let first = [UInt8].pattern(20 << 20, seed: 1)
            let second = [UInt8].pattern((20 << 20) + 1, seed: 2)
            try store.fill([Entry([1], first), Entry([2], [2])])
            try run.failsOnPurpose("the write") {
                try store.writing { writer, data in
                    try writer.put([1], second, in: data)
                    try run.equal(try writer.value(of: [1], in: data), second, "the second value inside the write")
                    throw SpecificationRun.Deliberate()
                }
            }
            try store.reading { reader, data in
                try run.equal(try reader.value(of: [1], in: data), first, "the first value after the rollback")
            }
            try store.fill([Entry([1], second)])
            let reopened = try run.reopen(store)
            try reopened.reading { reader, data in
                try run.equal(try reader.value(of: [1], in: data), second, "the second value after opening again")
            }
            try reopened.writing { writer, data in
                try run.equal(try writer.delete([1], in: data), true, "the answer to delete")
            }
            try run.equal(try reopened.entries() ?? [], [Entry([2], [2])], "the contents after the delete")
        },
        SpecificationCase("largeValues.many", "200 values of 64 KiB are written in one transaction, read in order, and deleted with their neighbours left.") {
            run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<200, valueSize: 64 << 10)
            try store.fill(entries)
            try run.equal(try store.entries() ?? [], entries, "the contents")
            try store.writing { writer, data in
                for number in 0..<200 where number % 4 != 0 { try writer.delete(.number(number), in: data) }
            }
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries() ?? [], entries.filter { $0.key.asNumber % 4 == 0 }, "the contents after the deletes")
        },
        SpecificationCase("largeValues.borrowed-bytes", "Inside a read the bytes of several values are right at the same time.") { run in
            let store = try run.open()
            let sizes = [10, 1_000, 5_000, 100_000, 1 << 20]
            let entries = sizes.enumerated().map { Entry(.number($0), .pattern($1, seed: $0)) }
            try store.fill(entries)
            try store.reading { reader, data in
                func nest(_ index: Int, _ check: () throws -> Void) throws {
                    guard index < entries.count else { return try check() }
                    let entry = entries[index]
                    _ = try reader.get(entry.key.span.bytes, in: data) { value in
                        // Gets inside this body must leave these bytes alone.
                        try nest(index + 1, check)
                        try run.equal([UInt8](copying: value), entry.value, "the value of \(sizes[index]) bytes after inner gets")
                    }
                }
                try nest(0) {
                    try run.equal(try reader.entries(in: data), entries, "the contents by a scan inside the gets")
                }
            }
        },

        SpecificationCase(
            "largeValues.every-page-multiple", "Values some bytes around each multiple of 4,096 and 16,384 bytes come back whole, and neighbours stay."
        ) { run in
            var store = try run.open()
            let around = [-17, -16, -9, -8, -1, 0, 1, 8, 16]
            let multiples = (1...20).map { $0 * 4_096 } + (6...16).map { $0 * 16_384 }
            let entries = multiples.flatMap { size in around.map { size + $0 } }.enumerated().flatMap { index, size in
                [Entry(.number(2 * index), .pattern(size, seed: index)), Entry(.number(2 * index + 1), .number(index))]
            }
            try store.fill(entries)
            store = try run.reopen(store)
            try run.equal(try store.entries() ?? [], entries, "the contents")
            try store.writing { writer, data in
                for index in stride(from: 0, to: entries.count, by: 6) { try writer.delete(entries[index].key, in: data) }
            }
            let left = entries.enumerated().filter { $0.offset % 6 != 0 }.map(\.element)
            store = try run.reopen(store)
            try run.equal(try store.entries() ?? [], left, "the contents after a third of the large values was deleted")
        },
        SpecificationCase(
            "largeValues.some-mebibytes",
            "Values of 1 to 8 MiB, a byte more and less, are stored under savepoints, replaced by small ones, and gone after a rollback."
        ) { run in
            let store = try run.open()
            let sizes = [1, 2, 3, 5, 8].flatMap { (count: Int) -> [Int] in [count << 20, (count << 20) - 1, (count << 20) + 1] }
            try store.writing { writer, data in
                for (index, size) in sizes.enumerated() {
                    do {
                        try writer.savepoint {
                            try writer.put(.number(index), .pattern(size, seed: index), in: data)
                            if index % 3 == 1 { throw SpecificationRun.Deliberate() }
                        }
                    } catch is SpecificationRun.Deliberate {}
                }
                try writer.put(.number(0), [1], in: data)
            }
            let kept = sizes.enumerated().filter { $0.offset % 3 != 1 }
                .map { Entry(.number($0.offset), $0.offset == 0 ? [1] : .pattern($0.element, seed: $0.offset)) }
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries() ?? [], kept, "the contents after opening again")
        },
    ]

    /// Sizes beside the boundaries of pages, overflow pages and length fields, and some well beyond.
    private static let boundarySizes =
        [0, 1, 2, 3, 126, 127, 128, 129, 254, 255, 256, 257, 510, 511, 512, 513] + Array(1_000...1_030) + Array(2_030...2_052)
        + Array(4_070...4_100) + Array(8_180...8_196) + [16_300, 16_383, 16_384, 16_385, 32_767, 32_768, 65_535, 65_536, 65_537, 1 << 20]
}
