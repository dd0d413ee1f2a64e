import TroveStorage

extension BackendSpecification {
    /// Savepoints: entries that a part of a transaction changed are undone, the rest kept.
    static let savepoints: [SpecificationCase] = [
        SpecificationCase(
            "savepoints.keep-or-undo", "A savepoint whose body returns keeps its changes, one whose body throws undoes them and throws the same error."
        ) { run in
            let store = try run.open()
            try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                let result: Int = try writer.savepoint {
                    try writer.put([2], [2], in: data)
                    return 5
                }
                try run.equal(result, 5, "the result of the savepoint")
                try run.failsOnPurpose("the savepoint", number: 3) {
                    try writer.savepoint {
                        try writer.put([1], [9], in: data)
                        try writer.put([3], [3], in: data)
                        try writer.delete([2], in: data)
                        try run.equal(try writer.keys(in: data), [[1], [3]], "the keys inside the savepoint")
                        throw SpecificationRun.Deliberate(number: 3)
                    }
                }
                try run.equal(try writer.entries(in: data), [Entry([1], [1]), Entry([2], [2])], "the contents after the rollback")
                try run.equal(try writer.count(in: data), 2, "the count after the rollback")
                try writer.put([4], [4], in: data)
            }
            try run.equal(try store.entries() ?? [], [Entry([1], [1]), Entry([2], [2]), Entry([4], [4])], "the contents after the commit")
        },
        SpecificationCase("savepoints.three-deep", "Of three nested savepoints each may be kept or undone, in all eight ways.") { run in
            for choice in 0..<8 {
                let store = try run.open("choice \(choice)")
                try store.fill(.numbered(0..<50))
                var model = SortedModel(.numbered(0..<50))
                func isUndone(_ level: Int) -> Bool { choice & (1 << level) != 0 }
                try store.writing { writer, data in
                    model = SortedModel(.numbered(0..<50))
                    func nest(_ level: Int) throws {
                        let before = model
                        do {
                            try writer.savepoint {
                                try writer.put(.number(level), [UInt8(level), 1], in: data)
                                model.put(.number(level), [UInt8(level), 1])
                                try writer.deleteRange(KeyRange(from: .number(10 + level * 10), upTo: .number(15 + level * 10)), in: data)
                                _ = model.deleteRange(KeyRange(from: .number(10 + level * 10), upTo: .number(15 + level * 10)))
                                if level < 2 { try nest(level + 1) }
                                try writer.put(.number(100 + level), [7], in: data)
                                model.put(.number(100 + level), [7])
                                if isUndone(level) { throw SpecificationRun.Deliberate(number: level) }
                            }
                        } catch let error as SpecificationRun.Deliberate where error.number == level {
                            model = before
                        }
                        try run.equal(try writer.entries(in: data), model.entries, "the contents after level \(level) of choice \(choice)")
                    }
                    try nest(0)
                }
                try run.equal(try store.entries() ?? [], model.entries, "the contents after the commit of choice \(choice)")
            }
        },
        SpecificationCase("savepoints.outer-undoes-inner", "When the outer savepoint is undone, the inner ones that were kept go with it.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                try run.failsOnPurpose("the outer savepoint") {
                    try writer.savepoint {
                        try writer.savepoint {
                            try writer.put([2], [2], in: data)
                            try writer.savepoint { try writer.put([1], [3], in: data) }
                        }
                        throw SpecificationRun.Deliberate()
                    }
                }
                try run.equal(try writer.entries(in: data), [Entry([1], [1])], "the contents")
            }
            try run.equal(try store.entries() ?? [], [Entry([1], [1])], "the contents after the commit")
        },
        SpecificationCase("savepoints.deep", "Savepoints nest 40 deep.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                func nest(_ level: Int) throws {
                    try writer.put(.number(level), .number(level), in: data)
                    guard level < 40 else { throw SpecificationRun.Deliberate(number: 20) }
                    do {
                        try writer.savepoint { try nest(level + 1) }
                    } catch let error as SpecificationRun.Deliberate where error.number == level {}
                }
                try nest(0)
                try run.equal(try writer.keys(in: data).map(\.asNumber), Array(0...20), "the keys after level 20 caught the error of level 40")
            }
            try run.equal(try store.entries()?.count, 21, "the number of entries after the commit")
        },
        SpecificationCase("savepoints.in-a-row", "1,000 savepoints in a row, every second undone.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                for number in 0..<1_000 {
                    do {
                        try writer.savepoint {
                            try writer.put(.number(number), .number(number), in: data)
                            if number % 2 == 1 { throw SpecificationRun.Deliberate() }
                        }
                    } catch is SpecificationRun.Deliberate {}
                }
            }
            try run.equal((try store.entries() ?? []).map(\.key.asNumber), Array(stride(from: 0, to: 1_000, by: 2)), "the keys")
        },
        SpecificationCase("savepoints.transaction-throws", "When the write throws, what its savepoints kept is undone too.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<5))
            try run.failsOnPurpose("the write") {
                try store.writing { writer, data in
                    try writer.savepoint { _ = try writer.deleteRange(.all, in: data) }
                    try writer.savepoint { try writer.put([1], [1], in: writer.createKeyspace(named: "new")) }
                    throw SpecificationRun.Deliberate()
                }
            }
            try run.equal(try store.read { try $0.everything() }, ["data": .numbered(0..<5)], "the contents")
        },
        SpecificationCase("savepoints.large", "A savepoint of 20,000 changes is undone whole.") { run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<5_000, valueSize: 80)
            try store.fill(entries)
            try store.writing { writer, data in
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        for number in 0..<20_000 { try writer.put(.number(number), .pattern(120, seed: number + 1), in: data) }
                        try writer.deleteRange(KeyRange(from: .number(1_000), upTo: .number(15_000)), in: data)
                        throw SpecificationRun.Deliberate()
                    }
                }
                try run.equal(try writer.entries(in: data), entries, "the contents after the rollback")
                try writer.put(.number(1), [1], in: data)
            }
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries() ?? [], [entries[0], Entry(.number(1), [1])] + entries[2...], "the contents after the commit")
        },
        SpecificationCase("savepoints.refused-arguments", "A refused argument inside a savepoint changes nothing and leaves the savepoint usable.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                try writer.savepoint {
                    try writer.put([1], [1], in: data)
                    try run.fails(with: StorageError.emptyKey, "a put with an empty key") { try writer.put([], [1], in: data) }
                    try writer.put([2], [2], in: data)
                }
            }
            try run.equal(try store.entries() ?? [], [Entry([1], [1]), Entry([2], [2])], "the contents")
        },

    ]
}
