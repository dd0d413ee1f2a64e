import Testing
import TroveLMDB
import TroveStorage

@Suite struct CursorTests {
    private struct Deliberate: Error {}

    private func number(_ cursor: any StorageCursor) throws -> Int? {
        try cursor.entry().map { Int(UInt64(bigEndian: $0.key.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })) }
    }

    @Test func cursorsFindTheirPlaceInNestedSavepoints() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(stride(from: 0, to: 4_000, by: 2))
        try backend.write(.relaxed) { writer in
            let data = try #require(try writer.keyspace(named: "data"))
            let cursors = try (0..<8).map { index in
                let cursor = try writer.cursor(in: data)
                #expect(try cursor.seek(to: numberKey(index * 400).span.bytes))
                return cursor
            }
            for round in 0..<60 {
                let depth = 1 + round % 4
                func nest(_ level: Int) throws {
                    guard level < depth else { return }
                    try writer.savepoint {
                        // Splits and merges pages under all cursors.
                        for number in stride(from: 1, to: 4_000, by: 40) {
                            try writer.put(numberKey(number), [UInt8](repeating: 1, count: 300), in: data)
                        }
                        for (index, cursor) in cursors.enumerated() where (index + level) % 3 == 0 {
                            let before = try #require(try number(cursor))
                            #expect(try cursor.next())
                            let after = try #require(try number(cursor))
                            #expect(after > before)
                            #expect(try cursor.previous())
                            #expect(try number(cursor) == before)
                        }
                        try nest(level + 1)
                        if level == depth - 1 { try writer.deleteRange(KeyRange(from: numberKey(200), upTo: numberKey(3_800)), in: data) }
                        if (round + level) % 2 == 0 || level == 0 { throw Deliberate() }
                    }
                }
                #expect(throws: Deliberate.self) { try nest(0) }
                for (index, cursor) in cursors.enumerated() {
                    #expect(try number(cursor) == index * 400)
                    #expect(try cursor.next())
                    #expect(try number(cursor) == index * 400 + 2)
                    #expect(try cursor.previous())
                }
            }
            #expect(try writer.numbers(in: data) == Array(stride(from: 0, to: 4_000, by: 2)))
        }
        try backend.close()
    }

    @Test func aCursorAtTheEndSeesWhatIsAppended() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<1_000)
        try backend.write(.relaxed) { writer in
            let data = try #require(try writer.keyspace(named: "data"))
            let cursor = try writer.cursor(in: data)
            #expect(try cursor.seekToLast())
            for number in 1_000..<3_000 {
                try writer.put(numberKey(number), [UInt8](repeating: 2, count: 150), in: data)
                #expect(try cursor.next())
                #expect(try self.number(cursor) == number)
                #expect(try !cursor.next())
                #expect(try cursor.previous())
            }
        }
        try backend.close()
    }

    @Test func cursorsAndReadersKeptTooLongAreRefused() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        var kept: [(reader: any StorageReader, cursor: any StorageCursor)] = []
        for _ in 0..<3 {
            try backend.read { reader in
                let cursor = try reader.cursor(in: try #require(try reader.keyspace(named: "data")))
                #expect(try cursor.seekToFirst())
                kept.append((reader, cursor))
            }
        }
        try backend.write(.relaxed) { writer in
            let cursor = try writer.cursor(in: try #require(try writer.keyspace(named: "data")))
            #expect(try cursor.seekToFirst())
            kept.append((writer, cursor))
        }
        for (reader, cursor) in kept {
            for call in [{ _ = try cursor.next() }, { _ = try cursor.entry() }, { _ = try reader.keyspace(named: "data") }] {
                #expect { try call() } throws: { error in
                    if case StorageError.transactionFinished = error { true } else { false }
                }
            }
        }
        try backend.close()
        kept = []
    }

    @Test func aLongReadMayUseManyCursors() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<100)
        try backend.read { reader in
            let data = try #require(try reader.keyspace(named: "data"))
            var open: [any StorageCursor] = []
            for round in 0..<2_000 {
                let cursor = try reader.cursor(in: data)
                #expect(try cursor.next(), "a cursor that was used before begins anew")
                #expect(try number(cursor) == 0)
                if round % 10 == 0 { open.append(cursor) }
            }
            for cursor in open { #expect(try number(cursor) == 0) }
        }
        try backend.close()
    }
}
