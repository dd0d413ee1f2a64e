import Dispatch
import EngineSupport
import Foundation
import Testing
import TroveLMDB
import TroveStorage

@Suite struct MaintenanceTests {
    @Test func compactionGivesSpaceBack() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        let other = try store.open()
        try backend.fill(0..<20_000)
        try backend.fill(0..<100, valueSize: 20_000, in: "large")
        try backend.write { writer in
            try writer.deleteRange(KeyRange(from: numberKey(1_000)), in: try #require(try writer.keyspace(named: "data")))
            try writer.dropKeyspace(try #require(try writer.keyspace(named: "large")))
        }
        let before = try store.contents.count
        try backend.compact()
        let after = try store.contents.count
        #expect(after < before / 10)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory).sorted() == ["store.lmdb", "store.lmdb-lock"])
        // Both go on with the new file, and a third one finds the same engine.
        let third = try store.open()
        for (index, backend) in [backend, other, third].enumerated() {
            #expect(try backend.numbers() == Array(0..<1_000 + index))
            try backend.fill([1_000 + index])
        }
        for backend in [backend, other, third] { try backend.close() }
        let reopened = try store.open { $0.pageCheck = .everyPage }
        #expect(try reopened.numbers() == Array(0..<1_003))
        try reopened.close()
    }

    @Test func compactionOfAnEmptyStore() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.compact()
        try backend.fill(0..<10)
        try backend.compact()
        try backend.compact()
        #expect(try backend.numbers() == Array(0..<10))
        try backend.close()
    }

