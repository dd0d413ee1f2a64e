import Foundation
import TroveStorage

extension BackendSpecification {
    /// Guarantee 7: a transaction inside a transaction works or is a typed error, never a deadlock.
    static let reentry: [SpecificationCase] = [
        SpecificationCase("reentry.write-in-write", "A write inside a write throws writeInsideWrite, and the outer one goes on.") { run in
            let store = try run.open()
            try store.fill([Entry([0], [0])])
            try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                try run.fails(with: StorageError.writeInsideWrite, "a write inside a write") { try store.fill([Entry([9], [9])]) }
                try writer.savepoint {
                    try run.fails(with: StorageError.writeInsideWrite, "a write inside a savepoint") { try store.fill([Entry([9], [9])]) }
                }
                try writer.scan(.all, in: data, order: .ascending) { _, _ in
                    try run.fails(with: StorageError.writeInsideWrite, "a write inside a scan of a write") { try store.fill([Entry([9], [9])]) }
                    return .next
                }
                try writer.put([2], [2], in: data)
            }
            try run.equal(try store.entries()?.map(\.key), [[0], [1], [2]], "the keys")
        },
        SpecificationCase("reentry.read-in-read", "A read inside a read works, as deep as one likes.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            func nest(_ depth: Int) throws {
                try store.reading { reader, data in
                    try run.equal(try reader.count(in: data), 10, "the count at depth \(depth)")
                    if depth < 20 { try nest(depth + 1) }
                    try run.equal(try reader.entries(in: data), .numbered(0..<10), "the contents at depth \(depth) afterwards")
                }
            }
            try nest(0)
        },
        SpecificationCase("reentry.read-in-read-beside-writer", "A read inside a read does not wait for a writer that waits for the outer one.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            let writer: Worker = try store.reading { reader, data in
                try run.equal(try reader.count(in: data), 10, "the number of entries before")
                let started = run.signal("the writer to start")
                let writer = run.worker {
                    started.raise()
                    try store.fill(.numbered(10..<20))
                }
                try started.wait()
                for _ in 0..<20 {
                    Thread.sleep(forTimeInterval: 0.01)
                    _ = try store.reading { inner, data in try inner.count(in: data) }
                }
                try run.equal(try reader.entries(in: data), .numbered(0..<10), "the contents in the outer read")
                return writer
            }
            try writer.join()
            try run.equal(try store.entries() ?? [], .numbered(0..<20), "the contents after both")
        },
        SpecificationCase("reentry.read-in-write", "A read inside a write sees the state before it, or throws readInsideWrite, as the capabilities say.") {
            run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.writing { writer, data in
                try writer.put(.number(3), [33], in: data)
                try writer.put(.number(10), [10], in: data)
                if store.capabilities.canReadInsideWrite {
                    try run.equal(try store.entries() ?? [], .numbered(0..<10), "the contents in the read inside the write")
                } else {
                    try run.fails(with: StorageError.readInsideWrite, "a read inside a write") { try store.entries() }
                }
                try run.equal(try writer.value(of: .number(3), in: data), [33], "the value in the write afterwards")
                try writer.put(.number(11), [11], in: data)
            }
            try run.equal(try store.entries()?.count, 12, "the number of entries after the commit")
        },
        SpecificationCase(
            "reentry.write-in-read", "A write inside a read leaves the read's snapshot alone, or throws writeInsideRead, as the capabilities say."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            try store.reading { reader, data in
                let cursor = try reader.cursor(in: data)
                _ = try cursor.seekToFirst()
                if store.capabilities.canWriteInsideRead {
                    for round in 1...5 { try store.fill(.numbered(0..<20, seed: round)) }
                    try run.equal(try store.entries() ?? [], .numbered(0..<20, seed: 5), "the contents in a new read")
                } else {
                    try run.fails(with: StorageError.writeInsideRead, "a write inside a read") { try store.fill([Entry([9], [9])]) }
                }
                try run.equal(try reader.entries(in: data), .numbered(0..<10), "the contents in the read afterwards")
                try run.equal(try cursor.steppingUp(), .number(1), "the step of the read's cursor")
            }
            let expected = store.capabilities.canWriteInsideRead ? [Entry].numbered(0..<20, seed: 5) : .numbered(0..<10)
            try run.equal(try store.entries() ?? [], expected, "the contents after the read")
            try store.fill(.numbered(0..<5))
        },
        SpecificationCase("reentry.write-in-scan-of-read", "A write inside the body of a read's scan does not disturb the scan, or throws writeInsideRead.") {
            run in
            let store = try run.open()
            try store.fill(.numbered(0..<300))
            try store.reading { reader, data in
                var seen: [Int] = []
                try reader.scan(in: data) { key, _ in
                    let number = [UInt8](copying: key).asNumber
                    seen.append(number)
                    if store.capabilities.canWriteInsideRead && number % 30 == 0 {
                        try store.write(.relaxed) { writer in
                            let data = try writer.createKeyspace(named: "data")
                            try writer.deleteRange(KeyRange(from: .number(number)), in: data)
                        }
                    }
                    return .next
                }
                try run.equal(seen, Array(0..<300), "the visited keys")
            }
        },
        SpecificationCase(
            "reentry.maintenance",
            "synchronize, compact and backUp inside a transaction of the same thread work or are refused at once, and the transaction goes on."
        ) { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10))
            // A body may run more than once, and a backup takes the place of none.
            var copies = 0
            func maintain(_ place: String) throws {
                copies += 1
                let copy = "copy \(copies) \(place)"
                let calls: [() throws -> Void] = [
                    { try store.synchronize() }, { try store.compact() }, { try store.backUp(to: run.path(copy)) },
                ]
                for call in calls {
                    do { try call() } catch let error as StorageError {
                        switch error {
                        case .writeInsideWrite, .writeInsideRead, .readInsideWrite: break
                        case .unsupported where run.factory.kind == .inMemory: break
                        // To wait for oneself until the time is out is a deadlock too.
                        default: throw run.failure("a maintenance call \(place) to work, or to be refused at once as re-entry", found: "\(error)")
                        }
                    }
                }
            }
            try store.reading { reader, data in
                try maintain("in a read")
                try run.equal(try reader.entries(in: data), .numbered(0..<10), "the contents in the read afterwards")
            }
            try store.writing { writer, data in
                try writer.put(.number(10), .pattern(20, seed: 10), in: data)
                try maintain("in a write")
                try run.equal(try writer.entries(in: data), .numbered(0..<11), "the contents in the write afterwards")
            }
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries() ?? [], .numbered(0..<11), "the contents after the commit")
        },
        SpecificationCase("reentry.other-store", "Transactions of two different stores may be inside one another.") { run in
            let first = try run.open("first")
            let second = try run.open("second")
            try first.fill(.numbered(0..<5))
            try first.reading { reader, data in
                try second.fill(try reader.entries(in: data))
                try second.reading { inner, innerData in
                    try run.equal(try inner.entries(in: innerData), try reader.entries(in: data), "the contents of both stores")
                }
            }
            try first.writing { writer, data in
                try second.writing { innerWriter, innerData in
                    try innerWriter.put([1], [1], in: innerData)
                    try writer.put([2], [2], in: data)
                }
                try run.equal(try second.entries()?.count, 6, "the number of entries of the second store")
            }
            try run.equal(try first.entries()?.count, 6, "the number of entries of the first store")
        },

        SpecificationCase(
            "reentry.thread-inside-write",
            "A write that another thread begins for a write body waits for the end of that, or times out: it is never a deadlock."
        ) { run in
            guard let open = run.factory.openWithTimeout else {
                throw run.failure("the factory to give openWithTimeout", found: "nil")
            }
            let store = try run.open()
            let hasty = run.keep(try open(run.path(), .milliseconds(50)))
            let late: Worker = try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                let joined = run.worker {
                    try run.fails(with: StorageError.timedOut, "a write that the outer one waits for") { try hasty.fill([Entry([9], [9])]) }
                }
                try joined.join()
                let late = run.worker { try store.writing { writer, data in try writer.put([2], writer.value(of: [1], in: data) ?? [], in: data) } }
                try writer.put([1], [3], in: data)
                return late
            }
            try late.join()
            try run.equal(try store.entries() ?? [], [Entry([1], [3]), Entry([2], [3])], "the contents after both")
        },
        SpecificationCase("reentry.levels", "Reads inside writes inside reads keep to what the capabilities say, three deep.") { run in
            let store = try run.open()
            try store.fill([Entry([1], [1])])
            let capabilities = store.capabilities
            try store.reading { outer, data in
                try run.equal(try outer.count(in: data), 1, "the number of entries before")
                guard capabilities.canWriteInsideRead else {
                    try run.fails(with: StorageError.writeInsideRead, "a write inside a read") { try store.fill([Entry([2], [2])]) }
                    return
                }
                try store.writing { writer, inner in
                    try writer.put([2], [2], in: inner)
                    if capabilities.canReadInsideWrite {
                        try run.equal(try store.entries() ?? [], [Entry([1], [1])], "the contents in the innermost read")
                    }
                    try run.fails(with: StorageError.writeInsideWrite, "a write in both") { try store.fill([Entry([3], [3])]) }
                }
                try run.equal(try outer.entries(in: data), [Entry([1], [1])], "the contents in the outer read")
            }
            try run.equal(try store.entries()?.count, capabilities.canWriteInsideRead ? 2 : 1, "the number of entries")
        },
    ]
}
