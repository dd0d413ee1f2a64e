import EngineSupport
import Testing
import TroveLMDB
import TroveStorage

/// Further readers of a snapshot where the table of readers is full, or another state has come.
@Suite struct ConcurrentReaderTests {
    private func count(_ reader: any StorageReader, upTo count: Int = 2) throws -> Int {
        var found = -1
        try reader.withConcurrentReaders(upTo: count) { found = $0.count }
        return found
    }

    @Test(arguments: [(1, 0), (2, 1), (5, 4)]) func aFullTableOfReadersGivesNone(_ maxReaders: Int, _ expected: Int) throws {
        let store = try TemporaryStore()
        let backend = try store.open { $0.maxReaders = maxReaders }
        try backend.fill(0..<10)
        for _ in 0..<5 {
            try backend.read { (reader: any StorageReader) throws -> Void in
                // LMDB rounds the table up to whole pages.
                #expect(try count(reader, upTo: expected) == expected)
                #expect((expected..<1_000).contains(try count(reader, upTo: 1_000)))
                #expect(try reader.numbers(in: try #require(try reader.keyspace(named: "data"))) == Array(0..<10))
            }
        }
        #expect(try backend.statistics().activeReaders == 0)
        try backend.close()
    }

    @Test func aCommitComesBetween() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<10)
        try backend.read { (reader: any StorageReader) throws -> Void in
            #expect(try count(reader) == 2)
            // A write that changes nothing makes no state.
            try backend.write(.relaxed) { _ in }
            #expect(try count(reader) == 2)
            try backend.fill(10..<11)
            #expect(try count(reader) == 0)
        }
        try backend.write(.relaxed) { (writer: any StorageWriter) throws -> Void in
            #expect(try count(writer) == 2)
            try writer.savepoint { () throws -> Void in #expect(try count(writer) == 2) }
            try writer.put([1], [2], in: writer.createKeyspace(named: "data"))
            #expect(try count(writer) == 0)
        }
        try backend.close()
    }
}
