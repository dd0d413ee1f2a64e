import Dispatch
import Foundation
import Synchronization
import TestSupport
import Trove

/// Thousands of tasks that read, write and observe one store at the same time.
enum Crowd {
    /// Lets `count` tasks run at once, twice, and reports what they needed.
    static func run(_ engine: Engine, _ path: String, count: Int) async throws -> CrowdReport {
        let before = needs()
        let store = try OpenStore(engine, path).objects
        let peak = Mutex(before)
        let isDone = Atomic(false)
        let watcher = Thread {
            while !isDone.load(ordering: .acquiring) {
                let now = needs()
                peak.withLock { $0 = CrowdReport.Needs(threads: max($0.threads, now.threads), files: max($0.files, now.files)) }
                usleep(5_000)
            }
        }
        watcher.start()
        var failures = await crowd(store, count)
        let between = needs()
        failures += await crowd(store, count)
        // What the first ten thousand have needed serves the second.
        let afterwards = try await settledNeeds(
            atMost: .init(threads: between.threads + CrowdReport.slack.threads, files: before.files + CrowdReport.mostFiles))
        let sum = try await store.fetch(Account.self, id: 0)?.balance ?? 0
        isDone.store(true, ordering: .releasing)
        try await store.close()
        let closed = try await settledNeeds(atMost: .init(threads: .max, files: before.files + CrowdReport.slack.files))
        return CrowdReport(
            before: before, during: peak.withLock { $0 }, between: between, afterwards: afterwards, closed: closed,
            writes: 2 * (count / 5), sum: sum, failures: failures)
    }

    /// Returns how many of the tasks failed.
    private static func crowd(_ store: ObjectStore, _ count: Int) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    do { return try await work(store, number) } catch { return false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
        }
    }

    private static func work(_ store: ObjectStore, _ number: Int) async throws -> Bool {
        switch number % 5 {
        case 0:
            try await store.write(.relaxed) { transaction in
                let balance = try transaction.fetch(Account.self, id: 0)?.balance ?? 0
                try transaction.save(Account(id: 0, balance: balance + 1))
            }
            return true
        case 1: return try await store.fetch(Account.self, id: 0).map { $0.balance >= 0 } ?? true
        case 2: return try await store.fetch(Account.self).count() <= 1
        case 3:
            for try await accounts in store.observe(store.fetch(Account.self)) { return accounts.count <= 1 }
            return false
        default:
            for try await account in store.fetch(Account.self).stream() { return account.id == 0 }
            return true
        }
    }

    /// What is needed once it is no more than `bound`, or after a minute: the system ends idle threads, and closes their files, after some seconds.
    private static func settledNeeds(atMost bound: CrowdReport.Needs) async throws -> CrowdReport.Needs {
        for _ in 0..<1_200 {
            let now = needs()
            if now.threads <= bound.threads && now.files <= bound.files { return now }
            try await Task.sleep(for: .milliseconds(50))
        }
        return needs()
    }

    private static func needs() -> CrowdReport.Needs {
        func count(_ directory: String) -> Int {
            // Only Linux has these directories.
            do { return try FileManager.default.contentsOfDirectory(atPath: directory).count } catch { return 0 }
        }
        return CrowdReport.Needs(threads: count("/proc/self/task"), files: count("/proc/self/fd"))
    }
}
