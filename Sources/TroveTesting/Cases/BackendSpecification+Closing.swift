import Foundation
import Synchronization
import TroveStorage

extension BackendSpecification {
    /// Closing: what it waits for, what it refuses, what comes after.
    static let closing: [SpecificationCase] = [
        SpecificationCase("closing.use-after-close", "After close every call throws closed.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<5))
            try store.close()
            let copy = run.path("copy")
            let uses: [(String, () throws -> Void)] = [
                ("read", { try store.read { _ in } }),
                ("write", { try store.write(.durable) { _ in } }),
                ("synchronize", { try store.synchronize() }),
                ("backUp", { try store.backUp(to: copy) }),
                ("compact", { try store.compact() }),
                ("statistics", { _ = try store.statistics() }),
            ]
            for (name, use) in uses { try run.fails(with: StorageError.closed, "\(name) after close", use) }
            try run.check(!FileManager.default.fileExists(atPath: copy), "no file where a refused backup would have been", found: "one")
        },
        SpecificationCase("closing.twice", "Closing twice is harmless.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<5))
            try store.close()
            try store.close()
            try store.close()
            try run.fails(with: StorageError.closed, "a read after closing three times") { try store.read { _ in } }
            try run.equal(try run.open().entries()?.count, run.factory.isPersistent ? 5 : nil, "the number of entries after opening again")
        },
        SpecificationCase("closing.inside-transaction", "Closing inside a transaction throws closeInsideTransaction, and the transaction goes on.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                try run.fails(with: StorageError.closeInsideTransaction, "close inside a write") { try store.close() }
                try writer.put([1], [1], in: data)
            }
            try store.reading { reader, data in
                try run.fails(with: StorageError.closeInsideTransaction, "close inside a read") { try store.close() }
                try run.equal(try reader.count(in: data), 1, "the count in the read afterwards")
            }
            try store.fill([Entry([2], [2])])
            try run.equal(try store.entries()?.count, 2, "the number of entries")
        },
        SpecificationCase("closing.waits-for-readers", "close waits until running reads have ended.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<100))
            let isReading = Mutex(true)
            let begun = run.signal("the read to begin")
            let reader = run.worker {
                try store.reading { reader, data in
                    begun.raise()
                    for _ in 0..<30 {
                        Thread.sleep(forTimeInterval: 0.01)
                        try run.equal(try reader.entries(in: data), .numbered(0..<100), "the contents while another thread closes")
                    }
                    isReading.withLock { $0 = false }
                }
            }
            try begun.wait()
            try store.close()
            try run.check(!isReading.withLock { $0 }, "close to return after the read has ended", found: "the read still runs")
            try reader.join()
        },
        SpecificationCase("closing.waits-for-writer", "close waits until the running write has committed.") { run in
            let store = try run.open()
            let begun = run.signal("the write to begin")
            let isWriting = Mutex(true)
            let writer = run.worker {
                try store.writing { writer, data in
                    begun.raise()
                    for number in 0..<30 {
                        Thread.sleep(forTimeInterval: 0.01)
                        try writer.put(.number(number), [1], in: data)
                    }
                    isWriting.withLock { $0 = false }
                }
            }
            try begun.wait()
            try store.close()
            try run.check(!isWriting.withLock { $0 }, "close to return after the write has ended", found: "the write still runs")
            try writer.join()
            if run.factory.isPersistent {
                try run.equal(try run.open().entries()?.count, 30, "the number of entries after opening again")
            }
        },
        SpecificationCase("closing.write-inside-read", "A write that a read body begins while another thread closes does not hang either of them.") { run in
            let store = try run.open()
            guard store.capabilities.canWriteInsideRead else { return }
            try store.fill(.numbered(0..<5))
            let begun = run.signal("the read to begin")
            let reader = run.worker {
                try store.reading { _, _ in
                    begun.raise()
                    Thread.sleep(forTimeInterval: 0.2)
                    do { try store.fill([Entry([1], [1])]) } catch StorageError.closed {}
                }
            }
            try begun.wait()
            try store.close()
            try reader.join()
        },
        SpecificationCase("closing.open-inside-read", "While a thread waits to close one store, a body of that store may open another one.") { run in
            let store = try run.open("first")
            try store.fill(.numbered(0..<5))
            let begun = run.signal("the read to begin")
            let reader = run.worker {
                try store.reading { reader, data in
                    begun.raise()
                    Thread.sleep(forTimeInterval: 0.2)
                    let other = try run.open("second")
                    try other.fill(try reader.entries(in: data))
                    try other.close()
                }
            }
            try begun.wait()
            try store.close()
            try reader.join()
        },
        SpecificationCase("closing.under-load", "Threads that read and write while the store closes finish their transactions or get closed, nothing else.") {
            run in
            for round in 0..<5 {
                let store = try run.open("round \(round)")
                try store.fill([Entry([1], .number(0)), Entry([2], .number(0))])
                let ready = run.signal("some transactions to have run")
                let committed = Mutex(0)
                let workers = (0..<4).map { thread in
                    run.worker {
                        do {
                            while true {
                                if thread < 2 {
                                    let values = try store.reading { reader, data in try reader.entries(in: data).map(\.value) }
                                    try run.equal(values.first, values.last, "the two values that every write makes equal")
                                } else {
                                    let number: Int = try store.writing { writer, data in
                                        let number = (try writer.value(of: [1], in: data)?.asNumber ?? 0) + 1
                                        try writer.put([1], .number(number), in: data)
                                        try writer.put([2], .number(number), in: data)
                                        return number
                                    }
                                    committed.withLock { $0 = max($0, number) }
                                    if number == 20 { ready.raise() }
                                }
                            }
                        } catch StorageError.closed {}
                    }
                }
                try ready.wait()
                try store.close()
                for worker in workers { try worker.join() }
                if run.factory.isPersistent {
                    let last = committed.withLock { $0 }
                    try run.equal(try run.open("round \(round)").entries()?.map(\.value.asNumber), [last, last], "the last committed values")
                }
            }
        },
        SpecificationCase("closing.from-many-threads", "Several threads may close the same store.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<5))
            try run.onThreads(6) { _ in try store.close() }
            try run.fails(with: StorageError.closed, "a read afterwards") { try store.read { _ in } }
        },
    ]
}
