import TroveStorage

extension BackendSpecification {
    /// Savepoints: keyspaces, their handles and cursors, when a part of a transaction is undone.
    static let savepointHandles: [SpecificationCase] = [
        SpecificationCase("savepoints.handles-before", "Handles made before a savepoint stay valid after its rollback, also when it dropped their keyspace.") {
            run in
            let store = try run.open()
            try store.fill(.numbered(0..<20))
            try store.writing { writer, data in
                let created = try writer.createKeyspace(named: "created before")
                try writer.put([1], [1], in: created)
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        try writer.dropKeyspace(data)
                        try writer.dropKeyspace(created)
                        try writer.put([5], [5], in: writer.createKeyspace(named: "data"))
                        throw SpecificationRun.Deliberate()
                    }
                }
                try run.equal(try writer.entries(in: data), .numbered(0..<20), "the contents through the handle made before")
                try run.equal(try writer.entries(in: created), [Entry([1], [1])], "the contents of the keyspace created before")
                try writer.put([2], [2], in: created)
            }
            try run.equal(
                try store.read { try $0.everything() }, ["data": .numbered(0..<20), "created before": [Entry([1], [1]), Entry([2], [2])]],
                "the contents after the commit")
        },
        SpecificationCase("savepoints.handles-inside", "Handles of keyspaces created in a savepoint are invalid after its rollback, whatever is created then.")
        { run in
            let store = try run.open()
            try store.writing { writer, data in
                var inside: [Keyspace] = []
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        for number in 0..<3 {
                            let space = try writer.createKeyspace(named: "inside \(number)")
                            try writer.put([1], [1], in: space)
                            inside.append(space)
                        }
                        throw SpecificationRun.Deliberate()
                    }
                }
                for handle in inside { try checkIsInvalid(handle, in: writer, run) }
                try run.equal(try writer.keyspaceNames(), ["data"], "the names")
                let later = try (0..<3).map { try writer.createKeyspace(named: "inside \($0)") }
                for space in later {
                    try run.equal(try writer.keys(in: space), [], "the keys of a keyspace created after the rollback")
                    try writer.put([2], [2], in: space)
                }
                for handle in inside { try checkIsInvalid(handle, in: writer, run) }
                try writer.put([3], [3], in: data)
            }
            try run.equal(try store.entries(named: "inside 1") ?? [], [Entry([2], [2])], "the contents after the commit")
        },
        SpecificationCase("savepoints.cursors-before", "A cursor made before a savepoint stays at its key and sees the contents after the rollback.") { run in
            let store = try run.open()
            try store.fill(.numbered(stride(from: 0, to: 100, by: 10)))
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                try run.equal(try cursor.seeking(.number(50)), .number(50), "the key sought")
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        try writer.delete(.number(50), in: data)
                        try writer.put(.number(45), [1], in: data)
                        try writer.put(.number(55), [1], in: data)
                        try run.equal(try cursor.key(), nil, "the key at the cursor inside the savepoint")
                        throw SpecificationRun.Deliberate()
                    }
                }
                try run.equal(try cursor.entry()?.value, .pattern(20, seed: 50), "the value at the cursor after the rollback")
                try run.equal(try cursor.steppingUp(), .number(60), "the step up")
                try run.equal(try cursor.steppingDown(), .number(50), "the step down")
                try run.equal(try cursor.steppingDown(), .number(40), "the second step down")
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        try writer.put(.number(44), [1], in: data)
                        try run.equal(try cursor.steppingUp(), .number(44), "the step to an entry the savepoint put")
                        throw SpecificationRun.Deliberate()
                    }
                }
                try run.equal(try cursor.key(), nil, "the key at the cursor where the savepoint's entry was")
                try run.equal(try cursor.steppingUp(), .number(50), "the step up from the place of an entry that was undone")
            }
        },
        SpecificationCase(
            "savepoints.cursors-before-drop",
            "A cursor made before a savepoint that drops its keyspace is invalid inside, and after the rollback at its key as if nothing had been."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<20))
            try store.writing { writer, data in
                try writer.put(.number(7), [7], in: data)
                try writer.delete(.number(6), in: data)
                let cursor = try writer.cursor(in: data)
                try run.equal(try cursor.seeking(.number(5)), .number(5), "the key sought")
                for name in ["data", "another"] {
                    try run.failsOnPurpose("the savepoint") {
                        try writer.savepoint {
                            try writer.dropKeyspace(data)
                            try checkIsInvalid(cursor, "over the keyspace that the savepoint has dropped", run)
                            try writer.put(.number(5), [55], in: writer.createKeyspace(named: name))
                            try checkIsInvalid(cursor, "over the dropped keyspace, after another one was made,", run)
                            throw SpecificationRun.Deliberate()
                        }
                    }
                    try run.equal(try cursor.entry()?.value, .pattern(20, seed: 5), "the value at the cursor after the rollback")
                    try run.equal(try cursor.steppingUp(), .number(7), "the step up, over what was deleted before the savepoint")
                    try run.equal(try cursor.entry()?.value, [7], "the value that was put before the savepoint")
                    try run.equal(try cursor.steppingDown(), .number(5), "the step down")
                }
                try run.equal(try cursor.seekToLast() ? cursor.key() : nil, .number(19), "the last key")
            }
            try run.equal(try store.entries()?.count, 19, "the number of entries after the commit")
        },
        SpecificationCase("savepoints.cursors-inside", "A cursor made in a savepoint is invalid after its rollback, and valid after it was kept.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<50))
            try store.writing { writer, data in
                var undone: (any StorageCursor)?
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        undone = try writer.cursor(in: data)
                        _ = try undone?.seekToFirst()
                        throw SpecificationRun.Deliberate()
                    }
                }
                if let undone { try checkIsInvalid(undone, "of the undone savepoint", run) }
                let kept: any StorageCursor = try writer.savepoint {
                    let cursor = try writer.cursor(in: data)
                    _ = try cursor.seekToFirst()
                    return cursor
                }
                try run.equal(try kept.steppingUp(), .number(1), "the step of the cursor of the kept savepoint")
            }
        },
        SpecificationCase(
            "savepoints.keyspaces-four-deep",
            "Of four nested savepoints that each create a keyspace and drop one, each may be kept or undone, in all sixteen ways."
        ) { run in
            for choice in 0..<16 {
                let store = try run.open("choice \(choice)")
                for level in 0..<4 { try store.fill([Entry([1], [UInt8(level)])], in: "old \(level)") }
                var expected: Set<String> = []
                try store.write(.buffered) { writer in
                    func nest(_ level: Int, _ names: Set<String>) throws -> Set<String> {
                        guard level < 4 else { return names }
                        var kept = names
                        do {
                            try writer.savepoint {
                                try writer.put([1], [9], in: writer.createKeyspace(named: "made \(level)"))
                                guard let old = try writer.keyspace(named: "old \(level)") else { throw MissingKeyspace() }
                                try writer.dropKeyspace(old)
                                let inner = try nest(level + 1, names.union(["made \(level)"]).subtracting(["old \(level)"]))
                                if choice >> level & 1 == 1 { throw SpecificationRun.Deliberate(number: level) }
                                kept = inner
                            }
                        } catch let error as SpecificationRun.Deliberate where error.number == level {}
                        try run.equal(Set(try writer.keyspaceNames()), kept, "the names after level \(level) of choice \(choice)")
                        return kept
                    }
                    expected = try nest(0, Set((0..<4).map { "old \($0)" }))
                }
                let reopened = try run.reopen(store, "choice \(choice)")
                try run.equal(Set(try reopened.read { try $0.keyspaceNames() }), expected, "the names after choice \(choice)")
                for name in expected {
                    let value: UInt8 = name.hasPrefix("made") ? 9 : UInt8(name.suffix(1)) ?? 0
                    try run.equal(try reopened.entries(named: name) ?? [], [Entry([1], [value])], "the contents of \(name)")
                }
                try reopened.close()
            }
        },
    ]
}
