import Testing

import TroveMemory
import TroveStorage

/// What is particular to the memory engine; the rest is in the specification.
struct MemoryBackendTests {
    @Test func `backends without a name share nothing, those with one name share a store`() throws {
        let first = MemoryBackend()
        let second = MemoryBackend()
        try fill(first)
        #expect(try names(of: second) == [])
        let named = MemoryBackend(name: "shared by name")
        let same = MemoryBackend(name: "shared by name")
        try fill(named)
        #expect(try names(of: same) == ["songs"])
        #expect(named.path == "shared by name")
        #expect(first.path == ":memory:")
    }

    @Test func `a named store vanishes with its last backend, closed or released`() throws {
        do {
            let first = MemoryBackend(name: "vanishing")
            try fill(first)
            let second = MemoryBackend(name: "vanishing")
            try first.close()
            #expect(try names(of: second) == ["songs"])
        }
        let later = MemoryBackend(name: "vanishing")
        #expect(try names(of: later) == [])
        try later.close()
        #expect(throws: StorageError.self) { try later.read { _ in } }
    }

    @Test func `compaction packs the nodes and keeps the contents`() throws {
        let store = MemoryBackend()
        try store.write { writer in
            let songs = try writer.createKeyspace(named: "songs")
            for number in 0..<20_000 { try writer.put(number.key, number.key, in: songs) }
            for number in 0..<20_000 where number % 10 != 0 { try writer.delete(number.key, in: songs) }
        }
        try store.compact()
        let count = try store.read { reader in
            guard let songs = try reader.keyspace(named: "songs") else { return 0 }
            return try reader.count(in: songs)
        }
        #expect(count == 2_000)
        #expect(try store.statistics().engineFigures["entries"] == 2_000)
    }

    private func fill(_ store: MemoryBackend) throws {
        try store.write { writer in
            let songs = try writer.createKeyspace(named: "songs")
            try writer.put([1], [1], in: songs)
        }
    }

    private func names(of store: MemoryBackend) throws -> [String] {
        try store.read { try $0.keyspaceNames() }
    }
}
