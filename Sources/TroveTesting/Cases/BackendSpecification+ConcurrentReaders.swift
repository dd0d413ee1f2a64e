import Synchronization
import TroveStorage

extension BackendSpecification {
    /// Several readers of one snapshot, or several threads that have one reader.
    static let concurrentReaders: [SpecificationCase] = [
        SpecificationCase(
            "concurrentReaders.same-state", "Further readers of a snapshot see what it sees, each on a thread of its own, whatever is committed meanwhile."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<500))
            try store.fill([Entry([1], .pattern(70_000, seed: 1))], in: "large")
            let proceeds = store.capabilities.readersDuringWrite == .proceed
            try store.reading { reader, data in
                let expected = try reader.entries(in: data)
                try reader.withConcurrentReaders(upTo: 3) { readers in
                    try run.check(readers.count <= 3, "at most 3 readers", found: "\(readers.count)")
                    try run.check(
                        store.capabilities.sharesSnapshots ? !readers.isEmpty : readers.isEmpty, "readers where snapshots are shared, and none elsewhere",
                        found: "\(readers.count)")
                    let begun = run.signal("all readers to read")
                    let committed = run.signal("a commit beside them")
                    let rest = Mutex(readers.count)
                    let workers = readers.map { other in
                        let other = Handed(reader: other)
                        return run.worker {
                            guard let data = try other.reader.keyspace(named: "data") else { throw MissingKeyspace() }
                            try run.equal(try other.reader.entries(in: data), expected, "the entries before the commit")
                            if rest.withLock({ rest in rest -= 1; return rest == 0 }) { begun.raise() }
                            if proceeds { try committed.wait() }
                            try run.equal(try other.reader.entries(in: data), expected, "the entries after the commit")
                            try run.equal(try other.reader.keyspaceNames(), ["data", "large"], "the names of the keyspaces")
                            try run.equal(try other.reader.count(in: data), 500, "the number of entries")
                            guard let large = try other.reader.keyspace(named: "large") else { throw MissingKeyspace() }
                            try run.equal(try other.reader.value(of: [1], in: large), .pattern(70_000, seed: 1), "a large value")
                        }
                    }
                    // Nothing is thrown before all threads have ended: the readers that they use end with this body.
                    let commits = Result {
                        defer { committed.raise() }
                        guard !readers.isEmpty, proceeds else { return }
                        try begun.wait()
                        let writer = run.worker {
                            for round in 1...3 { try store.fill(.numbered(0..<900, seed: round)) }
                            try store.write { _ = try $0.createKeyspace(named: "new") }
                        }
                        try writer.join()
                    }
                    let own = Result { try run.equal(try reader.entries(in: data), expected, "the entries in the first reader") }
                    try workers.joinAll()
                    try commits.get()
                    try own.get()
                }
                try run.equal(try reader.entries(in: data), expected, "the entries after the further readers have gone")
            }
        },
        SpecificationCase(
            "concurrentReaders.after-commit", "Further readers that are asked for after a commit see the state of the snapshot, or there are none."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<200))
            guard store.capabilities.readersDuringWrite == .proceed else { return }
            for round in 1...20 {
                try store.reading { reader, data in
                    let expected = try reader.entries(in: data)
                    let writer = run.worker { try store.fill(.numbered(0..<200, seed: round)) }
                    // In every second round the commit is a moment before or behind.
                    if round.isMultiple(of: 2) { try writer.join() }
                    try reader.withConcurrentReaders(upTo: 2) { readers in
                        for other in readers {
                            guard let data = try other.keyspace(named: "data") else { throw MissingKeyspace() }
                            try run.equal(try other.entries(in: data), expected, "the entries in round \(round)")
                        }
                    }
                    try writer.join()
                }
            }
        },
        SpecificationCase("concurrentReaders.lifetime", "Further readers end with the call; errors of its body come through; many calls leave nothing behind.")
        { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            for round in 0..<100 {
                try store.reading { reader, data in
                    var kept: [any StorageReader] = []
                    try reader.withConcurrentReaders(upTo: 2) { kept = $0 }
                    for other in kept {
                        try run.fails(with: StorageError.transactionFinished, "a further reader after the call") { try other.keyspaceNames() }
                    }
                    try run.failsOnPurpose("asking for further readers", number: round) {
                        try reader.withConcurrentReaders(upTo: 2) { _ in throw SpecificationRun.Deliberate(number: round) }
                    }
                    for count in [0, -1] {
                        try reader.withConcurrentReaders(upTo: count) {
                            try run.check($0.isEmpty, "no readers where \(count) are wanted", found: "\($0.count)")
                        }
                    }
                    try run.equal(try reader.count(in: data), 10, "the number of entries")
                }
            }
            try store.compact()
            guard store.capabilities.sharesSnapshots else { return }
            var ended: (any StorageReader)?
            try store.read { ended = $0 }
            try run.fails(with: StorageError.transactionFinished, "asking a reader that has ended") { try ended?.withConcurrentReaders(upTo: 1) { _ in } }
        },
        SpecificationCase(
            "concurrentReaders.lent",
            "While the body of a read waits, other threads use its reader, one at a time; as many such reads as maxSnapshots says leave room for other work."
        ) { run in
            let store = try run.open()
            let count = min(store.capabilities.maxSnapshots, 24)
            guard count > 0 else { return }
            try store.fill(.numbered(0..<200))
            try store.fill([Entry([1], .pattern(40_000, seed: 0))], in: "large")
            let used = run.signal("the readers to be used")
            var (holders, readers): ([Worker], [Handed]) = ([], [])
            // Nothing is thrown before the reads have ended, whose readers other threads use.
            let uses = Result {
                for round in 0..<count {
                    let begun = run.signal("read \(round) to begin")
                    let handed = Mutex<Handed?>(nil)
                    holders.append(
                        run.worker {
                            try store.read { (reader: any StorageReader) throws -> Void in
                                _ = try reader.keyspaceNames()
                                handed.withLock { $0 = Handed(reader: reader) }
                                begun.raise()
                                try used.wait()
                            }
                        })
                    try begun.wait()
                    readers += handed.withLock { $0.map { [$0] } ?? [] }
                    try store.fill(.numbered(0..<200, seed: round + 1))
                    try store.fill([Entry([1], .pattern(40_000, seed: round + 1))], in: "large")
                }
                for turn in 0..<2 {
                    for (round, handed) in readers.enumerated() {
                        let user = run.worker {
                            let reader = handed.reader
                            let (data, large) = try (reader.keyspace(named: "data"), reader.keyspace(named: "large"))
                            guard let data, let large else { throw MissingKeyspace() }
                            let expected = [Entry].numbered(0..<200, seed: round)
                            try run.equal(try reader.entries(in: data), expected, "state \(round) on thread \(turn)")
                            try run.equal(try reader.count(in: data), 200, "the number of entries")
                            let cursor = try reader.cursor(in: data)
                            let last = try cursor.seekToLast() ? cursor.entry() : nil
                            let previous = try cursor.previous() ? cursor.entry() : nil
                            try run.equal([last?.key, previous?.key], [expected[199].key, expected[198].key], "the last two keys by a cursor")
                            let isWhole = try reader.value(of: [1], in: large) == .pattern(40_000, seed: round)
                            try run.check(isWhole, "the large value of state \(round)", found: "another")
                        }
                        try user.join()
                    }
                    try store.fill([Entry([1], [1])], in: "other \(turn)")
                }
                try run.equal(try store.entries() ?? [], .numbered(0..<200, seed: count), "the entries that a new read finds")
            }
            used.raise()
            try holders.joinAll()
            try uses.get()
        },
        SpecificationCase("concurrentReaders.in-a-write", "In a write, further readers see what the write sees, or there are none.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<50))
            try store.writing { writer, data in
                func check(_ moment: String) throws {
                    let expected = try writer.entries(in: data)
                    try writer.withConcurrentReaders(upTo: 2) { readers in
                        try run.onThreads(of: readers) { other in
                            guard let data = try other.keyspace(named: "data") else { throw MissingKeyspace() }
                            try run.equal(try other.entries(in: data), expected, "the entries \(moment)")
                        }
                    }
                }
                try check("before the first change")
                try writer.put([1], [2], in: data)
                try check("after a change")
                try writer.savepoint { _ = try writer.deleteRange(.all, in: data) }
                try check("after a savepoint")
            }
            try run.equal(try store.entries() ?? [], [], "the entries after the write")
        },
    ]
}

/// A reader for another thread.
///
/// Unchecked: the contract hands it over, to one thread at a time.
private struct Handed: @unchecked Sendable {
    let reader: any StorageReader
}

extension SpecificationRun {
    /// Runs `body` with each reader on a thread of its own, and waits for all.
    fileprivate func onThreads(of readers: [any StorageReader], _ body: @escaping @Sendable (any StorageReader) throws -> Void) throws {
        let workers = readers.map { reader in
            let handed = Handed(reader: reader)
            return worker { try body(handed.reader) }
        }
        try workers.joinAll()
    }
}
