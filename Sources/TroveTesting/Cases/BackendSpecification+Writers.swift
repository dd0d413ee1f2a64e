import Foundation
import Synchronization
import TroveStorage

extension BackendSpecification {
    /// Guarantee 3: one write at a time, others wait in order, for a bounded time.
    static let writers: [SpecificationCase] = [
        SpecificationCase("writers.increments", "Eight threads that each add one 200 times come to 1,600.") { run in
            let store = try run.open()
            try store.fill([Entry([1], .number(0))])
            try run.onThreads(8) { _ in
                for round in 0..<200 {
                    try store.write(.relaxed) { writer in
                        let data = try writer.createKeyspace(named: "data")
                        let old = try writer.value(of: [1], in: data)?.asNumber ?? -1
                        // Between looking and writing there is time for others, who must not use it.
                        if round % 20 == 0 { Thread.sleep(forTimeInterval: 0.000_1) }
                        try writer.put([1], .number(old + 1), in: data)
                    }
                }
            }
            try run.equal(try store.entries() ?? [], [Entry([1], .number(1_600))], "the sum")
        },
        SpecificationCase("writers.exclusive", "No two write bodies run at the same time.") { run in
            let store = try run.open()
            let inside = Mutex(0)
            try run.onThreads(6) { thread in
                for round in 0..<50 {
                    try store.write(.relaxed) { writer in
                        let others = inside.withLock { inside in
                            defer { inside += 1 }
                            return inside
                        }
                        defer { inside.withLock { $0 -= 1 } }
                        try run.equal(others, 0, "the number of other threads in a write body")
                        try writer.put(.number(thread), .number(round), in: writer.createKeyspace(named: "data"))
                        Thread.sleep(forTimeInterval: 0.000_1)
                        let isAlone = inside.withLock { $0 == 1 }
                        try run.check(isAlone, "no other thread to enter while the body runs")
                    }
                }
            }
            try run.equal(try store.entries()?.count, 6, "the number of entries")
        },
        SpecificationCase("writers.no-starvation", "A thread that writes without pause does not keep another one out.") { run in
            let store = try run.open()
            let isDone = Mutex(false)
            let busyWrites = Mutex(0)
            let begun = run.signal("the busy writer to begin")
            let busy = run.worker {
                // An unfair lock lets the busy thread in again and again; a fair one hands over at once.
                while !isDone.withLock({ $0 }) {
                    let round = busyWrites.withLock { writes in
                        writes += 1
                        return writes
                    }
                    try store.write(.relaxed) { writer in
                        try writer.put([1], .number(round), in: writer.createKeyspace(named: "data"))
                    }
                    if round == 10 { begun.raise() }
                }
            }
            defer { isDone.withLock { $0 = true } }
            try begun.wait()
            var waits: [Int] = []
            for number in 0..<20 {
                let before = busyWrites.withLock { $0 }
                try store.write(.relaxed) { writer in
                    waits.append(busyWrites.withLock { $0 } - before)
                    try writer.put([2], .number(number), in: writer.createKeyspace(named: "data"))
                }
            }
            isDone.withLock { $0 = true }
            try busy.join()
            // The median, as a thread that the machine does not run at once lets some writes pass before it even asks.
            try run.check(waits.sorted()[10] <= 100, "a writer to come after at most 100 writes of a busy one", found: "it let pass \(waits)")
        },
        SpecificationCase("writers.in-order", "Writers that wait come in the order of their arrival.") { run in
            try run.patiently(startingAt: 0.1) { name, pause in
                let store = try run.open(name)
                let order = Mutex<[Int]>([])
                var workers: [Worker] = []
                try store.writing { _, _ in
                    // The body may run more than once, and so may those of the writers, each time behind others.
                    guard workers.isEmpty else { return }
                    for number in 0..<6 {
                        let started = run.signal("writer \(number) to start")
                        workers.append(
                            run.worker {
                                started.raise()
                                try store.write(.relaxed) { _ in order.withLock { if !$0.contains(number) { $0.append(number) } } }
                            })
                        try started.wait()
                        run.pause(pause)
                    }
                }
                for worker in workers { try worker.join() }
                try run.equal(order.withLock { $0 }, Array(0..<6), "the order of the writers")
            }
        },
        SpecificationCase("writers.timeout", "A writer that waits longer than the timeout gets timedOut, which may be tried again, and the store goes on.") {
            run in
            guard let open = run.factory.openWithTimeout else {
                throw run.failure("the factory to give openWithTimeout", found: "nil")
            }
            let store = run.keep(try open(run.path(), .milliseconds(50)))
            let waited = run.signal("the second writer to give up")
            let begun = run.signal("the first writer to begin")
            let holder = run.worker {
                try store.writing { writer, data in
                    begun.raise()
                    try writer.put([1], [1], in: data)
                    try waited.wait()
                }
            }
            try begun.wait()
            do {
                defer { waited.raise() }
                try run.fails(with: StorageError.timedOut, "a write while another one runs") { try store.fill([Entry([2], [2])]) }
                do { try store.fill([Entry([2], [2])]) } catch let error as StorageError {
                    try run.check(error.isRetryable, "a time-out to be worth another try")
                }
            }
            try holder.join()
            try store.fill([Entry([3], [3])])
            try run.equal(try store.entries() ?? [], [Entry([1], [1]), Entry([3], [3])], "the contents")
        },
        SpecificationCase("writers.different-stores", "Writes to two stores do not wait for each other.") { run in
            let first = try run.open("first")
            let second = try run.open("second")
            let done = run.signal("the write to the second store")
            let worker: Worker = try first.writing { writer, data in
                let worker = run.worker {
                    try second.fill([Entry([2], [2])])
                    done.raise()
                }
                try done.wait()
                try writer.put([1], [1], in: data)
                return worker
            }
            try worker.join()
            try run.equal(try first.entries() ?? [], [Entry([1], [1])], "the contents of the first store")
            try run.equal(try second.entries() ?? [], [Entry([2], [2])], "the contents of the second store")
        },

        SpecificationCase(
            "writers.beside-long-reader", "A write beside a long read of another thread commits where readers proceed; elsewhere it waits, and times out."
        ) { run in
            guard let open = run.factory.openWithTimeout else {
                throw run.failure("the factory to give openWithTimeout", found: "nil")
            }
            let store = run.keep(try open(run.path(), .milliseconds(50)))
            try store.fill([Entry([1], [1])])
            let begun = run.signal("the read to begin")
            let tried = run.signal("the write to be tried")
            let reader = run.worker {
                try store.reading { reader, data in
                    try run.equal(try reader.count(in: data), 1, "the number of entries before")
                    begun.raise()
                    try tried.wait()
                    try run.equal(try reader.entries(in: data), [Entry([1], [1])], "the contents in the read")
                }
            }
            try begun.wait()
            do {
                defer { tried.raise() }
                if store.capabilities.readersDuringWrite == .proceed {
                    try store.fill([Entry([2], [2])])
                } else {
                    try run.fails(with: StorageError.timedOut, "a write beside a long read") { try store.fill([Entry([2], [2])]) }
                }
            }
            try reader.join()
            try store.fill([Entry([2], [2])])
            try run.equal(try store.entries()?.count, 2, "the number of entries")
        },
        SpecificationCase("writers.timeout-in-the-queue", "A writer that gives up leaves those before and after it in the queue alone.") { run in
            guard let open = run.factory.openWithTimeout else {
                throw run.failure("the factory to give openWithTimeout", found: "nil")
            }
            try run.patiently(startingAt: 0.1) { name, pause in
                let store = run.keep(try open(run.path(name), .milliseconds(Int(pause * 15_000))))
                let order = Mutex<[Int]>([])
                var workers: [Worker] = []
                try store.write(.relaxed) { _ in
                    // The body may run more than once, and so may those of the writers, each time behind others.
                    guard workers.isEmpty else { return }
                    for number in 0..<4 {
                        let started = run.signal("writer \(number) to start")
                        workers.append(
                            run.worker {
                                started.raise()
                                do {
                                    try store.write(.relaxed) { _ in order.withLock { if !$0.contains(number) { $0.append(number) } } }
                                } catch StorageError.timedOut {
                                    order.withLock { $0.append(-1 - number) }
                                }
                            })
                        try started.wait()
                        // The first comes long enough before the others to give up while they have time left.
                        run.pause(number == 0 ? pause * 10 : pause)
                    }
                    try workers[0].join()
                }
                for worker in workers { try worker.join() }
                try run.equal(order.withLock { $0 }, [-1, 1, 2, 3], "the time-out of the first writer, and the order of the others")
            }
        },
        SpecificationCase("writers.after-errors", "A write body that throws lets the next writer in, on the same thread and on those that wait.") { run in
            let store = try run.open()
            try store.fill([Entry([0], .number(0))])
            try run.onThreads(6) { thread in
                for _ in 0..<30 {
                    do {
                        try store.write(.relaxed) { writer in
                            let data = try writer.createKeyspace(named: "data")
                            let sum = try writer.value(of: [0], in: data)?.asNumber ?? 0
                            try writer.put([0], .number(sum + 1), in: data)
                            if thread % 2 == 0 { throw SpecificationRun.Deliberate(number: thread) }
                        }
                    } catch is SpecificationRun.Deliberate {}
                }
            }
            try run.equal(try store.entries() ?? [], [Entry([0], .number(90))], "the sum")
        },
    ]
}
