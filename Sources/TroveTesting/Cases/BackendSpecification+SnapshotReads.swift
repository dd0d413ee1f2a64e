import TroveStorage

extension BackendSpecification {
    /// Guarantee 4 for each method of a reader and of a cursor, one by one: an engine may keep the state for some and not for others.
    static let snapshotReads: [SpecificationCase] = [
        SpecificationCase(
            "snapshots.every-way-of-reading",
            "Every way of reading sees the state of its read, after another thread's commits have replaced, inserted and deleted entries, and dropped the keyspace."
        ) { run in
            let store = try run.open()
            let model = SortedModel((0..<600).map { Entry(.number($0 * 2), .pattern(60, seed: $0)) })
            try store.fill(model.entries)
            let rounds = (1...3).map { Steps("round \($0) of changes to be asked for", "round \($0) of changes to be committed", run) }
            let proceeds = store.capabilities.readersDuringWrite == .proceed
            let writer = run.worker {
                for (number, round) in rounds.enumerated() {
                    try round.begin.wait()
                    try store.writing { writer, data in
                        if number == 2 { return try writer.dropKeyspace(data) }
                        for key in stride(from: number, to: 1_200, by: 3) { try writer.put(.number(key), .pattern(80, seed: -key - number), in: data) }
                        for key in stride(from: number + 1, to: 1_200, by: 5) { try writer.delete(.number(key), in: data) }
                        try writer.deleteRange(KeyRange(from: .number(400 + number), upTo: .number(450)), in: data)
                        _ = try writer.createKeyspace(named: "new \(number)")
                    }
                    round.end.raise()
                }
            }
            try store.reading { reader, data in
                let held = try reader.cursor(in: data)
                try run.check(try held.seek(to: .number(420)), "an entry at 420 to be found", found: "none")
                try checkEveryRead(reader, data, held, model, "before other commits", run)
                for (number, round) in rounds.enumerated() {
                    round.begin.raise()
                    // Where a write waits for readers, waiting for the commit here would be for ever.
                    if proceeds { try round.end.wait() }
                    try checkEveryRead(reader, data, held, model, "after \(number + 1) other commits", run)
                }
            }
            try writer.join()
            try run.equal(try store.read { try $0.keyspaceNames() }, ["new 0", "new 1"], "the names in a new read")
        },
        SpecificationCase("snapshots.begun-by-any-answer", "Whatever a read is asked first, from then on every way of reading sees the same state.") { run in
            let store = try run.open()
            guard store.capabilities.readersDuringWrite == .proceed else { return }
            for (name, ask) in questions {
                try store.fill([Entry([1], [1]), Entry([2], [2]), Entry([3], [3])])
                let asked = run.signal("the first answer, by \(name)")
                let committed = run.signal("the commit after the first answer, by \(name)")
                let writer = run.worker {
                    try asked.wait()
                    try store.writing { writer, data in
                        try writer.put([1], [9], in: data)
                        try writer.delete([2], in: data)
                        // Two for one, so that the counts change too.
                        try writer.put([2, 1], [4], in: data)
                        try writer.put([4], [4], in: data)
                        _ = try writer.createKeyspace(named: "new")
                    }
                    committed.raise()
                }
                try store.reading { reader, data in
                    let first = try ask(reader, data)
                    asked.raise()
                    try committed.wait()
                    try run.equal(try ask(reader, data), first, "the second answer by \(name), after another commit")
                    for (other, ask) in questions {
                        try run.equal(try ask(reader, data), answers[other] ?? [], "the answer by \(other), after a first one by \(name) and another commit")
                    }
                }
                try writer.join()
                try store.writing { writer, data in
                    try writer.deleteRange(.all, in: data)
                    try writer.dropKeyspace(writer.createKeyspace(named: "new"))
                }
            }
        },
    ]

    /// Two signals between a read and a writer beside it.
    private struct Steps {
        let begin: Signal
        let end: Signal

