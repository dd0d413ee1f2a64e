import EngineSupport
import Testing
import TroveMemory
import TroveStorage
import TroveTesting

/// The backend of a server, which is in the matrix too: what it waits for, and that nothing is left there.
@Suite(.serialized) struct RemoteTests {
    private static let factory = engines.first { $0.name == RemoteBackend.engine }

    private func withStore(_ body: (RemoteBackend, CountingBackend) throws -> Void) throws {
        let name = "trips \(UInt64.random(in: 0 ... .max))"
        let store = RemoteBackend(name: name)
        try store.write(.relaxed) { writer in
            let data = try writer.createKeyspace(named: "data")
            for number in 0..<1_000 { try writer.put(key(number), [1], in: data) }
        }
        try body(store, store.connection)
        try store.close()
        try RemoteServer.shared.destroyStore(name)
    }

    private func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF), 0] }

    @Test func `changes wait for nothing but the commit`() throws {
        try withStore { store, connection in
            let trips = try connection.trips {
                try store.write(.durable) { writer in
                    let data = try writer.createKeyspace(named: "data")
                    for number in 500..<2_000 { try writer.put(key(number), [2], in: data) }
                    for number in 0..<100 { try writer.remove(key(number), in: data) }
                    for number in 500..<600 { #expect(try writer.value(of: key(number), in: data) == [2]) }
                    #expect(try writer.delete(key(700), in: data))
                    #expect(try !writer.insert(key(701), [3], in: data))
                    #expect(try !writer.contains(key(99), in: data))
                }
            }
            #expect(trips.total == 1, "\(trips)")
            #expect(try store.read { reader in try reader.keyspace(named: "data").map { try reader.count(in: $0) } } == 1_899)
        }
    }

    @Test func `announced keys are one trip, others one each`() throws {
        try withStore { store, connection in
            // What was inserted is removed again, so there is nothing to commit.
            for (announces, expected) in [(true, 1), (false, 300)] {
                let trips = try connection.trips {
                    try store.write(.durable) { writer in
                        let data = try writer.createKeyspace(named: "data")
                        if announces { try writer.prefetch((900..<1_200).map(key), in: data) }
                        for number in 900..<1_000 { #expect(try writer.contains(key(number), in: data)) }
                        for number in 1_000..<1_100 { #expect(try writer.insert(key(number), [1], in: data)) }
                        for number in 1_100..<1_200 { #expect(try !writer.delete(key(number), in: data)) }
                        for number in 1_000..<1_100 { try writer.remove(key(number), in: data) }
                    }
                }
                #expect(trips.total == expected, "\(trips)")
            }
        }
    }

    @Test func `a scan that knows its number is one trip`() throws {
        try withStore { store, connection in
            for (expected, most) in [(400, 1), (nil, 3)] as [(Int?, Int)] {
                let trips = try connection.trips {
                    try store.write(.durable) { writer in
                        let data = try writer.createKeyspace(named: "data")
                        try writer.put(key(5), [5], in: data)
                        var taken = 0
                        try writer.scan(.all, in: data, order: .descending, expecting: expected) { _, _ in
                            taken += 1
                            return taken == 400 ? .stop : .next
                        }
                    }
                }
                #expect(trips[.scan] == most, "\(trips)")
            }
        }
    }

    /// The specification and the random programs remove what they make where there are no files.
    @Test func `nothing is left on the server`() async throws {
        let factory = try #require(Self.factory)
        let before = RemoteServer.shared.names
        for name in ["backup.equals", "backup.while-in-use", "openingTwice.different-paths"] {
            try await #require(BackendSpecification.cases.first { $0.name == name }).run(on: factory)
        }
        try StorageProgram.tester(on: [factory]).test(seed: 3)
        #expect(RemoteServer.shared.names == before)
    }
}
