import CLMDB
import Dispatch
import EngineSupport
import Foundation
import Synchronization
import Testing
import TroveStorage

@testable import TroveLMDB

@Suite struct MapGrowthTests {
    private static let small = 1 << 16

    @Test(arguments: [Durability.durable, .buffered, .relaxed])
    func aSmallMapGrowsAndTheBodyRunsAgain(durability: Durability) throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        var runs = 0
        try backend.write(durability) { writer in
            runs += 1
            let data = try writer.createKeyspace(named: "data")
            #expect(try writer.count(in: data) == 0)
            for number in 0..<20_000 { try writer.put(numberKey(number), [UInt8](repeating: 1, count: 100), in: data) }
        }
        #expect(runs > 1)
        #expect(try backend.numbers() == Array(0..<20_000))
        let mapSize = try #require(try backend.statistics().engineFigures["mapSize"])
        #expect(mapSize > 20_000 * 100)
        try backend.close()
        let reopened = try store.open { $0.mapSize = Self.small }
        #expect(try reopened.numbers()?.count == 20_000)
        try reopened.close()
    }

    /// What else the system has no more of is no reason for a smaller map, which would grow later, and wait for all reads each time.
    @Test func onlyAWantOfMemoryMakesTheMapSmaller() {
        let errors = LMDBErrors(path: "store")
        for code in [MDB_READERS_FULL, EMFILE, ENFILE, ENOSPC, MDB_MAP_FULL] {
            #expect(!LMDBErrors.isOfMemory(errors.error(code, doing: "open the store")), "\(code)")
        }
        #expect(LMDBErrors.isOfMemory(errors.error(ENOMEM, doing: "open the store")))
    }

    @Test func manySmallWritesGrowTheMapToo() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        for number in 0..<600 { try backend.fill([number], valueSize: 3_000) }
        #expect(try backend.numbers() == Array(0..<600))
        try backend.close()
    }

    /// Waiting for reads that nobody ends would keep all others out.
    @Test func theMapStaysWhileReadsAreHeld() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        try backend.fill(0..<10)
        backend.engine.heldReads.note(1)
        #expect { try backend.fill(10..<3_000) } throws: { error in
            if case StorageError.unsupported(let details) = error { details.message.contains("a snapshot is open") } else { false }
        }
        #expect(try backend.numbers() == Array(0..<10))
        backend.engine.heldReads.note(0)
        try backend.fill(10..<3_000)
        #expect(try backend.numbers() == Array(0..<3_000))
        try backend.close()
    }

    @Test func aValueLargerThanTheMapIsStored() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        let value = [UInt8](repeating: 7, count: 10 << 20)
        var runs = 0
        try backend.write(.relaxed) { writer in
            runs += 1
            try writer.put([1], value, in: writer.createKeyspace(named: "data"))
        }
        #expect(runs == 2)
        try backend.read { reader in
            let data = try #require(try reader.keyspace(named: "data"))
            #expect(try reader.value(of: [1], in: data) == value)
        }
        try backend.close()
    }

    @Test func aFullMapInASavepointCannotBeCaught() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        try backend.write(.relaxed) { writer in
            let data = try writer.createKeyspace(named: "data")
            do {
                try writer.savepoint {
                    for number in 0..<5_000 { try writer.put(numberKey(number), [UInt8](repeating: 1, count: 100), in: data) }
                }
            } catch {
                // The body goes on as if nothing were wrong; the transaction must run again all the same.
            }
        }
        #expect(try backend.numbers()?.count == 5_000)
        try backend.close()
    }

    @Test func growthWaitsForReadersOfOtherThreads() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        try backend.fill(0..<50)
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let readers = (0..<3).map { _ in
            Worker {
                try backend.read { reader in
                    let data = try #require(try reader.keyspace(named: "data"))
                    begun.signal()
                    try mayEnd.waitPatiently()
                    // Reading after the writer has begun to wait: the map must still be there.
                    #expect(try reader.numbers(in: data) == Array(0..<50))
                }
            }
        }
        for _ in readers { try begun.waitPatiently() }
        let runs = Atomic<Int>(0)
        let writer = Worker {
            try backend.write(.relaxed) { writer in
                runs.add(1, ordering: .relaxed)
                let data = try writer.createKeyspace(named: "data")
                for number in 0..<10_000 { try writer.put(numberKey(number), [UInt8](repeating: 1, count: 100), in: data) }
            }
        }
        try blockUntil("the writer's first run") { runs.load(ordering: .relaxed) > 0 }
        for _ in readers { mayEnd.signal() }
        for reader in readers { try reader.join() }
        try writer.join()
        #expect(runs.load(ordering: .relaxed) > 1)
        #expect(try backend.numbers() == Array(0..<10_000))
        try backend.close()
    }

    @Test func aReadThatLastsMakesGrowthTimeOut() throws {
        let store = try TemporaryStore()
        let backend = try store.open {
            $0.mapSize = Self.small
            $0.writerTimeout = .milliseconds(120)
        }
        try backend.fill(0..<50)
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reader = Worker {
            try backend.read { _ in
                begun.signal()
                try mayEnd.waitPatiently()
            }
        }
        try begun.waitPatiently()
        #expect { try backend.fill(0..<10_000) } throws: { error in
            if case StorageError.timedOut = error { true } else { false }
        }
        mayEnd.signal()
        try reader.join()
        #expect(try backend.numbers() == Array(0..<50))
        try backend.fill(0..<10_000)
        #expect(try backend.numbers()?.count == 10_000)
        try backend.close()
    }

    @Test func growthInsideAReadOfTheSameThreadIsRefused() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        try backend.fill(0..<50)
        try backend.read { reader in
            let data = try #require(try reader.keyspace(named: "data"))
            try backend.fill(50..<60)
            #expect { try backend.fill(0..<10_000) } throws: { error in
                if case StorageError.writeInsideRead = error { true } else { false }
            }
            #expect(try reader.numbers(in: data) == Array(0..<50))
        }
        #expect(try backend.numbers() == Array(0..<60))
        try backend.close()
    }

    @Test(.enabled(if: Tool.isInstalled("mdb_load"), "Scripts/setup installs LMDB's tools")) func theGrowthOfAnotherProcessIsFollowed() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        try backend.fill(0..<10)
        let load = try #require(Tool("mdb_load"))
        let entries = (100..<4_000).map { (numberKey($0), [UInt8](repeating: 5, count: 100)) }
        let loaded = try load.run(
            ["-n", "-s", "trove.keyspace.0", store.path], input: Tool.dump(entries, mapSize: 1 << 20))
        #expect(loaded.status == 0, "\(loaded.output)")
        #expect(try backend.numbers() == Array(0..<10) + Array(100..<4_000))
        try backend.fill(10..<100)
        #expect(try backend.numbers() == Array(0..<4_000))
        // And the same met by a write.
        let more = (4_000..<4_060).map { (numberKey($0), [UInt8](repeating: 5, count: 60_000)) }
        let again = try load.run(
            ["-n", "-s", "trove.keyspace.0", store.path], input: Tool.dump(more, mapSize: 1 << 23))
        #expect(again.status == 0, "\(again.output)")
        try backend.fill([4_060])
        #expect(try backend.numbers() == Array(0...4_060))
        try backend.close()
    }

    /// LMDB copies from a transaction of its own, and checks pages in another; both meet the growth of other processes first.
    @Test(.enabled(if: Tool.isInstalled("mdb_load"), "Scripts/setup installs LMDB's tools"), arguments: ["backup", "check", "compaction", "statistics"])
    func theGrowthOfAnotherProcessIsFollowedByMaintenance(what: String) throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.mapSize = Self.small }
        try backend.fill(0..<10)
        let entries = (100..<4_000).map { (numberKey($0), [UInt8](repeating: 5, count: 100)) }
        let loaded = try #require(Tool("mdb_load")).run(
            ["-n", "-s", "trove.keyspace.0", store.path], input: Tool.dump(entries, mapSize: 1 << 20))
        #expect(loaded.status == 0, "\(loaded.output)")
        let expected = Array(0..<10) + Array(100..<4_000)
        switch what {
        case "backup":
            try backend.backUp(to: store.directory + "/copy")
            let copy = try LMDBBackend(path: store.directory + "/copy")
            #expect(try copy.numbers() == expected)
            try copy.checkStructure()
            try copy.close()
        case "check": try backend.checkStructure()
        case "compaction": try backend.compact()
        default: #expect(try backend.statistics().fileSize > 4_000 * 100)
        }
        #expect(try backend.numbers() == expected)
        try backend.close()
    }
}
