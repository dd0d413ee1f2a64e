import TroveStorage

extension BackendSpecification {
    /// Guarantee 9: what belongs to a transaction is refused after it.
    static let lifetime: [SpecificationCase] = [
        SpecificationCase("lifetime.reader", "A reader kept beyond its closure refuses every call.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            var kept: (any StorageReader)?
            let data: Keyspace = try store.reading { reader, data in
                kept = reader
                return data
            }
            guard let reader = kept else { throw MissingKeyspace() }
            try checkIsFinished(reader, data, run)
            try store.reading { _, data in
                try checkIsFinished(reader, data, run)
            }
        },
        SpecificationCase("lifetime.writer", "A writer kept beyond its closure refuses every call, after a commit and after a rollback.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            for fails in [false, true] {
                var kept: (any StorageWriter, Keyspace)?
                do {
                    try store.writing { writer, data in
                        kept = (writer, data)
                        if fails { throw SpecificationRun.Deliberate() }
                    }
                } catch is SpecificationRun.Deliberate {}
                guard let (writer, data) = kept else { throw MissingKeyspace() }
                try checkIsFinished(writer, data, run)
                let uses: [(String, () throws -> Void)] = [
                    ("createKeyspace", { _ = try writer.createKeyspace(named: "late") }),
                    ("dropKeyspace", { try writer.dropKeyspace(data) }),
                    ("put", { try writer.put([1], [1], in: data) }),
                    ("insert", { _ = try writer.insert([1], [1], in: data) }),
                    ("delete", { try writer.delete([1], in: data) }),
                    ("remove", { try writer.remove([1], in: data) }),
                    ("deleteRange", { try writer.deleteRange(.all, in: data) }),
                    ("savepoint", { try writer.savepoint {} }),
                ]
                for (name, use) in uses { try run.fails(with: StorageError.transactionFinished, "\(name) after the write", use) }
            }
            try run.equal(try store.entries() ?? [], .numbered(0..<10), "the contents")
        },
        SpecificationCase("lifetime.cursor", "A cursor kept beyond its closure refuses every call.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            let cursors: [any StorageCursor] = [
                try store.reading { reader, data in
                    let cursor = try reader.cursor(in: data)
                    _ = try cursor.seekToFirst()
                    return cursor
                },
                try store.writing { writer, data in
                    let cursor = try writer.cursor(in: data)
                    _ = try cursor.seekToFirst()
                    return cursor
                },
                try store.reading { reader, data in try reader.cursor(in: data) },
            ]
            try store.writing { writer, data in try writer.deleteRange(.all, in: data) }
            for cursor in cursors {
                let uses: [(String, () throws -> Void)] = [
                    ("seek", { _ = try cursor.seek(to: [UInt8]([1]).span.bytes) }),
                    ("seekToFirst", { _ = try cursor.seekToFirst() }),
                    ("seekToLast", { _ = try cursor.seekToLast() }),
                    ("next", { _ = try cursor.next() }),
                    ("previous", { _ = try cursor.previous() }),
                    ("withEntry", { _ = try cursor.withEntry { _, _ in } }),
                ]
                for (name, use) in uses { try run.fails(with: StorageError.transactionFinished, "\(name) after the transaction", use) }
            }
        },
        SpecificationCase("lifetime.other-transaction", "A finished reader is refused inside a new transaction too, on another thread as well.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            let first = try store.reading { reader, data in Loan(reader, data) }
            try store.writing { writer, data in
                try checkIsFinished(first.reader, first.keyspace, run)
                try writer.put([1], [1], in: data)
            }
            let worker = run.worker { try checkIsFinished(first.reader, first.keyspace, run) }
            try worker.join()
        },
        SpecificationCase(
            "lifetime.released-store",
            "A store let go without closing is closed: the next opening finds what was committed, and so does whoever takes the files elsewhere."
        ) { run in
            guard run.factory.isPersistent else { return }
            for round in 0..<5 {
                do {
                    let store = try run.factory.open(run.path())
                    try store.fill([Entry(.number(round), .number(round))], durability: .relaxed)
                }
                guard run.factory.kind == .files else { continue }
                // An engine that was not closed still has the commit in memory, where the next opening of the path would find it.
                let copy = try run.copyFiles("store", to: "copy \(round)")
                try run.equal(try copy.entries()?.count, round + 1, "the number of entries in a copy of the files of a store that was let go")
                try copy.close()
            }
            try run.equal(try run.open().entries()?.count, 5, "the number of entries")
        },
    ]

    /// A reader and its keyspace, lent to another thread after the transaction, when every call only looks at
    /// whether it has ended. Unchecked for that reason: nothing changes any more.
    private struct Loan: @unchecked Sendable {
        let reader: any StorageReader
        let keyspace: Keyspace

        init(_ reader: any StorageReader, _ keyspace: Keyspace) {
            self.reader = reader
            self.keyspace = keyspace
        }
    }

    private static func checkIsFinished(
        _ reader: any StorageReader, _ data: Keyspace, _ run: SpecificationRun, line: Int = #line
    ) throws {
        let key: [UInt8] = [1]
        let uses: [(String, () throws -> Void)] = [
            ("keyspace(named:)", { _ = try reader.keyspace(named: "data") }),
            ("keyspaceNames", { _ = try reader.keyspaceNames() }),
            ("get", { _ = try reader.get(key.span.bytes, in: data) { _ in } }),
            ("getMany", { try reader.getMany([key], in: data) { _, _ in } }),
            ("scan", { try reader.scan(in: data) { _, _ in .next } }),
            ("cursor", { _ = try reader.cursor(in: data) }),
            ("count", { _ = try reader.count(in: data) }),
            ("scan(expecting:)", { try reader.scan(.all, in: data, order: .ascending, expecting: 1) { _, _ in .next } }),
            ("scanKeys", { try reader.scanKeys(in: data) { _ in .next } }),
            ("count(of:)", { _ = try reader.count(of: KeyRange(from: key), in: data) }),
        ]
        for (name, use) in uses {
            try run.fails(with: StorageError.transactionFinished, "\(name) after the transaction", line: line, use)
        }
        // A hint may be passed over.
        do { try reader.prefetch([key], in: data) } catch StorageError.transactionFinished {}
    }
}
