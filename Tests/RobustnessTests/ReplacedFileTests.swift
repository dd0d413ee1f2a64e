import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveStorage

/// Files that are removed or replaced while a store is open on them.
@Suite struct ReplacedFileTests {
    private func fill(_ store: any StorageBackend, _ keys: Range<UInt8>) throws {
        // Several commits, as engines count them.
        for key in keys {
            try store.write(.durable) { writer in
                let keyspace = try writer.createKeyspace(named: "data")
                try writer.put([key], [key], in: keyspace)
            }
        }
    }

    private func keys(_ store: any StorageBackend) throws -> [UInt8] {
        try store.read { reader in
            var keys: [UInt8] = []
            guard let keyspace = try reader.keyspace(named: "data") else { return keys }
            try reader.scanKeys(in: keyspace) { key in
                keys += [UInt8](copying: key)
                return .next
            }
            return keys
        }
    }

    /// Makes another store and puts its file in the place of the one at a path.
    private func replace(_ path: String, _ engine: Engine, in directory: TemporaryDirectory) throws {
        let other = try engine.open(directory.file("other"))
        try fill(other, 100..<103)
        try other.close()
        #expect(rename(directory.file("other"), path) == 0)
    }

    /// Both would use the files beside the path. On LMDB a commit to the old one took the last commits of the new one away; on SQLite the new one could not be
    /// read any more.
    @Test(arguments: Engine.persistent, [false, true]) func theStoreThatWasThereIsClosedFirst(engine: Engine, isReplaced: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let old = try engine.open(path)
        try fill(old, 0..<6)
        if isReplaced { try replace(path, engine, in: directory) } else { #expect(unlink(path) == 0) }
        for _ in 0..<2 {
            #expect { try engine.open(path) } throws: { ($0 as? StorageError)?.name == "locked" }
        }
        // SQLite opens the file for its first read.
        do {
            let found = try keys(old)
            #expect(found == [0, 1, 2, 3, 4, 5])
        } catch let error as StorageError {
            #expect(error.name == "inputOutput" && engine == .sqlite)
        }
        try old.close()
        let new = try engine.open(path)
        try fill(new, 10..<13)
        try new.close()
        let reopened = try engine.open(path)
        #expect(try keys(reopened) == [10, 11, 12] + (isReplaced ? [100, 101, 102] : []))
        try reopened.checkStructure()
        try reopened.close()
    }

    /// As who saves a document over an open one removes its log and its locks with it: then the two have nothing in common.
    @Test(arguments: [Engine.sqlite, .lmdb]) func whoRemovesWhatLiesBesideOpensAnother(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let old = try engine.open(path)
        try fill(old, 0..<6)
        #expect(try keys(old) == Array(0..<6))
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) { #expect(unlink(directory.file(name)) == 0) }
        for round in UInt8(0)..<3 {
            let new = try engine.open(path)
            try fill(new, round..<round + 1)
            try fill(old, 6 + round..<7 + round)
            #expect(try keys(new) == Array(0...round))
            try new.close()
        }
        #expect(try keys(old) == Array(0..<9))
        try old.close()
        let new = try engine.open(path)
        #expect(try keys(new) == [0, 1, 2])
        try new.checkStructure()
        try new.close()
    }

    /// A compaction puts a new file at the path, where another store may be.
    @Test(arguments: Engine.persistent) func aCompactionLeavesTheStoreThatIsThere(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let old = try engine.open(path)
        try fill(old, 0..<6)
        try replace(path, engine, in: directory)
        let bytes = try Data(contentsOf: URL(filePath: path))
        do {
            try old.compact()
            // It writes into the file that it has open.
            #expect(engine == .sqlite)
        } catch let error as StorageError {
            #expect(error.name == "inputOutput" || engine == .sqlite, "\(error)")
        }
        try old.close()
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        let new = try engine.open(path)
        #expect(try keys(new) == [100, 101, 102])
        try new.close()
    }

    /// As where an earlier backup was opened by a process that was killed, and then removed without what lay beside it: who opens the next one would read the
    /// log in, and see the earlier contents.
    @Test(arguments: [(Engine.sqlite, "-wal"), (.sqlite, "-journal"), (.tokyoCabinet, ".wal")])
    func aLogBesideABackupIsNotTakenUp(engine: Engine, ending: String) throws {
        let directory = try TemporaryDirectory()
        let store = try engine.open(directory.file())
        try fill(store, 0..<6)
        let log = directory.file("copy") + ending
        try directory.write([1, 2, 3], to: "copy" + ending)
        #expect { try store.backUp(to: directory.file("copy")) } throws: { error in
            guard case StorageError.destinationExists(let details) = error else { return false }
            return details.path.hasSuffix("/copy") && details.message.contains("copy" + ending)
        }
        #expect(try directory.contents()["copy"] == nil && directory.contents()["copy" + ending] == Data([1, 2, 3]))
        // An empty one has nothing to be taken up.
        try directory.write([], to: "copy" + ending)
        try store.backUp(to: directory.file("copy"))
        try store.close()
        let copy = try engine.open(directory.file("copy"))
        #expect(try keys(copy) == [0, 1, 2, 3, 4, 5])
        try copy.close()
        #expect(unlink(log) == 0 || errno == ENOENT)
    }

    /// Without it a process that is killed would leave a damaged store.
    @Test func theLogOfTheStoreThatIsThereStays() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let old = try Engine.tokyoCabinet.open(path)
        try fill(old, 0..<6)
        #expect(unlink(path) == 0)
        try await ProbeProcess.use { probe in
            try await probe.require(.open(.tokyoCabinet, path: path))
            try await probe.require(.fill(path: path))
            #expect(try directory.contents().keys.contains("store.wal"))
            try old.close()
            #expect(try directory.contents().keys.contains("store.wal"))
            try await probe.stop()
        }
        let faults = try await ProbeProcess.use { try await $0.faults(ofClosedSample: path, .tokyoCabinet) }
        #expect(faults.isEmpty)
    }
}
