import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

@Suite struct StructureTests {
    /// Damaged files of a page whose count of entries was too small gave fewer entries, and nothing said so: SQLite believes the count.
    @Test func aPageThatCountsTooFewEntriesIsFound() throws {
        let fixture = try Fixture()
        try fixture.store.write(.durable) { writer in
            let data = try writer.createKeyspace(named: "data")
            for number in 0..<500 { try writer.put(bytes(number), [UInt8](repeating: 7, count: 100), in: data) }
        }
        try fixture.store.checkStructure()
        try fixture.store.close()

        let file = URL(fileURLWithPath: fixture.path)
        var contents = [UInt8](try Data(contentsOf: file))
        let pageSize = Int(contents[16]) << 8 | Int(contents[17])
        // A leaf of a tree with keys of bytes, with many entries: the count is at offset 3.
        let leaf = try #require(
            stride(from: pageSize, to: contents.count, by: pageSize).first { contents[$0] == 0x0A && contents[$0 + 3] == 0 && contents[$0 + 4] > 10 })
        contents[leaf + 4] -= 1
        try Data(contents).write(to: file)

        let damaged = try SQLiteBackend(path: fixture.path)
        let count = try damaged.read { reader in try reader.keyspace(named: "data").map { try reader.count(in: $0) } }
        #expect(count == 499)
        #expect {
            try damaged.checkStructure()
        } throws: { error in
            if case StorageError.corrupt = error { true } else { false }
        }
        try damaged.close()
    }
}