        init(_ begin: String, _ end: String, _ run: SpecificationRun) {
            self.begin = run.signal(begin)
            self.end = run.signal(end)
        }
    }

    private typealias Question = @Sendable (any StorageReader, Keyspace) throws -> [Entry]

    /// Every way of reading, and what it has found as entries.
    private static let questions: [(name: String, ask: Question)] = [
        ("keyspaceNames", { reader, _ in try reader.keyspaceNames().map { Entry([UInt8]($0), []) } }),
        ("get", { reader, data in try (1...4).compactMap { key in try reader.value(of: [key], in: data).map { Entry([key], $0) } } }),
        ("getMany", { reader, data in
            var found: [Entry] = []
            try reader.getMany([[1], [2], [3], [4]], in: data) { position, value in
                if let value { found.append(Entry([UInt8(position + 1)], [UInt8](copying: value))) }
            }
            return found
        }),
        ("scan", { reader, data in try reader.entries(in: data) }),
        ("descending scan", { reader, data in try reader.entries(in: data, order: .descending).reversed() }),
        ("scanKeys", { reader, data in
            var found: [Entry] = []
            try reader.scanKeys(in: data) { key in
                found.append(Entry([UInt8](copying: key), []))
                return .next
            }
            return found
        }),
        ("count", { reader, data in [Entry(.number(try reader.count(in: data)), [])] }),
        ("count of a range", { reader, data in [Entry(.number(try reader.count(of: KeyRange(from: [2], upTo: [5]), in: data)), [])] }),
        ("cursor", { reader, data in
            let cursor = try reader.cursor(in: data)
            var found: [Entry] = []
            while try cursor.next() { if let entry = try cursor.entry() { found.append(Entry(entry.key, entry.value)) } }
            return found
        }),
        ("seek", { reader, data in
            let cursor = try reader.cursor(in: data)
            return try (1...4).compactMap { key in try cursor.seek(to: [key]) ? cursor.entry().map { Entry($0.key, $0.value) } : nil }
        }),
    ]

    /// What each of ``questions`` answers about `[1] = 1, [2] = 2, [3] = 3`.
    private static let answers: [String: [Entry]] = {
        let all = [Entry([1], [1]), Entry([2], [2]), Entry([3], [3])]
        return [
            "keyspaceNames": [Entry([UInt8]("data"), [])],
            "get": all, "getMany": all, "scan": all, "descending scan": all, "scanKeys": all.map { Entry($0.key, []) },
            "count": [Entry(.number(3), [])], "count of a range": [Entry(.number(2), [])], "cursor": all, "seek": all,
        ]
    }()

