import Dispatch
import EngineSupport
import Testing
import TroveLMDB
import TroveStorage

@Suite struct KeyspaceTests {
    private struct Deliberate: Error {}

    @Test func asManyKeyspacesAsEveryEngineMustHold() throws {
        let store = try TemporaryStore()
        var backend = try store.open()
        let names = (0..<StorageLimits.minKeyspaces).map { "keyspace \($0)" }
        try backend.write(.relaxed) { writer in
            for (number, name) in names.enumerated() { try writer.put([1], numberKey(number), in: writer.createKeyspace(named: name)) }
        }
        for isReopened in [false, true] {
            if isReopened {
                try backend.close()
                backend = try store.open()
            }
            try backend.read { reader in
                #expect(try reader.keyspaceNames().count == names.count)
                for (number, name) in names.enumerated() {
                    let keyspace = try #require(try reader.keyspace(named: name))
                    #expect(try reader.value(of: [1], in: keyspace) == numberKey(number))
                }
            }
        }
        try backend.write(.relaxed) { writer in
            for name in names.prefix(3_000) { try writer.dropKeyspace(try #require(try writer.keyspace(named: name))) }
        }
        #expect(try backend.read { try $0.keyspaceNames() }.count == names.count - 3_000)
        try backend.close()
    }

    @Test func droppedKeyspacesAreUsedAgain() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        for round in 0..<50 {
            try backend.write(.relaxed) { writer in
                for number in 0..<5 {
                    let keyspace = try writer.createKeyspace(named: "round \(round), \(number)")
                    #expect(try writer.count(in: keyspace) == 0)
                    try writer.put([1], [2], in: keyspace)
                    if number % 2 == 0 { try writer.dropKeyspace(keyspace) }
                }
                for number in [1, 3] where round > 0 {
                    try writer.dropKeyspace(try #require(try writer.keyspace(named: "round \(round - 1), \(number)")))
                }
            }
        }
        #expect(try backend.read { try $0.keyspaceNames() } == ["round 49, 1", "round 49, 3"])
        let slots = try #require(try backend.statistics().engineFigures["slots"])
        #expect(slots <= 6)
        try backend.close()
    }

    @Test func aReaderKeepsAKeyspaceWhoseSlotAnotherOneTakes() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<2_000, in: "old")
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reader = Worker {
            try backend.read { reader in
                begun.signal()
                try mayEnd.waitPatiently()
                // Looked up only now, in the state of the beginning.
                let old = try #require(try reader.keyspace(named: "old"))
                #expect(try reader.numbers(in: old) == Array(0..<2_000))
                #expect(try reader.keyspace(named: "new") == nil)
                #expect(try reader.keyspaceNames() == ["old"])
            }
        }
        try begun.waitPatiently()
        try backend.write(.relaxed) { try $0.dropKeyspace(try #require(try $0.keyspace(named: "old"))) }
        try backend.fill(5_000..<6_000, in: "new")
        try backend.fill(0..<10, in: "newer")
        mayEnd.signal()
        try reader.join()
        #expect(try backend.numbers(in: "new") == Array(5_000..<6_000))
        #expect(try backend.numbers(in: "old") == nil)
        try backend.close()
    }

    @Test func createdInsideUndoneSavepoints() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<10)
        for round in 0..<20 {
            try backend.write(.relaxed) { writer in
                let data = try #require(try writer.keyspace(named: "data"))
                var undone: [Keyspace] = []
                #expect(throws: Deliberate.self) {
                    try writer.savepoint {
                        try writer.savepoint { undone.append(try writer.createKeyspace(named: "inner \(round)")) }
                        undone.append(try writer.createKeyspace(named: "outer \(round)"))
                        for space in undone { try writer.put([1], [1], in: space) }
                        try writer.dropKeyspace(data)
                        throw Deliberate()
                    }
                }
                for space in undone {
                    #expect { try writer.count(in: space) } throws: { error in
                        if case StorageError.invalidKeyspace = error { true } else { false }
                    }
                }
                #expect(try writer.numbers(in: data) == Array(0..<10))
                #expect(try writer.keyspace(named: "inner \(round)") == nil)
                let kept = try writer.createKeyspace(named: "kept")
                #expect(try writer.count(in: kept) == round)
                try writer.put(numberKey(round), [1], in: kept)
            }
        }
        #expect(try backend.read { try $0.keyspaceNames() } == ["data", "kept"])
        try backend.close()
    }

    @Test func createdInTransactionsThatRollBack() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        for round in 0..<10 {
            #expect(throws: Deliberate.self) {
                try backend.write(.relaxed) { writer in
                    for number in 0...round { try writer.put([1], [1], in: writer.createKeyspace(named: "undone \(number)")) }
                    throw Deliberate()
                }
            }
            try backend.fill(0...round, in: "kept \(round)")
            for earlier in 0...round { #expect(try backend.numbers(in: "kept \(earlier)") == Array(0...earlier)) }
        }
        #expect(try backend.read { try $0.keyspaceNames() } == (0..<10).map { "kept \($0)" })
        try backend.close()
    }

    @Test func forgedHandlesAreRefused() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<10)
        try backend.read { reader in
            let data = try #require(try reader.keyspace(named: "data"))
            #expect { try reader.count(in: Keyspace(number: 70_000, transaction: data.transaction)) } throws: { error in
                if case StorageError.invalidKeyspace = error { true } else { false }
            }
        }
        try backend.close()
    }

    @Test(.enabled(if: Tool.isInstalled("mdb_load"), "Scripts/setup installs LMDB's tools")) func createdByAnotherProcess() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<10)
        let load = try #require(Tool("mdb_load"))
        // What another process does when it creates the keyspaces `foreign 1` and `foreign 2`, in steps that are seen one by one.
        for slot in 1...2 {
            let space = try load.run(
                ["-n", "-s", "trove.keyspace.\(slot)", store.path], input: Tool.dump([(numberKey(slot), [1])], mapSize: 1 << 30))
            #expect(space.status == 0, "\(space.output)")
            let entry = (Array("foreign \(slot)".utf8), [UInt8(slot), 0, 0, 0])
            let catalogue = try load.run(
                ["-n", "-s", "trove.catalogue.1", store.path], input: Tool.dump([entry], mapSize: 1 << 30))
            #expect(catalogue.status == 0, "\(catalogue.output)")
            if slot == 1 {
                #expect(try backend.numbers(in: "foreign 1") == [1])
            } else {
                try backend.fill([7], in: "foreign 2")
                #expect(try backend.numbers(in: "foreign 2") == [2, 7])
            }
        }
        try backend.fill(0..<3, in: "own")
        #expect(try backend.read { try $0.keyspaceNames() } == ["data", "foreign 1", "foreign 2", "own"])
        try backend.close()
    }
}
