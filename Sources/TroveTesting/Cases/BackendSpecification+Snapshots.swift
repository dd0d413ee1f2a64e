import Foundation
import Synchronization
import TroveStorage

extension BackendSpecification {
    /// Guarantee 4: a read body sees one committed state from beginning to end.
    static let snapshots: [SpecificationCase] = [
        SpecificationCase("snapshots.held-across-commits", "A read sees the same contents before, during and after another thread's commits.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<500))
            let begun = run.signal("the read to begin")
            let committed = run.signal("the writer to commit beside the reader")
            let proceeds = store.capabilities.readersDuringWrite == .proceed
            let writer = run.worker {
                try begun.wait()
                for round in 1...20 {
                    try store.fill(.numbered(0..<500, seed: round))
                    try store.fill(.numbered(1_000..<1_000 + round), in: "new \(round)")
                }
                try store.writing { writer, data in try writer.dropKeyspace(data) }
                committed.raise()
            }
            try store.reading { reader, data in
                let cursor = try reader.cursor(in: data)
                _ = try cursor.seekToFirst()
                begun.raise()
                // Where a write waits for readers, waiting for the commit here would be for ever.
                if proceeds { try committed.wait() }
                for _ in 0..<20 {
                    try run.equal(try reader.entries(in: data), .numbered(0..<500), "the contents in the read")
                    try run.equal(try reader.keyspaceNames(), ["data"], "the names in the read")
                }
                try run.equal(try cursor.steppingUp(), .number(1), "the step of the cursor opened before the commits")
                try run.equal(try reader.count(in: data), 500, "the count in the read")
            }
            try writer.join()
            try run.equal(try store.entries(), nil, "the keyspace dropped by the writer, in a new read")
            try run.equal(try store.read { try $0.keyspaceNames() }.count, 20, "the number of keyspaces in a new read")
        },
        SpecificationCase("snapshots.fresh", "A read begun after a write has returned sees it, on every thread.") { run in
            let store = try run.open()
            for round in 0..<100 {
                try store.fill([Entry([1], .number(round))])
                try run.equal(try store.entries() ?? [], [Entry([1], .number(round))], "the contents on the writer's thread")
                if round % 10 == 0 {
                    try run.onThreads(3) { _ in
                        try run.equal(try store.entries() ?? [], [Entry([1], .number(round))], "the contents on another thread")
                    }
                }
            }
        },
        SpecificationCase("snapshots.uncommitted", "Nobody sees a change before it is committed.") { run in
            let store = try run.open()
            try store.fill([Entry([1], [0])])
            let wrote = run.signal("the writer to change an entry")
            let looked = run.signal("the reader to look")
            let proceeds = store.capabilities.readersDuringWrite == .proceed
            let reader = run.worker {
                try wrote.wait()
                defer { looked.raise() }
                let contents = try store.entries() ?? []
                // Where readers wait for the commit this read may come after it.
                try run.check(
                    contents == [Entry([1], [0])] || (!proceeds && contents == [Entry([1], [2]), Entry([2], [2])]),
                    "the contents before the write or, where readers wait, after it", found: "\(contents)")
            }
            try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                wrote.raise()
                if proceeds { try looked.wait() }
                try writer.put([1], [2], in: data)
                try writer.put([2], [2], in: data)
            }
            try reader.join()
        },
        SpecificationCase("snapshots.many-versions", "Readers that began between commits each keep their own version.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<200))
            let proceeds = store.capabilities.readersDuringWrite == .proceed
            let end = run.signal("all versions to be written")
            var readers: [Worker] = []
            for round in 1...12 {
                let begun = run.signal("reader \(round) to begin")
                readers.append(
                    run.worker {
                        try store.reading { reader, data in
                            let first = try reader.entries(in: data)
                            begun.raise()
                            try run.equal(first, .numbered(0..<200, seed: round - 1), "version \(round - 1) when the read begins")
                            if proceeds { try end.wait() }
                            try run.equal(try reader.entries(in: data), first, "version \(round - 1) when the read ends")
                        }
                    })
                try begun.wait()
                try store.fill(.numbered(0..<200, seed: round))
            }
            end.raise()
            for reader in readers { try reader.join() }
        },
        SpecificationCase("snapshots.long-reader", "A long read keeps its contents while other threads delete, rewrite and grow the store.") { run in
            let store = try run.open()
            let entries = (0..<400).map { Entry(.number($0), .pattern($0 % 50 == 0 ? 40_000 : 300, seed: $0)) }
            try store.fill(entries)
            let begun = run.signal("the read to begin")
            let written = run.signal("200 commits beside the reader")
            let proceeds = store.capabilities.readersDuringWrite == .proceed
            let writer = run.worker {
                try begun.wait()
                for round in 0..<200 {
                    try store.write(.relaxed) { writer in
                        let data = try writer.createKeyspace(named: "data")
                        try writer.deleteRange(KeyRange(from: .number(round), upTo: .number(round + 30)), in: data)
                        for number in 0..<40 { try writer.put(.number(round * 7 + number), .pattern(500, seed: round), in: data) }
                    }
                }
                written.raise()
            }
            try store.reading { reader, data in
                begun.raise()
                for _ in 0..<(proceeds ? 3 : 1) {
                    try run.equal(try reader.entries(in: data), entries, "the contents in the read")
                }
                if proceeds { try written.wait() }
                try run.equal(try reader.entries(in: data, order: .descending), entries.reversed(), "the contents at the end of the read")
            }
            try writer.join()
        },

