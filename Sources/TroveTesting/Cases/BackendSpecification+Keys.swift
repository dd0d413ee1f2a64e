import TroveStorage

extension BackendSpecification {
    /// Keys without values, numbers without entries, removal without an answer.
    static let keys: [SpecificationCase] = [
        SpecificationCase("keys.every-pair-of-bounds", "A scan of keys visits the keys that a scan visits, both ways, in a read and in a write.") { run in
            let store = try run.open()
            func check(_ reader: any StorageReader, _ data: Keyspace) throws {
                for range in everyRange {
                    let expected = rangeEntries.within(range).map(\.key)
                    try run.equal(try keys(range, .ascending, data, reader), expected, "the keys from \(describe(range))")
                    try run.equal(try keys(range, .descending, data, reader), expected.reversed(), "the keys down from \(describe(range))")
                }
            }
            try store.writing { writer, data in
                for entry in rangeEntries { try writer.put(entry.key, entry.value, in: data) }
                try check(writer, data)
            }
            try store.reading(check)
        },
        SpecificationCase("keys.large-values", "A scan of keys passes values of every size.") { run in
            let store = try run.open()
            let sizes = [0, 1, 400, 5_000, 70_000, 3, 300_000]
            try store.fill(sizes.enumerated().map { Entry(.number($0), .pattern($1)) })
            try store.reading { reader, data in
                try run.equal(try keys(.all, .ascending, data, reader).map(\.asNumber), Array(sizes.indices), "the keys")
                try run.equal(try keys(.all, .descending, data, reader).map(\.asNumber), sizes.indices.reversed(), "the keys down")
                try run.equal(try reader.count(of: KeyRange(from: .number(2), upTo: .number(6)), in: data), 4, "the count of a range")
            }
        },
        SpecificationCase("keys.stopping", "A scan of keys stops when it is told to, expects what it is told, and lets errors through.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<1_000))
            try store.writing { writer, data in
                for expected in [nil, 1, 5, 6, 10_000] {
                    var seen = 0
                    try writer.scanKeys(KeyRange(from: .number(3)), in: data, order: .ascending, expecting: expected) { _ in
                        seen += 1
                        return seen == 5 ? .stop : .next
                    }
                    try run.equal(seen, 5, "the keys seen")
                    try run.equal(try keys(.all, .descending, data, writer, expecting: expected).count, 1_000, "the keys of all")
                }
                try run.failsOnPurpose("the body") { try writer.scanKeys(in: data) { _ in throw SpecificationRun.Deliberate() } }
                try writer.put(.number(1_000), [1], in: data)
            }
            try run.equal(try store.entries()?.count, 1_001, "the number of entries after the commit")
        },
        SpecificationCase("keys.while-changing", "A scan of keys goes on with the next key as the keyspace is after what its body has changed.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<50))
            try store.writing { writer, data in
                var seen: [Int] = []
                try writer.scanKeys(in: data) { key in
                    let key = [UInt8](copying: key)
                    let number = key.asNumber
                    seen.append(number)
                    try writer.delete(key, in: data)
                    if number == 10 { try writer.deleteRange(KeyRange(from: .number(15), upTo: .number(45)), in: data) }
                    if number == 12 { try writer.put(.number(20), [1], in: data) }
                    if number == 14 {
                        try run.failsOnPurpose("the savepoint") {
                            try writer.savepoint {
                                try writer.put(.number(21), [1], in: data)
                                throw SpecificationRun.Deliberate()
                            }
                        }
                    }
                    return .next
                }
                try run.equal(seen, Array(0..<15) + [20] + Array(45..<50), "the keys seen")
                try run.equal(try writer.count(of: .all, in: data), 0, "the count afterwards")
            }
        },
        SpecificationCase("keys.count-of-ranges", "The count of a range is that of the entries a scan visits, whatever was changed, in savepoints too.") {
            run in
            let store = try run.open()
            var model = SortedModel(rangeEntries)
            func check(_ reader: any StorageReader, _ data: Keyspace, _ when: String) throws {
                for range in everyRange {
                    try run.equal(
                        try reader.count(of: range, in: data), model.entries.within(range).count, "the count from \(describe(range)) \(when)")
                }
            }
            try store.fill(rangeEntries)
            try store.reading { try check($0, $1, "in a read") }
            try store.writing { writer, data in
                // The body may run more than once.
                model = SortedModel(rangeEntries)
                try check(writer, data, "before changes")
                let before = model
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        for key: [UInt8] in [[3], [0xFF, 0], [2, 1]] {
                            try writer.put(key, [1], in: data)
                            model.put(key, [1])
                        }
                        for key: [UInt8] in [[1], [4], [5]] {
                            try writer.remove(key, in: data)
                            _ = model.delete(key)
                        }
                        try check(writer, data, "inside a savepoint")
                        throw SpecificationRun.Deliberate()
                    }
                }
                model = before
                try check(writer, data, "after a rollback")
                try writer.put([2], [1], in: data)
                try writer.deleteRange(KeyRange(from: [2, 1], upTo: [3]), in: data)
                _ = try writer.insert([2, 2], [1], in: data)
                model.put([2], [1])
                _ = model.deleteRange(KeyRange(from: [2, 1], upTo: [3]))
                model.put([2, 2], [1])
                try check(writer, data, "after changes")
            }
            try store.reading { try check($0, $1, "after the commit") }
        },
        SpecificationCase("keys.long-bounds", "Scans of keys and counts of ranges take bounds that are longer than any key, in a read and in a write.") { run in
            let store = try run.open()
            func check(_ reader: any StorageReader, _ data: Keyspace) throws {
                for range in longRanges {
                    let expected = longEntries.within(range).map(\.key)
                    try run.equal(try keys(range, .ascending, data, reader), expected, "the keys from \(describe(range))")
                    try run.equal(try keys(range, .descending, data, reader), expected.reversed(), "the keys down from \(describe(range))")
                    try run.equal(try reader.count(of: range, in: data), expected.count, "the count from \(describe(range))")
                }
            }
            try store.writing { writer, data in
                for entry in longEntries { try writer.put(entry.key, entry.value, in: data) }
                try check(writer, data)
            }
            try store.reading(check)
        },
        SpecificationCase("keys.remove", "A remove takes the entry away if there is one, touches no other, and is refused what a delete is refused.") { run in
            let store = try run.open()
            try store.fill([Entry([1], [1]), Entry([1, 0], [2]), Entry([2], [3]), Entry([5], .pattern(70_000)), Entry([6], [6])])
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                try run.equal(try cursor.seeking([1]), [1], "the key that seeking [1] comes to")
                for _ in 0..<2 { try writer.remove([1], in: data) }
                try writer.remove([3], in: data)
                try writer.remove([5], in: data)
                try run.equal(try cursor.entry() == nil, true, "whether the entry of the cursor is gone")
                try run.equal(try cursor.steppingUp(), [1, 0], "the key above it")
                try run.equal(try writer.contains([1], in: data), false, "the presence of the removed key")
                try run.equal(try writer.delete([5], in: data), false, "the answer to a delete of a removed key")
                try writer.remove([6], in: data)
                try run.equal(try writer.insert([6], [7], in: data), true, "the answer to an insert of a removed key")
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        try writer.remove([2], in: data)
                        try run.equal(try writer.keys(in: data), [[1, 0], [6]], "the keys inside the savepoint")
                        throw SpecificationRun.Deliberate()
                    }
                }
                try run.fails(with: StorageError.emptyKey, "remove of the empty key") { try writer.remove([], in: data) }
                if let long = store.capabilities.tooLongKey {
                    try run.fails(with: StorageError.keyTooLarge, "remove of a long key") { try writer.remove(long, in: data) }
                }
                try run.equal(try writer.count(in: data), 3, "the count")
            }
            try run.equal(try store.entries() ?? [], [Entry([1, 0], [2]), Entry([2], [3]), Entry([6], [7])], "the contents")
        },
    ]

    private static func keys(
        _ range: KeyRange, _ order: ScanOrder, _ data: Keyspace, _ reader: any StorageReader, expecting count: Int? = nil
    ) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try reader.scanKeys(range, in: data, order: order, expecting: count) { key in
            keys.append([UInt8](copying: key))
            return .next
        }
        return keys
    }
}
