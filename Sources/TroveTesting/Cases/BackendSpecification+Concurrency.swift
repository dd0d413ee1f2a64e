import Foundation
import Synchronization
import TroveStorage

extension BackendSpecification {
    /// Many threads at once.
    static let concurrency: [SpecificationCase] = [
        SpecificationCase("concurrency.bank", "Readers beside writers that move money always see the same total, and no transfer is lost.") { run in
            let store = try run.open()
            let accounts = 50
            try store.fill((0..<accounts).map { Entry(.number($0), .number(1_000)) })
            let stop = run.signal("the writers to be done")
            let readers = (0..<3).map { _ in
                run.worker {
                    repeat {
                        try store.reading { reader, data in
                            let first = try reader.entries(in: data)
                            try run.equal(first.reduce(0) { $0 + $1.value.asNumber }, accounts * 1_000, "the total")
                            try run.equal(try reader.entries(in: data, order: .descending), first.reversed(), "a second look in the same read")
                        }
                    } while !stop.isRaised
                }
            }
            defer { stop.raise() }
            // A lost transfer leaves the total alone, so they are counted too.
            let committed = Mutex(0)
            try run.onThreads(4) { thread in
                var generator = SeededGenerator(seed: UInt64(thread))
                for round in 0..<100 {
                    let from = Int.random(in: 0..<accounts, using: &generator)
                    let to = Int.random(in: 0..<accounts, using: &generator)
                    let amount = Int.random(in: 0..<20, using: &generator)
                    do {
                        try store.writing { writer, data in
                            let source = try writer.value(of: .number(from), in: data)?.asNumber ?? 0
                            try writer.put(.number(from), .number(source - amount), in: data)
                            // Others have time to come between, who must not.
                            if round % 20 == 0 { Thread.sleep(forTimeInterval: 0.000_1) }
                            if source < amount || round % 10 == 9 { throw SpecificationRun.Deliberate() }
                            let target = try writer.value(of: .number(to), in: data)?.asNumber ?? 0
                            try writer.put(.number(to), .number(target + amount), in: data)
                            let transfers = try writer.createKeyspace(named: "transfers")
                            try writer.put([1], .number((try writer.value(of: [1], in: transfers)?.asNumber ?? 0) + 1), in: transfers)
                        }
                        committed.withLock { $0 += 1 }
                    } catch is SpecificationRun.Deliberate {}
                }
            }
            stop.raise()
            for reader in readers { try reader.join() }
            try run.equal(try store.entries(named: "transfers"), [Entry([1], .number(committed.withLock { $0 }))], "the number of transfers")
        },
        SpecificationCase("concurrency.many-readers", "32 threads read the same contents at the same time.") { run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<2_000, valueSize: 60)
            try store.fill(entries)
            try run.onThreads(32) { thread in
                for round in 0..<5 {
                    try store.reading { reader, data in
                        let start = (thread * 50 + round * 10) % 2_000
                        try run.equal(
                            try reader.entries(KeyRange(from: .number(start)), in: data), Array(entries[start...]), "the contents from \(start)")
                        try run.equal(try reader.value(of: .number(start), in: data), entries[start].value, "the value of \(start)")
                    }
                }
            }
        },
        SpecificationCase("concurrency.two-hundred-threads", "200 threads that read and write get through.") { run in
            let store = try run.open()
            try store.fill([])
            try run.onThreads(200) { thread in
                try store.fill([Entry(.number(thread), .number(thread))], durability: .relaxed)
                try store.reading { reader, data in
                    try run.equal(try reader.value(of: .number(thread), in: data), .number(thread), "the value this thread has written")
                }
            }
            try run.equal(try store.entries()?.count, 200, "the number of entries")
        },
        SpecificationCase("concurrency.monotonic", "What a thread reads never goes back to an older state.") { run in
            let store = try run.open()
            try store.fill([Entry([1], .number(0))])
            let stop = run.signal("the writer to be done")
            let readers = (0..<3).map { _ in
                run.worker {
                    var last = 0
                    repeat {
                        let number = try store.reading { reader, data in try reader.value(of: [1], in: data)?.asNumber ?? -1 }
                        try run.check(number >= last, "a number of at least \(last)", found: "\(number)")
                        last = number
                    } while !stop.isRaised
                }
            }
            defer { stop.raise() }
            for number in 1...300 { try store.fill([Entry([1], .number(number))], durability: .relaxed) }
            stop.raise()
            for reader in readers { try reader.join() }
        },
        SpecificationCase("concurrency.keyspaces", "Threads that create, fill and drop keyspaces of their own do not disturb each other.") { run in
            let store = try run.open()
            try run.onThreads(6) { thread in
                for round in 0..<15 {
                    let name = "thread \(thread)"
                    try store.fill(.numbered(0..<30, seed: round), in: name)
                    try run.equal(try store.entries(named: name) ?? [], .numbered(0..<30, seed: round), "the contents of the thread's keyspace")
                    try store.write(.relaxed) { writer in
                        guard let space = try writer.keyspace(named: name) else { throw MissingKeyspace() }
                        try writer.dropKeyspace(space)
                    }
                }
            }
            try run.equal(try store.read { try $0.keyspaceNames() }, [], "the names left")
        },
    ]
}