    @Test func compactionReplacesWhatACrashedOneLeft() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        try Data("half a copy".utf8).write(to: URL(fileURLWithPath: store.path + "-compacting"))
        try backend.compact()
        #expect(try backend.numbers() == Array(0..<100))
        #expect(!FileManager.default.fileExists(atPath: store.path + "-compacting"))
        try backend.close()
    }

    /// The copy is made by then.
    @Test func compactionOfAMovedStoreLeavesNothing() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        let moved = store.directory + "/moved"
        try FileManager.default.moveItem(atPath: store.path, toPath: moved)
        try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: false)
        #expect { try backend.compact() } throws: { error in
            if case StorageError.notAFile = error { true } else { false }
        }
        #expect(!FileManager.default.fileExists(atPath: store.path + "-compacting"))
        try FileManager.default.removeItem(atPath: store.path)
        try FileManager.default.moveItem(atPath: moved, toPath: store.path)
        try backend.compact()
        #expect(try backend.numbers() == Array(0..<100))
        try backend.close()
    }

    @Test func compactionIsRefusedWhileAnotherProcessHasTheStore() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        // Another descriptor stands for another process: `flock` tells them apart just so.
        let descriptor = open(store.path, O_RDONLY)
        #expect(flock(descriptor, LOCK_SH) == 0)
        #expect { try backend.compact() } throws: { error in
            if case StorageError.locked = error { true } else { false }
        }
        #expect(try backend.numbers() == Array(0..<100))
        Foundation.close(descriptor)
        try backend.compact()
        #expect(try backend.numbers() == Array(0..<100))
        try backend.close()
    }

    /// Compaction closes the file to replace it. What keeps it from opening the new one may be over soon.
    @Test func aStoreThatCouldNotBeOpenedAgainOpensLater() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        let other = try store.open()
        try backend.fill(0..<100)
        // LMDB cannot make its lock file where there is a directory.
        let lockFile = store.path + "-lock"
        try FileManager.default.removeItem(atPath: lockFile)
        try FileManager.default.createDirectory(atPath: lockFile, withIntermediateDirectories: false)
        func isRefused(_ body: () throws -> Void) {
            #expect(performing: body, throws: { error in if case StorageError.notAFile = error { true } else { false } })
        }
        isRefused { try backend.compact() }
        isRefused { _ = try backend.numbers() }
        isRefused { try other.fill([100]) }
        let third = try store.open()
        isRefused { _ = try third.statistics() }
        try third.close()
        try FileManager.default.removeItem(atPath: lockFile)
        for (index, backend) in [backend, other].enumerated() {
            #expect(try backend.numbers() == Array(0..<100 + index))
            try backend.fill([100 + index])
        }
        try backend.compact()
        for backend in [backend, other] { try backend.close() }
        let reopened = try store.open { $0.pageCheck = .everyPage }
        #expect(try reopened.numbers() == Array(0..<102))
        try reopened.close()
    }

    /// Its file is there, and the next one who opens it gets a new engine.
    @Test func aStoreThatCouldNotBeOpenedAgainCloses() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        let lockFile = store.path + "-lock"
        try FileManager.default.removeItem(atPath: lockFile)
        try FileManager.default.createDirectory(atPath: lockFile, withIntermediateDirectories: false)
        #expect(throws: StorageError.self) { try backend.compact() }
        try backend.close()
        try FileManager.default.removeItem(atPath: lockFile)
        #expect(throws: StorageError.self) { try backend.numbers() }
        let reopened = try store.open()
        #expect(try reopened.numbers() == Array(0..<100))
        try reopened.compact()
        try reopened.close()
    }

    @Test func copiesKeepThePermissions() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.path)
        try backend.compact()
        try backend.backUp(to: store.directory + "/copy")
        for path in [store.path, store.directory + "/copy"] {
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
        try backend.close()
    }

    @Test func compactionWaitsForTransactionsAndRefusesItsOwnThreads() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        try backend.read { _ -> Void in
            #expect { try backend.compact() } throws: { error in
                if case StorageError.writeInsideRead = error { true } else { false }
            }
        }
        try backend.write { writer in
            #expect { try backend.compact() } throws: { error in
                if case StorageError.writeInsideWrite = error { true } else { false }
            }
            try writer.put(numberKey(100), [1], in: try #require(try writer.keyspace(named: "data")))
        }
        let workers = (0..<4).map { thread in
            Worker {
                for round in 0..<30 {
                    if thread == 0 { try backend.fill([101 + round]) }
                    let numbers = try #require(try backend.numbers())
                    #expect(numbers == Array(0..<numbers.count))
                }
            }
        }
        for _ in 0..<10 { try backend.compact() }
        for worker in workers { try worker.join() }
        #expect(try backend.numbers() == Array(0..<131))
        try backend.close()
    }

    @Test func aBackupIsAStore() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<5_000)
        try backend.fill(0..<20, valueSize: 9_000, in: "large")
        let copy = store.directory + "/copy"
        try backend.backUp(to: copy)
        try backend.fill(5_000..<6_000)
        let opened = try LMDBBackend(path: copy)
        #expect(try opened.numbers() == Array(0..<5_000))
        #expect(try opened.numbers(in: "large")?.count == 20)
        try opened.fill(0..<10, in: "more")
        try opened.close()
        #expect { try backend.backUp(to: copy) } throws: { error in
            if case StorageError.destinationExists = error { true } else { false }
        }
        #expect { try backend.backUp(to: store.directory + "/absent/copy") } throws: { error in
            if case StorageError.noSuchDirectory = error { true } else { false }
        }
        try backend.close()
    }

    @Test func aBackupInsideTransactionsHoldsTheCommittedState() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<10)
        try backend.write { writer in
            try writer.put(numberKey(10), [1], in: try #require(try writer.keyspace(named: "data")))
            try backend.backUp(to: store.directory + "/in write")
        }
        try backend.read { _ in try backend.backUp(to: store.directory + "/in read") }
        for (name, count) in [("in write", 10), ("in read", 11)] {
            let copy = try LMDBBackend(path: store.directory + "/" + name)
            #expect(try copy.numbers() == Array(0..<count))
            try copy.close()
        }
        try backend.close()
    }

    @Test func backupsBesideAWriterAreConsistent() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        let writer = Worker { for round in 1..<60 { try backend.fill(round * 100..<(round + 1) * 100) } }
        for number in 0..<10 {
            let path = store.directory + "/copy \(number)"
            try backend.backUp(to: path)
            let copy = try LMDBBackend(path: path)
            let numbers = try #require(try copy.numbers())
            #expect(numbers == Array(0..<numbers.count) && numbers.count % 100 == 0)
            try copy.close()
        }
        try writer.join()
        try backend.close()
    }

    @Test(.enabled(if: Tool.isInstalled("mdb_stat") && Tool.isInstalled("mdb_dump"), "Scripts/setup installs LMDB's tools"))
    func theToolsReadStoreAndBackup() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<5_000)
        let copy = store.directory + "/copy"
        try backend.backUp(to: copy)
        let (stat, dump) = (try #require(Tool("mdb_stat")), try #require(Tool("mdb_dump")))
        for path in [store.path, copy] {
            let statistics = try stat.run(["-n", "-s", "trove.keyspace.0", path])
            #expect(statistics.status == 0 && statistics.output.contains("Entries: 5000"), "\(statistics.output)")
            let catalogue = try dump.run(["-n", "-p", "-s", "trove.catalogue.1", path])
            #expect(catalogue.status == 0 && catalogue.output.contains(" data\n"), "\(catalogue.output)")
        }
        try backend.close()
    }

    @Test func everyLevelIsThereAfterACleanClose() throws {
        let store = try TemporaryStore()
        for (round, level) in [Durability.relaxed, .durable, .buffered, .relaxed, .buffered, .durable, .relaxed].enumerated() {
            let backend = try store.open()
            try backend.fill([round], level)
            if round % 2 == 0 { try backend.synchronize() }
            #expect(try backend.numbers() == Array(0...round))
            try backend.close()
        }
    }
}