        SpecificationCase(
            "snapshots.across-compaction", "A read that began before a deletion and a compaction sees what was there, however long these wait for it."
        ) { run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<2_000, valueSize: 300)
            try store.fill(entries)
            let begun = run.signal("the read to begin")
            let deleted = run.signal("the deletion to be committed")
            let worker = run.worker {
                try begun.wait()
                try store.writing { writer, data in try writer.deleteRange(KeyRange(from: .number(10)), in: data) }
                deleted.raise()
                try store.compact()
                try store.fill(.numbered(5_000..<6_000))
            }
            try store.reading { reader, data in
                let cursor = try reader.cursor(in: data)
                _ = try cursor.seeking(.number(700))
                begun.raise()
                if store.capabilities.readersDuringWrite == .proceed { try deleted.wait() }
                for _ in 0..<10 {
                    Thread.sleep(forTimeInterval: 0.01)
                    try run.equal(try reader.entries(in: data), entries, "the contents in the read")
                }
                try run.equal(try cursor.steppingUp(), .number(701), "the step of the cursor")
            }
            try worker.join()
            try run.equal(try store.entries()?.count, 1_010, "the number of entries afterwards")
        },
        SpecificationCase(
            "snapshots.keyspace-made-anew", "A read keeps the keyspace that it has a handle on, while another of the same name takes its place several times."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<300))
            let begun = run.signal("the read to begin")
            let replaced = run.signal("the keyspace to be replaced")
            let worker = run.worker {
                try begun.wait()
                for round in 1...10 {
                    try store.writing { writer, data in
                        try writer.dropKeyspace(data)
                        let new = try writer.createKeyspace(named: "data")
                        for number in 0..<50 { try writer.put(.number(number), .number(round), in: new) }
                    }
                }
                replaced.raise()
            }
            try store.reading { reader, data in
                // The snapshot is taken with the first answer at the latest; a handle is none.
                try run.equal(try reader.count(in: data), 300, "the number of entries before")
                begun.raise()
                if store.capabilities.readersDuringWrite == .proceed { try replaced.wait() }
                try run.equal(try reader.entries(in: data), .numbered(0..<300), "the contents by the handle")
                try run.equal(try reader.entries(named: "data") ?? [], .numbered(0..<300), "the contents by the name")
            }
            try worker.join()
            try run.equal(try store.entries() ?? [], (0..<50).map { Entry(.number($0), .number(10)) }, "the contents afterwards")
        },
    ]
}
