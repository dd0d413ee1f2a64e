import EngineSupport
import Testing
import TroveStorage

@testable import TroveSQLite

/// Further readers of a snapshot: how they are told from readers of another one, and what they take.
@Suite struct ConcurrentReaderTests {
    private func count(_ reader: any StorageReader, upTo count: Int = 2) throws -> Int {
        var found = -1
        try reader.withConcurrentReaders(upTo: count) { found = $0.count }
        return found
    }

    @Test func commitsOfOthersComeBetween() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        let other = try RawDatabase(fixture.path)
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            #expect(try count(reader) == 2)
            // What is not committed is no other state.
            try other.execute("BEGIN IMMEDIATE; UPDATE trove_entries SET value = x'02'")
            #expect(try count(reader) == 2)
            try other.execute("ROLLBACK")
            #expect(try count(reader) == 2)
            try other.execute("UPDATE trove_entries SET value = x'02'")
            #expect(try count(reader) == 0)
            // The same contents are another state all the same.
            try other.execute("UPDATE trove_entries SET value = x'01'")
            #expect(try count(reader) == 0)
        }
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            #expect(try count(reader) == 2)
            try fixture.put([1], [3])
            #expect(try count(reader) == 0)
        }
        #expect(try fixture.value(of: [1]) == [3])
    }

    /// A log that was copied into the file begins anew with the next commit.
    @Test func aLogThatBeginsAnew() throws {
        let fixture = try Fixture()
        let other = try RawDatabase(fixture.path)
        for round in 0..<20 {
            try fixture.put([1], [UInt8(round)])
            try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try fixture.store.read { (reader: any StorageReader) throws -> Void in
                #expect(try count(reader) == 2)
                try other.execute("PRAGMA wal_checkpoint(PASSIVE)")
                #expect(try count(reader) == 2)
                try fixture.put([1], [UInt8(round)])
                #expect(try count(reader) == 0)
            }
        }
    }

    @Test(arguments: [(1, 0), (2, 0), (3, 1), (4, 1), (9, 4), (16, 7)]) func halfOfTheConnectionsAreLeftToOthers(_ maxReaders: Int, _ expected: Int) throws {
        var options = SQLiteBackend.Options()
        options.maxReaders = maxReaders
        let fixture = try Fixture(options)
        try fixture.put([1], [1])
        for _ in 0..<5 {
            try fixture.store.read { (reader: any StorageReader) throws -> Void in #expect(try count(reader, upTo: 100) == expected) }
        }
        #expect(try fixture.store.statistics().activeReaders == 0)
        #expect(try fixture.store.statistics().engineFigures["reader_connections"] == expected + 1)
    }

    @Test func aWriteHasThemUntilItChangesSomething() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        try fixture.store.write(.relaxed) { (writer: any StorageWriter) throws -> Void in
            #expect(try count(writer) == 2)
            try writer.put([1], [2], in: writer.createKeyspace(named: "data"))
            #expect(try count(writer) == 0)
        }
        #expect(try fixture.value(of: [1]) == [2])
    }
}
