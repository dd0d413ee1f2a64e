import Dispatch
import EngineSupport
import Foundation
import Testing
import TroveLMDB
import TroveStorage

@Suite struct ReaderTests {
    @Test func readsBeyondTheTableAreRefusedUntilOthersEnd() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.maxReaders = 8 }
        try backend.fill(0..<10)
        func nest(_ depth: Int) throws -> Int {
            try backend.read { reader in
                #expect(try reader.numbers(in: try #require(try reader.keyspace(named: "data"))).count == 10)
                return try nest(depth + 1)
            }
        }
        #expect { try nest(0) } throws: { error in
            guard let error = error as? StorageError, case .outOfResources = error else { return false }
            return error.isRetryable
        }
        #expect(try backend.numbers() == Array(0..<10))
        try backend.close()
    }

    @Test func manyThreadsReadBesideAWriter() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        let readers = (0..<8).map { _ in
            Worker {
                for _ in 0..<200 {
                    let numbers = try #require(try backend.numbers())
                    #expect(numbers == Array(0..<numbers.count) && numbers.count % 100 == 0)
                }
            }
        }
        for round in 1..<40 { try backend.fill(round * 100..<(round + 1) * 100) }
        for reader in readers { try reader.join() }
        #expect(try backend.statistics().activeReaders == 0)
        try backend.close()
    }

    @Test func statisticsTellOfReaders() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<1_000)
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reader = Worker {
            try backend.read { _ in
                begun.signal()
                try mayEnd.waitPatiently()
            }
        }
        try begun.waitPatiently()
        var statistics = try backend.statistics()
        #expect(statistics.activeReaders == 1)
        #expect(statistics.oldestReaderAge != nil)
        #expect(statistics.keyspaceCount == 1)
        mayEnd.signal()
        try reader.join()
        statistics = try backend.statistics()
        #expect(statistics.activeReaders == 0)
        #expect(statistics.oldestReaderAge == nil)
        #expect(statistics.fileSize > 90_000)
        let deleted = try backend.write { try $0.deleteRange(.all, in: try #require(try $0.keyspace(named: "data"))) }
        #expect(deleted == 1_000)
        #expect(try backend.statistics().freeSize > 90_000)
        try backend.close()
    }

    @Test(.enabled(if: Tool.isInstalled("mdb_dump") && Tool.isInstalled("mdb_stat"), "Scripts/setup installs LMDB's tools"))
    func placesOfKilledReadersAreGivenBack() throws {
        let store = try TemporaryStore()
        var backend = try store.open()
        try backend.fill(0..<5_000)
        // With nobody reading its output it stops in the middle of its read transaction.
        let (dump, output) = try #require(Tool("mdb_dump")).start(["-n", "-s", "trove.keyspace.0", store.path])
        _ = try output.fileHandleForReading.read(upToCount: 1_000)
        dump.kill()
        dump.waitForEnd()
        let stat = try #require(Tool("mdb_stat"))
        let pid = "\(dump.identifier) "
        #expect(try stat.run(["-n", "-r", store.path]).output.contains(pid))
        try backend.close()
        backend = try store.open()
        #expect(try !stat.run(["-n", "-r", store.path]).output.contains(pid))
        try backend.close()
    }

    /// Reads that have ended keep no more places in the table, which other processes share, than a part of it.
    @Test(.enabled(if: Tool.isInstalled("mdb_stat"), "Scripts/setup installs LMDB's tools"))
    func endedReadsGiveTheirPlacesBack() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.maxReaders = 8 }
        try backend.fill(0..<10)
        func nest(_ depth: Int) throws {
            try backend.read { (_: any StorageReader) throws -> Void in try nest(depth + 1) }
        }
        // As many at once as there are places; LMDB rounds the table up to whole pages.
        #expect(throws: StorageError.self) { try nest(0) }
        let places = try #require(try backend.statistics().engineFigures["maxReaders"])
        let readers = try Tool.run("mdb_stat", ["-n", "-r", store.path]).output.split(separator: "\n")
        let idle = readers.count { $0.split(separator: " ").last == "-" }
        #expect(idle <= max(1, places / 4), "\(idle) of \(places)")
        try backend.backUp(to: store.path + ".copy")
        try backend.checkStructure()
        try backend.close()
    }

    /// The places are those of all processes, and as many as the file of locks has, whatever this backend's options say.
    @Test func aQuarterOfThePlacesIsForSnapshots() throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.maxReaders = 300 }
        let places = try #require(try backend.statistics().engineFigures["maxReaders"])
        #expect(backend.capabilities.maxSnapshots == places / 4)
        try backend.close()
    }
}
