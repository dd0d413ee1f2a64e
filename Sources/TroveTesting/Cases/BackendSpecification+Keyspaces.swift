import TroveStorage

extension BackendSpecification {
    /// Keyspaces: creation, removal, numbers.
    static let keyspaces: [SpecificationCase] = [
        SpecificationCase("keyspaces.absent", "A name that no keyspace has gives nil, whatever the name.") { run in
            let store = try run.open()
            try store.fill([], in: "here")
            let long = String(repeating: "x", count: 300)
            try store.read { reader in
                for name in ["", "there", "Here", "here ", "her", long] {
                    try run.check(try reader.keyspace(named: name) == nil, "no keyspace named '\(name)'", found: "one")
                }
                try run.check(try reader.keyspace(named: "here") != nil, "a keyspace that was created empty", found: "none")
            }
            try store.write(.buffered) { writer in
                try run.check(try writer.keyspace(named: "there") == nil, "no keyspace in a write transaction either", found: "one")
            }
            try run.equal(try store.read { try $0.keyspaceNames() }, ["here"], "the names; looking up creates nothing")
        },
        SpecificationCase("keyspaces.create-twice", "Creating a keyspace that is there gives the one that is there.") { run in
            let store = try run.open()
            try store.write(.buffered) { writer in
                let first = try writer.createKeyspace(named: "a")
                try writer.put([1], [1], in: first)
                let second = try writer.createKeyspace(named: "a")
                try run.equal(try writer.value(of: [1], in: second), [1], "the value through the second handle")
                guard let third = try writer.keyspace(named: "a") else { throw MissingKeyspace() }
                try run.equal(try writer.value(of: [1], in: third), [1], "the value through a handle found by name")
                try writer.put([2], [2], in: second)
                try run.equal(try writer.count(in: first), 2, "the count through the first handle")
            }
            try store.write(.buffered) { writer in
                try run.equal(try writer.count(in: writer.createKeyspace(named: "a")), 2, "the count in a later transaction")
            }
        },
        SpecificationCase("keyspaces.equal-handles", "A transaction has one handle on a keyspace, which it gives each time, also after a savepoint was undone.") { run in
            let store = try run.open()
            let names = (0..<40).map { "space \($0)" }
            try store.write(.buffered) { writer in
                let spaces = try names.map { try writer.createKeyspace(named: $0) }
                func checkHandles(_ when: String) throws {
                    try run.equal(try names.map { try writer.createKeyspace(named: $0) }, spaces, "the handles that createKeyspace gives \(when)")
                    try run.equal(try names.map { try writer.keyspace(named: $0) }, spaces, "the handles by name \(when)")
                }
                try run.equal(Set(spaces).count, names.count, "the number of different handles")
                try checkHandles("at once")
                try run.failsOnPurpose("the savepoint") {
                    try writer.savepoint {
                        for space in spaces { try writer.dropKeyspace(space) }
                        let others = try names.reversed().map { try writer.createKeyspace(named: $0) }
                        try run.equal(Set(others).union(spaces).count, 2 * names.count, "the number of different handles after dropping")
                        try run.equal(try names.reversed().map { try writer.keyspace(named: $0) }, others, "the handles by name after dropping")
                        throw SpecificationRun.Deliberate()
                    }
                }
                try checkHandles("after the savepoint was undone")
            }
            try store.read { reader in
                let spaces = try names.map { try reader.keyspace(named: $0) }
                try run.equal(try names.map { try reader.keyspace(named: $0) }, spaces, "the handles by name in a read")
                try run.equal(Set(spaces).count, names.count, "the number of different handles in a read")
            }
        },
        SpecificationCase("keyspaces.separate", "The same key in several keyspaces is several entries.") { run in
            let store = try run.open()
            try store.write(.buffered) { writer in
                let spaces = try (0..<20).map { try writer.createKeyspace(named: "space \($0)") }
                for (number, space) in spaces.enumerated() {
                    for key in 0..<20 { try writer.put(.number(key), .number(number * 100 + key), in: space) }
                }
                for (number, space) in spaces.enumerated() where number % 2 == 0 { try writer.delete(.number(number), in: space) }
                try writer.deleteRange(.all, in: spaces[3])
            }
            try store.read { reader in
                for number in 0..<20 {
                    let expected = (0..<20).filter { number != 3 && !(number % 2 == 0 && $0 == number) }
                        .map { Entry(.number($0), .number(number * 100 + $0)) }
                    try run.equal(try reader.entries(named: "space \(number)") ?? [], expected, "the contents of keyspace \(number)")
                }
            }
        },
        SpecificationCase("keyspaces.drop", "A dropped keyspace is gone with its entries, and its handles are invalid.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<3_000))
            try store.fill(.numbered(0..<10), in: "other")
            try store.writing { writer, data in
                let cursor = try writer.cursor(in: data)
                _ = try cursor.seekToFirst()
                try writer.dropKeyspace(data)
                try run.check(try writer.keyspace(named: "data") == nil, "no keyspace of this name inside the write", found: "one")
                try run.equal(try writer.keyspaceNames(), ["other"], "the names inside the write")
                try checkIsInvalid(data, in: writer, run)
                try checkIsInvalid(cursor, "over the dropped keyspace", run)
            }
            try run.equal(try store.read { try $0.keyspaceNames() }, ["other"], "the names after the commit")
            try run.equal(try store.entries(named: "other")?.count, 10, "the number of entries of the other keyspace")
        },
        SpecificationCase("keyspaces.drop-and-create", "Dropping and creating a keyspace in one transaction gives an empty one; old handles do not lead to it.")
        { run in
            let store = try run.open()
            try store.fill(.numbered(0..<100))
            try store.writing { writer, old in
                let cursor = try writer.cursor(in: old)
                _ = try cursor.seekToFirst()
                try writer.dropKeyspace(old)
                let new = try writer.createKeyspace(named: "data")
                try run.equal(try writer.keys(in: new), [], "the keys of the new keyspace")
                try checkIsInvalid(old, in: writer, run)
                try writer.put([7], [7], in: new)
                try checkIsInvalid(cursor, "over the former keyspace of the name", run)
                try writer.dropKeyspace(new)
                let third = try writer.createKeyspace(named: "something else")
                try checkIsInvalid(new, in: writer, run)
                try writer.put([8], [8], in: third)
                let last = try writer.createKeyspace(named: "data")
                try writer.put([9], [9], in: last)
            }
            let reopened = try run.reopen(store)
            try run.equal(
                try reopened.read { try $0.everything() }, ["data": [Entry([9], [9])], "something else": [Entry([8], [8])]], "the contents")
        },
        SpecificationCase("keyspaces.create-and-drop", "A keyspace created and dropped in one transaction leaves nothing.") { run in
            let store = try run.open()
            try store.write(.buffered) { writer in
                for round in 0..<50 {
                    let space = try writer.createKeyspace(named: "brief")
                    for number in 0..<20 { try writer.put(.number(number), .number(round), in: space) }
                    try run.equal(try writer.count(in: space), 20, "the count in round \(round)")
                    try writer.dropKeyspace(space)
                }
            }
            try run.equal(try store.read { try $0.keyspaceNames() }, [], "the names")
        },
        SpecificationCase("keyspaces.rolled-back", "A keyspace created or dropped in a write that throws is as it was before.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try run.failsOnPurpose("the write") {
                try store.writing { writer, data in
                    try writer.put([1], [1], in: writer.createKeyspace(named: "new"))
                    try writer.dropKeyspace(data)
                    throw SpecificationRun.Deliberate()
                }
            }
            try run.equal(try store.read { try $0.everything() }, ["data": .numbered(0..<10)], "the contents")
            try store.fill([Entry([2], [2])], in: "new")
            try run.equal(try store.entries(named: "new") ?? [], [Entry([2], [2])], "the contents of a keyspace of the same name created later")
        },
        SpecificationCase("keyspaces.foreign-handles", "A handle of another transaction or another store is refused.") { run in
            let store = try run.open()
            let other = try run.open("other")
            try store.fill(.numbered(0..<10))
            try other.fill(.numbered(0..<10))
            let earlier = try store.reading { _, data in data }
            let foreign = try other.writing { _, data in data }
            try store.reading { reader, data in
                for handle in [earlier, foreign] {
                    try run.fails(with: StorageError.invalidKeyspace, "a get") { try reader.get([1], in: handle) { _ in } }
                    try run.fails(with: StorageError.invalidKeyspace, "a scan") { try reader.scan(in: handle) { _, _ in .next } }
                    try run.fails(with: StorageError.invalidKeyspace, "a count") { try reader.count(in: handle) }
                    try run.fails(with: StorageError.invalidKeyspace, "a cursor") { try reader.cursor(in: handle) }
                }
                try run.equal(try reader.count(in: data), 10, "the count by the transaction's own handle")
            }
            try store.writing { writer, data in
                for handle in [earlier, foreign] { try checkIsInvalid(handle, in: writer, run) }
                try writer.put([1], [1], in: data)
            }
            try run.equal(try store.entries()?.count, 11, "the number of entries; a refused handle does not poison")
        },
        SpecificationCase("keyspaces.four-thousand", "A store holds 4,000 keyspaces.") { run in
            let store = try run.open()
            let count = StorageLimits.minKeyspaces
            try store.write(.buffered) { writer in
                for number in 0..<count {
                    let space = try writer.createKeyspace(named: "keyspace \(number)")
                    try writer.put([1], .number(number), in: space)
                }
            }
            let reopened = try run.reopen(store)
            try reopened.read { reader in
                try run.equal(try reader.keyspaceNames().count, count, "the number of names")
                for number in stride(from: 0, to: count, by: 37) {
                    try run.equal(try reader.entries(named: "keyspace \(number)") ?? [], [Entry([1], .number(number))], "the contents of keyspace \(number)")
                }
            }
            try reopened.write(.buffered) { writer in
                for number in 0..<count where number % 2 == 0 {
                    guard let space = try writer.keyspace(named: "keyspace \(number)") else { throw MissingKeyspace() }
                    try writer.dropKeyspace(space)
                }
            }
            try reopened.read { reader in
                try run.equal(try reader.keyspaceNames().count, count / 2, "the number of names after half were dropped")
                try run.equal(try reader.entries(named: "keyspace 3999") ?? [], [Entry([1], .number(3_999))], "the contents of the last")
            }
        },
        SpecificationCase(
            "keyspaces.one-commit-each", "500 keyspaces that are each created by a commit of their own are there after opening again, the last ones too."
        ) { run in
            let store = try run.open()
            for number in 0..<500 { try store.fill([Entry([1], .number(number))], in: "keyspace \(number)", durability: .relaxed) }
            let reopened = try run.reopen(store)
            try reopened.read { reader in
                try run.equal(try reader.keyspaceNames().count, 500, "the number of names")
                for number in 0..<500 {
                    try run.equal(try reader.entries(named: "keyspace \(number)"), [Entry([1], .number(number))], "the contents of keyspace \(number)")
                }
            }
        },
        SpecificationCase(
            "keyspaces.reused-many-times", "One transaction creates, fills and drops a keyspace of one name 60 times, some under savepoints that are undone."
        ) { run in
            let store = try run.open()
            try store.fill([Entry([7], [7])], in: "again")
            try store.write(.buffered) { writer in
                var current = try writer.createKeyspace(named: "again")
                for round in 0..<60 {
                    do {
                        try writer.savepoint {
                            let former = current
                            try writer.dropKeyspace(former)
                            let new = try writer.createKeyspace(named: "again")
                            try run.equal(try writer.count(in: new), 0, "the count of a keyspace made anew in round \(round)")
                            for number in 0...round { try writer.put(.number(number), .number(round), in: new) }
                            try run.fails(with: StorageError.invalidKeyspace, "the handle of round \(round - 1)") { try writer.count(in: former) }
                            if round % 4 == 3 { throw SpecificationRun.Deliberate() }
                            current = new
                        }
                    } catch is SpecificationRun.Deliberate {
                        try run.equal(try writer.count(in: current), round, "the count after round \(round) was undone")
                    }
                }
            }
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries(named: "again") ?? [], (0...58).map { Entry(.number($0), .number(58)) }, "the contents")
            try run.equal(try reopened.read { try $0.keyspaceNames() }, ["again"], "the names")
        },
    ]
}
