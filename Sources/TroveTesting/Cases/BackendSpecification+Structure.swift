import TroveStorage

extension BackendSpecification {
    /// The engine's check of its own structure.
    static let structure: [SpecificationCase] = [
        SpecificationCase(
            "structure.sound-store",
            "checkStructure finds nothing in a sound store, whatever was stored, deleted, dropped, undone and compacted, after opening again and inside a read."
        ) { run in
            var store = try run.open()
            func check(_ when: String) throws {
                do { try store.checkStructure() } catch let error as StorageError {
                    throw run.failure("no damage to be found \(when)", found: "\(error)")
                }
            }
            try check("in a new store")
            try store.fill(.numbered(0..<4_000, valueSize: 100))
            try store.fill(.numbered(0..<500, valueSize: 3_000) + [Entry([1], .pattern(1 << 20))], in: "other")
            try check("after entries were stored")
            try store.write(.buffered) { writer in
                guard let other = try writer.keyspace(named: "other") else { throw MissingKeyspace() }
                try writer.dropKeyspace(other)
            }
            try check("after a keyspace was dropped")
            try store.fill([Entry([1], .pattern(1 << 20)), Entry([2], .pattern(1 << 20, seed: 1))])
            try check("after values of 1 MiB were stored")
            try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                try writer.deleteRange(KeyRange(from: [2], upTo: [3]), in: data)
                try run.equal(try writer.deleteRange(KeyRange(from: .number(100), upTo: .number(3_900)), in: data), 3_800, "the number deleted")
            }
            try check("after a range was deleted")
            try store.writing { writer, data in
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        for number in 0..<1_000 { try writer.put(.number(number), .pattern(200, seed: number), in: data) }
                        try writer.put([5], .pattern(1 << 20), in: writer.createKeyspace(named: "undone"))
                        throw SpecificationRun.Deliberate()
                    }
                }
                try writer.put(.number(0), [0], in: data)
            }
            try run.failsOnPurpose("the write") {
                try store.writing { writer, data in
                    try writer.dropKeyspace(data)
                    throw SpecificationRun.Deliberate()
                }
            }
            try check("after changes were undone")
            try store.compact()
            try check("after a compaction")
            store = try run.reopen(store)
            try check("after opening again")
            try store.reading { reader, data in
                try run.equal(try reader.count(in: data), 201, "the number of entries")
                try check("inside a read")
                try run.equal(try reader.entries(in: data).count, 201, "the number of entries in the read afterwards")
            }
            try store.fill(.numbered(4_000..<5_000))
            try check("after more entries were stored")
        },
    ]
}
