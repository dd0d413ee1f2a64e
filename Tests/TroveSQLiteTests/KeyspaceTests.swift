import EngineSupport
import Testing
import TroveStorage

@testable import TroveSQLite

struct KeyspaceTests {
    @Test func prefixesAreOrderedAndNoneBeginsAnother() {
        let numbers: [UInt32] = [0, 1, 127, 128, 129, 0x3FFF, 0x4000, 0x1F_FFFF, 0x20_0000, 0xFFF_FFFF, 0x1000_0000, 0x7FFF_FFFE, 0x7FFF_FFFF]
        let prefixes = numbers.map { KeyPrefix.bytes($0) }
        #expect(prefixes.map(\.count) == [1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 5])
        for (low, high) in zip(prefixes, prefixes.dropFirst()) {
            #expect(low.lexicographicallyPrecedes(high))
            #expect(!high.starts(with: low))
            #expect((low + Array(repeating: 0xFF, count: 20)).lexicographicallyPrecedes(high))
        }
    }

    @Test func manyKeyspacesOpenAtOnce() throws {
        let fixture = try Fixture()
        try fixture.store.write(.buffered) { writer in
            for number in 0..<StorageLimits.minKeyspaces {
                try writer.put([1], bytes(number), in: try writer.createKeyspace(named: "keyspace \(number)"))
            }
        }
        try fixture.reopen()
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            #expect(try reader.keyspaceNames().count == StorageLimits.minKeyspaces)
            for number in stride(from: 0, to: StorageLimits.minKeyspaces, by: 7) {
                let keyspace = try #require(try reader.keyspace(named: "keyspace \(number)"))
                #expect(try reader.value(of: [1], in: keyspace) == bytes(number))
            }
        }
        #expect(try fixture.store.statistics().keyspaceCount == StorageLimits.minKeyspaces)
        try fixture.store.write(.buffered) { writer in
            for name in try writer.keyspaceNames() { try writer.dropKeyspace(try #require(try writer.keyspace(named: name))) }
        }
        #expect(try fixture.store.statistics().keyspaceCount == 0)
    }

    @Test func namesAreBytes() throws {
        let fixture = try Fixture()
        let names = ["a", "A", "a\0", "\0", "it's", "\"", "--", "é", "e\u{301}", "trove_entries", String(repeating: "n", count: 255)]
        for (number, name) in names.enumerated() { try fixture.put([1], [UInt8(number)], in: name) }
        for (number, name) in names.enumerated() { #expect(try fixture.value(of: [1], in: name) == [UInt8(number)]) }
        try fixture.reopen()
        for (number, name) in names.enumerated() { #expect(try fixture.value(of: [1], in: name) == [UInt8(number)]) }
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let stored = try reader.keyspaceNames().map { Array($0.utf8) }
            #expect(stored == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
        }
    }

    @Test func aNumberIsNeverUsedTwice() throws {
        let fixture = try Fixture()
        try fixture.store.write(.buffered) { writer in
            let first = try writer.createKeyspace(named: "data")
            try writer.put([1], [1], in: first)
            try writer.dropKeyspace(first)
            let second = try writer.createKeyspace(named: "data")
            #expect(second.number != first.number)
            #expect(try writer.value(of: [1], in: second) == nil)
            #expect(StorageError.name { try writer.put([1], [1], in: first) } == "invalidKeyspace")
            var undone: Keyspace?
            let failure = StorageError.name {
                try writer.savepoint {
                    undone = try writer.createKeyspace(named: "undone")
                    try writer.dropKeyspace(second)
                    throw StorageError.unsupported(.init(engine: "test", path: "", message: "undo"))
                }
            }
            #expect(failure == "unsupported")
            let gone = try #require(undone)
            #expect(StorageError.name { try writer.put([1], [1], in: gone) } == "invalidKeyspace")
            let third = try writer.createKeyspace(named: "third")
            #expect(third.number > gone.number)
            // What the savepoint dropped is there again.
            try writer.put([1], [2], in: second)
            #expect(try writer.keyspaceNames() == ["data", "third"])
        }
        #expect(try fixture.value(of: [1]) == [2])
    }
}
