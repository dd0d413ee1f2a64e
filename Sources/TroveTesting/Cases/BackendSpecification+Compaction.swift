import Foundation
import Synchronization
import TroveStorage

extension BackendSpecification {
    /// Compaction and figures about the store.
    static let compaction: [SpecificationCase] = [
        SpecificationCase("compaction.keeps-contents", "Compaction changes no contents, before and after most of them are deleted.") { run in
            let store = try run.open()
            try store.compact()
            try store.fill(.numbered(0..<8_000, valueSize: 300))
            try store.fill([Entry([1], .pattern(200_000))], in: "other")
            try store.compact()
            try run.equal(try store.entries() ?? [], .numbered(0..<8_000, valueSize: 300), "the contents after the first compaction")
            try store.writing { writer, data in
                try writer.deleteRange(KeyRange(from: .number(100), upTo: .number(7_900)), in: data)
            }
            let expected = [Entry].numbered(Array(0..<100) + Array(7_900..<8_000), valueSize: 300)
            try store.compact()
            try run.equal(try store.entries() ?? [], expected, "the contents after deletes and compaction")
            try store.fill(.numbered(20_000..<20_010))
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries()?.count, 210, "the number of entries after opening again")
            try run.equal(try reopened.entries(named: "other") ?? [], [Entry([1], .pattern(200_000))], "the contents of the other keyspace")
        },
        SpecificationCase("compaction.gives-back", "After most of a store was deleted, compaction makes the file smaller.") { run in
            let store = try run.open()
            guard run.factory.kind == .files else { return }
            try store.fill(.numbered(0..<4_000, valueSize: 1_000))
            try store.synchronize()
            try store.compact()
            let full = try store.statistics().fileSize
            try run.check(full >= 4_000_000, "a file of at least 4,000,000 bytes", found: "\(full)")
            try store.writing { writer, data in try writer.deleteRange(KeyRange(from: .number(40)), in: data) }
            try store.compact()
            let compacted = try store.statistics().fileSize
            try run.check(compacted < full / 2, "a file of less than half of \(full) bytes", found: "\(compacted)")
            try run.equal(try store.entries()?.count, 40, "the number of entries")
        },
        SpecificationCase("compaction.beside-others", "Compaction waits for transactions and lets them in again, whatever comes at the same time.") { run in
            let store = try run.open()
            try store.fill([Entry([1], .number(0)), Entry([2], .number(0))])
            try run.onThreads(4) { thread in
                for _ in 0..<15 {
                    switch thread {
                    case 0:
                        try store.compact()
                    case 1, 2:
                        try store.writing { writer, data in
                            let number = (try writer.value(of: [1], in: data)?.asNumber ?? 0) + 1
                            try writer.put([1], .number(number), in: data)
                            try writer.put([2], .number(number), in: data)
                        }
                    default:
                        let values = try store.reading { reader, data in try reader.entries(in: data).map(\.value) }
                        try run.equal(values.first, values.last, "the two values that every write makes equal")
                    }
                }
            }
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries()?.map(\.value.asNumber), [30, 30], "the values")
        },
        SpecificationCase("compaction.waits-for-writer", "compact waits until the running write has committed, and keeps its changes.") { run in
            // A server may care for its space itself, and return at once.
            guard run.factory.kind != .server else { return }
            let store = try run.open()
            try store.fill(.numbered(0..<100))
            let begun = run.signal("the write to begin")
            let isWriting = Mutex(true)
            let writer = run.worker {
                try store.writing { writer, data in
                    begun.raise()
                    for number in 100..<130 {
                        Thread.sleep(forTimeInterval: 0.01)
                        try writer.put(.number(number), .pattern(20, seed: number), in: data)
                    }
                    isWriting.withLock { $0 = false }
                }
            }
            try begun.wait()
            try store.compact()
            try run.check(!isWriting.withLock { $0 }, "compact to return after the write has ended", found: "the write still runs")
            try writer.join()
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries() ?? [], .numbered(0..<130), "the contents after opening again")
        },
        SpecificationCase(
            "compaction.keeps-commits", "Whatever is committed beside compactions, each commit changing keys of its own, is there after opening again."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<2_000, valueSize: 100))
            let isDone = Mutex(false)
            let committed = Mutex<[Int]>([])
            try run.onThreads(3) { thread in
                if thread == 0 {
                    defer { isDone.withLock { $0 = true } }
                    for _ in 0..<20 { try store.compact() }
                    return
                }
                // Most of them fall into a compaction, if one lets them.
                for round in 0..<20_000 where !isDone.withLock({ $0 }) {
                    let number = thread * 100_000 + round
                    try store.fill([Entry(.number(number), .number(number))], durability: round % 2 == 0 ? .relaxed : .buffered)
                    committed.withLock { $0.append(number) }
                    Thread.sleep(forTimeInterval: 0.000_2)
                }
            }
            let reopened = try run.reopen(store)
            let expected = [Entry].numbered(0..<2_000, valueSize: 100) + committed.withLock { $0.sorted() }.map { Entry(.number($0), .number($0)) }
            try run.equal(try reopened.entries() ?? [], expected, "the contents after opening again")
        },
        SpecificationCase(
            "compaction.opened-twice", "Compaction through one of two backends on a path leaves both usable, and a third opening gives the same engine."
        ) { run in
            let first = try run.open()
            let second = try run.open()
            try first.fill(.numbered(0..<1_000))
            try first.compact()
            try second.fill([Entry([1], [1])])
            let third = try run.open()
            try third.fill([Entry([2], [2])])
            try first.writing { _, _ in
                try run.fails(with: StorageError.writeInsideWrite, "a write through the third inside a write of the first") {
                    try third.fill([Entry([3], [3])])
                }
            }
            for store in [first, second, third] { try run.equal(try store.entries()?.count, 1_002, "the number of entries") }
        },
        SpecificationCase("compaction.while-opening", "Threads that open and close the path while another compacts get the one engine, and lose nothing.") {
            run in
            let store = try run.open()
            try store.fill(.numbered(0..<200, valueSize: 200))
            try run.onThreads(4) { thread in
                for round in 0..<40 {
                    if thread == 0 { try store.compact() } else {
                        let other = try run.factory.open(run.path())
                        if round % 8 == 0 { try other.fill([Entry(.number(1_000 * thread + round), [1])], durability: .relaxed) }
                        let count = try other.entries()?.count ?? 0
                        try run.check(count >= 200, "at least the first 200 entries through another opening", found: "\(count)")
                        try other.close()
                    }
                }
            }
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries()?.count, 215, "the number of entries")
        },
    ]
}
