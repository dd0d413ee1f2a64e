import TroveStorage

extension BackendSpecification {
    /// Figures about the store.
    static let statistics: [SpecificationCase] = [
        SpecificationCase("statistics.sizes", "The sizes fit the contents, and the number of keyspaces is exact.") { run in
            let store = try run.open()
            try run.equal(try store.statistics().keyspaceCount, 0, "the number of keyspaces of a new store")
            try store.fill(.numbered(0..<3_000, valueSize: 1_000), in: "a")
            try store.fill([], in: "b")
            try store.synchronize()
            let statistics = try store.statistics()
            try run.equal(statistics.keyspaceCount, 2, "the number of keyspaces")
            switch run.factory.kind {
            case .files:
                try run.check(
                    (3_000_000..<300_000_000).contains(statistics.fileSize), "a file size from 3 to 300 MB", found: "\(statistics.fileSize)")
            case .inMemory: try run.equal(statistics.fileSize, 0, "the file size without files")
            // What of a server's files belongs to one store may be unknown.
            case .server: try run.check(statistics.fileSize >= 0, "a file size of 0 or more", found: "\(statistics.fileSize)")
            }
            try run.check(
                (0...max(statistics.fileSize, 0)).contains(statistics.freeSize), "a free size from 0 to the file's size", found: "\(statistics)")
            try store.write(.buffered) { writer in
                guard let b = try writer.keyspace(named: "b") else { throw MissingKeyspace() }
                try writer.dropKeyspace(b)
            }
            try run.equal(try store.statistics().keyspaceCount, 1, "the number of keyspaces after one was dropped")
        },
        SpecificationCase("statistics.readers", "The number of running reads and the age of the oldest are right.") { run in
            let store = try run.open()
            let idle = try store.statistics()
            try run.equal(idle.activeReaders, 0, "the number of readers of an idle store")
            try run.check(idle.oldestReaderAge == nil, "no age without readers", found: "\(String(describing: idle.oldestReaderAge))")
            let signals = (0..<3).map { run.signal("reader \($0) to begin") }
            let end = run.signal("the readers to end")
            let readers = signals.map { begun in
                run.worker {
                    try store.read { _ in
                        begun.raise()
                        try end.wait()
                    }
                }
            }
            let busy = try {
                defer { end.raise() }
                for begun in signals { try begun.wait() }
                return try store.statistics()
            }()
            for reader in readers { try reader.join() }
            try run.equal(busy.activeReaders, 3, "the number of readers while three run")
            try run.check((busy.oldestReaderAge ?? .seconds(-1)) >= .zero, "an age of the oldest reader", found: "\(busy)")
            try run.equal(try store.statistics().activeReaders, 0, "the number of readers after they have ended")
        },
        SpecificationCase(
            "statistics.oldest-reader", "The age of the oldest read grows while it runs, whatever begins after it; after its end it is the age of the next one."
        ) { run in
            let store = try run.open()
            func age(_ when: String) throws -> Duration {
                guard let age = try store.statistics().oldestReaderAge else { throw run.failure("an age of the oldest read \(when)", found: "nil") }
                return age
            }
            let begun = run.signal("the first read to begin")
            let end = run.signal("the first read to end")
            let first = run.worker {
                try store.read { _ in
                    begun.raise()
                    try end.wait()
                }
            }
            defer { end.raise() }
            try begun.wait()
            let young = try age("that has begun")
            // It is this time that is measured.
            run.pause(0.3)
            let old = try age("that runs")
            try run.check(old > young, "an age above \(young) after a pause", found: "\(old)")
            let start = ContinuousClock.now
            try store.read { _ in
                let both = try age("of two")
                try run.check(both >= old, "the age of the older of two reads, \(old) or more", found: "\(both)")
                end.raise()
                try first.join()
                let rest = try age("that is left")
                // Clocks that are read cheaply go in steps.
                let longest = ContinuousClock.now - start + .milliseconds(100)
                try run.check(rest <= longest, "the age of the read that is left, \(longest) or less", found: "\(rest)")
            }
            try run.check(try store.statistics().oldestReaderAge == nil, "no age after the last read", found: "one")
        },
        SpecificationCase("statistics.inside-transactions", "Statistics can be asked for inside a read and a write.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.read { _ in
                let statistics = try store.statistics()
                try run.check(statistics.activeReaders >= 1, "the running read to be counted", found: "\(statistics)")
            }
            try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                try run.equal(try store.statistics().keyspaceCount, 1, "the number of keyspaces")
                try writer.put([2], [2], in: data)
            }
            try run.equal(try store.entries()?.count, 12, "the number of entries")
        },
    ]
}
