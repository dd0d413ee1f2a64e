import EngineSupport
import Testing
import TroveMemory
import TroveStorage
import TroveTesting

/// What the counting backend says a call costs.
@Suite struct CountingTests {
    private let backend = CountingBackend(MemoryBackend())

    private func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    init() throws {
        try backend.write(.relaxed) { writer in
            let data = try writer.createKeyspace(named: "data")
            for number in 0..<10_000 { try writer.put(key(number), [1], in: data) }
        }
        backend.reset()
    }

    private func trips(reading body: (any StorageReader, Keyspace) throws -> Void) throws -> TripCounts {
        try backend.trips {
            try backend.read { (reader: any StorageReader) throws -> Void in
                if let data = try reader.keyspace(named: "data") { try body(reader, data) }
            }
        }
    }

    private func trips(writing body: (any StorageWriter, Keyspace) throws -> Void) throws -> TripCounts {
        try backend.trips {
            try backend.write(.relaxed) { (writer: any StorageWriter) throws -> Void in try body(writer, writer.createKeyspace(named: "data")) }
        }
    }

    @Test func `it answers as the backend it wraps, and is remote`() throws {
        #expect(try ForwardingCheck.missing(in: CountingBackend.init) == [])
        #expect(backend.capabilities.isRemote)
    }

    @Test func `gets`() throws {
        let none = try trips { (_: any StorageReader, _: Keyspace) throws -> Void in }
        #expect(none.total == 0)
        let single = try trips { (reader: any StorageReader, data: Keyspace) throws -> Void in for number in 0..<10 { _ = try reader.contains(key(number), in: data) } }
        #expect(single[.get] == 10)
        #expect(single.total == 10)
        let many = try trips { (reader: any StorageReader, data: Keyspace) throws -> Void in
            try reader.getMany((0..<100).map(key), in: data) { _, _ in }
            try reader.getMany([], in: data) { _, _ in }
        }
        #expect(many.total == 1)
        let announced = try trips { (reader: any StorageReader, data: Keyspace) throws -> Void in
            try reader.prefetch((0..<100).map(key), in: data)
            try reader.prefetch((100..<200).map(key), in: data)
            for number in 0..<200 { _ = try reader.contains(key(number), in: data) }
            _ = try reader.contains(key(200), in: data)
        }
        #expect(announced.total == 2)
    }

    @Test func `scans, counts and cursors`() throws {
        let scans = [nil, 10, 5_000, 20_000].map { expected in
            Result {
                try trips { (reader: any StorageReader, data: Keyspace) throws -> Void in
                    try reader.scan(.all, in: data, order: .ascending, expecting: expected) { _, _ in .next }
                    try reader.scan(KeyRange(from: [1], upTo: [1]), in: data, order: .ascending, expecting: expected) { _, _ in .next }
                }.total
            }
        }
        #expect(try scans.map { try $0.get() } == [3, 4, 3, 1])
        let first = try trips { (reader: any StorageReader, data: Keyspace) throws -> Void in
            var taken = 0
            try reader.scanKeys(.all, in: data, order: .descending, expecting: 50) { _ in
                taken += 1
                return taken == 50 ? .stop : .next
            }
        }
        #expect(first.total == 1)
        let counts = try trips { (reader: any StorageReader, data: Keyspace) throws -> Void in
            _ = try reader.count(in: data)
            _ = try reader.count(of: KeyRange(from: key(100)), in: data)
        }
        #expect(counts[.count] == 2)
        let moves = try trips { (reader: any StorageReader, data: Keyspace) throws -> Void in
            let cursor = try reader.cursor(in: data)
            for _ in 0..<16 { _ = try cursor.next() }
            for _ in 0..<128 { _ = try cursor.next() }
            _ = try cursor.previous()
            _ = try cursor.seek(to: key(7))
        }
        #expect(moves.total == 4)
    }

    @Test func `changes`() throws {
        let blind = try trips { (writer: any StorageWriter, data: Keyspace) throws -> Void in
            for number in 0..<100 { try writer.put(key(number), [2], in: data) }
            for number in 100..<200 { try writer.remove(key(number), in: data) }
            try writer.savepoint { try writer.put(key(5), [3], in: data) }
            #expect(try writer.delete(key(7), in: data))
        }
        #expect(blind.total == 1)
        #expect(blind[.commit] == 1)
        let asking = try trips { (writer: any StorageWriter, data: Keyspace) throws -> Void in
            for number in 200..<210 { #expect(try writer.delete(key(number), in: data)) }
            for number in 200..<210 { #expect(try writer.insert(key(number), [1], in: data)) }
        }
        #expect(asking[.change] == 10)
        let undone = try trips { (writer: any StorageWriter, data: Keyspace) throws -> Void in
            do {
                try writer.savepoint { () throws -> Void in
                    try writer.put(key(300), [9], in: data)
                    throw Undo()
                }
            } catch is Undo {}
            _ = try writer.contains(key(300), in: data)
        }
        // Nothing is left to commit.
        #expect(undone[.get] == 1 && undone.total == 1, "\(undone)")
        let unchanged = try trips { (writer: any StorageWriter, data: Keyspace) throws -> Void in #expect(try !writer.insert(key(300), [1], in: data)) }
        #expect(unchanged.total == 1)
        #expect(unchanged.description == "1 trips (change 1)")
    }

    private struct Undo: Error {}
}