    /// Asks every method of the reader, of a cursor that was open before and of a new one, and compares with the model.
    private static func checkEveryRead(
        _ reader: any StorageReader, _ data: Keyspace, _ held: any StorageCursor, _ model: SortedModel, _ when: String, _ run: SpecificationRun
    ) throws {
        let entries = model.entries
        try run.equal(try reader.keyspaceNames(), ["data"], "the names \(when)")
        try run.equal(try reader.keyspace(named: "new 0") == nil, true, "whether there is no keyspace that was created later, \(when)")
        guard let again = try reader.keyspace(named: "data") else { throw run.failure("the keyspace 'data' to be found by its name \(when)", found: "none") }
        try run.equal(try reader.count(in: again), entries.count, "the count by another handle \(when)")
        try run.equal(try reader.count(in: data), entries.count, "the count \(when)")
        // One way after the other, as a way that is wrong may set another one right.
        for number in 0..<1_200 {
            try run.equal(try reader.value(of: .number(number), in: data), model.value(of: .number(number)), "the value of key \(number) by get \(when)")
        }
        var many: [[UInt8]?] = []
        try reader.getMany((0..<1_200).map { .number($0) }, in: data) { _, value in
            if let value { many.append([UInt8](copying: value)) } else { many.append(nil) }
        }
        try run.equal(many, (0..<1_200).map { model.value(of: .number($0)) }, "the values of 1,200 keys by getMany \(when)")
        try reader.prefetch((0..<50).map { .number($0) }, in: data)
        for number in 0..<50 {
            try run.equal(try reader.value(of: .number(number), in: data), model.value(of: .number(number)), "the value of the announced key \(number) \(when)")
        }
        for range in [KeyRange.all, KeyRange(from: .number(399), upTo: .number(460)), KeyRange(from: .number(1_001)), KeyRange(upTo: .number(77))] {
            let place = "from \(describe(range)) \(when)"
            let expected = entries.within(range)
            try run.equal(try reader.count(of: range, in: data), expected.count, "the count \(place)")
            for order in [ScanOrder.ascending, .descending] {
                let expected = order == .ascending ? expected : expected.reversed()
                var keys: [[UInt8]] = []
                try reader.scanKeys(range, in: data, order: order, expecting: 10) { key in
                    keys.append([UInt8](copying: key))
                    return .next
                }
                try run.equal(keys, expected.map(\.key), "the \(order) scan of keys \(place)")
                try run.equal(try reader.entries(range, in: data, order: order), expected, "the \(order) scan \(place)")
                var expecting: [Entry] = []
                try reader.scan(range, in: data, order: order, expecting: 10) { key, value in
                    expecting.append(Entry([UInt8](copying: key), [UInt8](copying: value)))
                    return .next
                }
                try run.equal(expecting, expected, "the \(order) scan that expects ten entries \(place)")
            }
        }
        try checkCursor(held, model, "of the held cursor \(when)", run)
        let new = try reader.cursor(in: data)
        try run.check(try new.seek(to: .number(420)), "an entry at 420 to be found by a new cursor \(when)", found: "none")
        try checkCursor(new, model, "of the new cursor \(when)", run)
        try run.equal(try reader.count(in: data), entries.count, "the count after all the reading \(when)")
    }

    /// Every method of a cursor that is at 420 and goes back there in the end, to be held across the next commit.
    private static func checkCursor(_ cursor: any StorageCursor, _ model: SortedModel, _ what: String, _ run: SpecificationRun) throws {
        func entry() throws -> Entry? { try cursor.entry().map { Entry($0.key, $0.value) } }
        let entries = model.entries
        let place = model.position(of: .number(420))
        try run.equal(try entry(), entries[place], "the entry \(what), which has not moved,")
        try run.check(try cursor.next(), "a step up \(what) to find an entry", found: "none")
        try run.equal(try entry(), entries[place + 1], "the entry after a step up \(what)")
        for place in [place, place - 1] {
            try run.check(try cursor.previous(), "a step down \(what) to find an entry", found: "none")
            try run.equal(try entry(), entries[place], "the entry after a step down \(what)")
        }
        try run.check(try cursor.seekToFirst(), "the first entry \(what) to be found", found: "none")
        var upwards: [Entry] = []
        repeat { if let entry = try entry() { upwards.append(entry) } } while try cursor.next()
        try run.equal(upwards, entries, "the way up \(what)")
        try run.check(try cursor.seekToLast(), "the last entry \(what) to be found", found: "none")
        var downwards: [Entry] = []
        repeat { if let entry = try entry() { downwards.append(entry) } } while try cursor.previous()
        try run.equal(downwards, entries.reversed(), "the way down \(what)")
        for number in 0..<1_200 {
            let place = model.position(of: .number(number))
            try run.equal(try cursor.seek(to: .number(number)), place < entries.count, "the answer of seeking \(number) \(what)")
            try run.equal(try entry(), place < entries.count ? entries[place] : nil, "the entry that seeking \(number) comes to \(what)")
        }
        try run.check(try cursor.seek(to: .number(420)), "an entry at or above 420 \(what) to be found", found: "none")
    }
}
