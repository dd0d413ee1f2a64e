import Dispatch
import ProbeKit
import TestSupport
import Testing
import TroveLMDB
import TroveSQLite
import TroveStorage

/// Rings that threads and processes rearrange while others follow them, over the storage API.
@Suite struct RingTests {
    /// Four threads rearrange, two follow.
    @Test(arguments: Engine.allCases) func threads(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try engine.open(directory.file())
        let ring = StorageRing(store)
        try ring.make(50)
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: 6) { worker in
            failures.attempt {
                if worker < 4 { try ring.rearrange(times: 200, seed: UInt64(worker)) } else { for _ in 0..<200 { try ring.check() } }
            }
        }
        #expect(failures.list == [])
        try ring.check()
        try store.close()
        guard engine != .memory else { return }
        let reopened = try engine.open(directory.file())
        try StorageRing(reopened).check()
        try reopened.close()
    }

    /// Three processes rearrange while this one does and follows. An engine of one process refuses them by name.
    @Test(arguments: Engine.persistent.map(\.rawValue) + [AnyEngine.sortedArray]) func processes(engine: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let store = try AnyEngine.open(engine, path)
        let ring = StorageRing(store)
        try ring.make(30)
        let failures = Failures()
        let isShared = store.capabilities.sharing == .manyProcesses
        await onThreads(4) { worker in
            failures.attempt {
                if worker == 3 {
                    for round in 0..<20 {
                        try ring.rearrange(times: 5, seed: UInt64(100 + round))
                        try ring.check()
                    }
                } else {
                    let error = try ProbeProgram.run(["ring", engine, path, "\(worker)", "100"])
                    if error != (isShared ? "" : "locked") { failures.note("process \(worker): '\(error)'") }
                }
            }
        }
        #expect(failures.list == [])
        try ring.check()
        try store.close()
    }

    /// The map of LMDB grows from 64 KiB while some readers are short and one is long: the growth waits for readers, and nobody sees half of anything.
    @Test func longReadersWhileTheMapGrows() async throws {
        let directory = try TemporaryDirectory()
        var options = LMDBBackend.Options()
        options.mapSize = 1 << 16
        let store = try LMDBBackend(path: directory.file(), options: options)
        try await growBesideReaders(store)
        #expect(try store.statistics().engineFigures["mapSize"] ?? 0 > 1 << 20)
        try store.close()
    }

    /// The log of SQLite is copied back every 20 pages while some readers are short and one is long.
    @Test func longReadersBesideCheckpoints() async throws {
        let directory = try TemporaryDirectory()
        var options = SQLiteBackend.Options()
        options.walAutocheckpoint = 20
        let store = try SQLiteBackend(path: directory.file(), options: options)
        try await growBesideReaders(store)
        try store.close()
    }

    private func growBesideReaders(_ store: any StorageBackend) async throws {
        let ring = StorageRing(store)
        try ring.make(20)
        let failures = Failures()
        let isDone = SharedFlag()
        await onThreads(5) { worker in
            failures.attempt {
                switch worker {
                case 0:
                    defer { isDone.raise() }
                    for round in 0..<150 {
                        try ring.rearrange(times: 2, seed: UInt64(round))
                        try store.write(.relaxed) { writer in
                            let keyspace = try writer.createKeyspace(named: "filling")
                            for number in 0..<10 { try writer.put([UInt8(round), UInt8(number)], [UInt8](repeating: 1, count: 2_000), in: keyspace) }
                        }
                    }
                case 1:
                    // Long reads: what they see at their end is what they saw at their beginning.
                    while !isDone.isRaised {
                        try store.read { reader in
                            let before = try Self.sum(reader)
                            for _ in 0..<20 where try Self.sum(reader) != before { failures.note("a long read saw a change") }
                        }
                    }
                default:
                    while !isDone.isRaised { try ring.check() }
                }
            }
        }
        #expect(failures.list == [])
        try ring.check()
    }

    private static func sum(_ reader: any StorageReader) throws -> Int {
        guard let filling = try reader.keyspace(named: "filling") else { return 0 }
        var sum = 0
        try reader.scan(in: filling) { key, value in
            sum += key.byteCount + value.byteCount
            return .next
        }
        return sum
    }
}
