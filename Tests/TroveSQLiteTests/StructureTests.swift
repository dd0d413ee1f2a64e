import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

@Suite struct StructureTests {
    /// Damaged files of a page whose count of entries was too small gave fewer entries, and nothing said so: SQLite believes the count.
    @Test func aPageThatCountsTooFewEntriesIsFound() throws {
        let fixture = try Self.filled(500)
        let file = URL(fileURLWithPath: fixture.path)
        var contents = [UInt8](try Data(contentsOf: file))
        let pageSize = Int(contents[16]) << 8 | Int(contents[17])
        // A leaf of a tree with keys of bytes, with many entries: the count is at offset 3.
        let pages = stride(from: pageSize, to: contents.count, by: pageSize)
        let found = pages.first { contents[$0] == 0x0A && contents[$0 + 3] == 0 && contents[$0 + 4] > 10 }
        let leaf = try #require(found)
        contents[leaf + 4] -= 1
        try Data(contents).write(to: file)

        try expectDamage(fixture.path, count: 499)
    }

    /// A key changed inside a page that leads to others: a scan ended there, and SQLite's quick check found nothing.
    @Test func aKeyOutOfOrderIsFound() throws {
        let fixture = try Self.filled(20_000)
        let file = URL(fileURLWithPath: fixture.path)
        var contents = [UInt8](try Data(contentsOf: file))
        let pageSize = Int(contents[16]) << 8 | Int(contents[17])
        let branch = try #require(stride(from: pageSize, to: contents.count, by: pageSize).first { contents[$0] == 0x02 && contents[$0 + 4] > 10 })
        // The fifth entry's place stands at offset 12 + 2 * 4. Its key ends with four bytes, then come the value's sevens.
        let place = branch + (Int(contents[branch + 20]) << 8 | Int(contents[branch + 21]))
        let value = try #require(contents[place...].firstIndex(of: 7))
        contents[value - 8] = 0xB2
        try Data(contents).write(to: file)
        try expectDamage(fixture.path, count: nil)
    }

    private static func filled(_ count: Int) throws -> Fixture {
        let fixture = try Fixture()
        try fixture.store.write(.durable) { writer in
            let data = try writer.createKeyspace(named: "data")
            for number in 0..<count { try writer.put(bytes(0x0909_0000 + number), [UInt8](repeating: 7, count: 100), in: data) }
        }
        try fixture.store.checkStructure()
        try fixture.store.close()
        return fixture
    }

    /// - Parameter count: how many entries SQLite tells before it is asked to look; nil for fewer than there are.
    private func expectDamage(_ path: String, count expected: Int?) throws {
        let damaged = try SQLiteBackend(path: path)
        let count = try #require(try damaged.read { reader in try reader.keyspace(named: "data").map { try reader.count(in: $0) } })
        if let expected { #expect(count == expected) } else { #expect(count < 20_000) }
        #expect {
            try damaged.checkStructure()
        } throws: { error in
            if case StorageError.corrupt(let details) = error { !details.message.contains("\n") && !details.message.contains("***") } else { false }
        }
        try damaged.close()
    }
}
