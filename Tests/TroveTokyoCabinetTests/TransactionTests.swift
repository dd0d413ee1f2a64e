import EngineSupport
import Foundation
import Synchronization
import Testing
import TroveStorage
import TroveTokyoCabinet

@Suite("Tokyo Cabinet: transactions")
struct TransactionTests {
    private struct Stop: Error {}

    @Test("Readers beside a writer see whole commits only, in scans, gets and cursors")
    func isolation() throws {
        let files = try TemporaryStore()
        // A small cache, so that pages come and go under the readers.
        let store = try files.open(.init(leafCacheSize: 64, leafMembers: 4))
        try store.fill("s", .relaxed, numbered(2_000, value: [0]))
        let isDone = SharedFlag()
        try Threads.run(4) { thread in
            if thread == 0 {
                defer { isDone.raise() }
                for round in 1...15 {
                    try store.fill("s", .relaxed, numbered(2_000, value: [UInt8](repeating: UInt8(round), count: round * 9)))
                }
                return
            }
            while !isDone.isRaised { try store.read { try check($0, thread) } }
        }
        #expect(try store.entries()?[[0, 0]]?.count == 135)
    }

    /// Reads the keyspace in several ways; all values were written by one transaction.
    private func check(_ snapshot: any StorageReader, _ thread: Int) throws {
        let keyspace = try #require(try snapshot.keyspace(named: "s"))
        let expected = try snapshot.value(of: [0, UInt8(thread)], in: keyspace)
        var count = 0
        try snapshot.scan(.all, in: keyspace, order: thread == 1 ? .ascending : .descending) { _, value in
            if [UInt8](copying: value) == expected { count += 1 }
            return .next
        }
        #expect(count == 2_000)
        let cursor = try snapshot.cursor(in: keyspace)
        for _ in 0..<50 {
            #expect(try cursor.next())
            #expect(try cursor.entry()?.value == expected)
        }
    }

    @Test("Cursors stay right through three nested savepoints and their rollbacks")
    func nestedSavepoints() throws {
        let files = try TemporaryStore()
        let store = try files.open(.init(leafMembers: 4))
        try store.fill("s", .buffered, numbered(500))
        try store.write(.buffered) { writer in
            let keyspace = try writer.createKeyspace(named: "s")
            let cursor = try writer.cursor(in: keyspace)
            #expect(try cursor.seek(to: ([0, 100] as [UInt8]).span.bytes))
            func undone(_ body: () throws -> Void) throws {
                #expect(throws: Stop.self) {
                    try writer.savepoint {
                        try body()
                        throw Stop()
                    }
                }
            }
            try undone {
                try writer.deleteRange(KeyRange(from: [0, 50], upTo: [1, 200]), in: keyspace)
                #expect(try cursor.entry() == nil)
                try undone {
                    try writer.put([0, 100], [9], in: keyspace)
                    #expect(try cursor.entry()?.value == [9])
                    try undone { try writer.dropKeyspace(keyspace) }
                    #expect(try cursor.entry()?.value == [9])
                    #expect(try cursor.next())
                    #expect(try cursor.entry()?.key == [1, 200])
                }
                #expect(try cursor.previous())
                #expect(try cursor.entry()?.key == [0, 49])
            }
            #expect(try cursor.next())
            #expect(try cursor.entry()?.key == [0, 50])
            #expect(try writer.count(in: keyspace) == 500)
        }
        #expect(try store.entries()?.count == 500)
    }

    @Test("Keyspace prefixes keep keys apart, whatever bytes these begin with")
    func prefixBoundaries() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        let keys: [[UInt8]] = [[0], [0, 0, 0, 0], [0, 0, 0, 1], [0xFF], [UInt8](repeating: 0xFF, count: 511), [0, 0, 1, 0]]
        try store.write(.buffered) { writer in
            for number in 0..<600 {
                let keyspace = try writer.createKeyspace(named: "k\(number)")
                for key in keys { try writer.put(key, [UInt8(number & 255), UInt8(number >> 8)], in: keyspace) }
            }
        }
        try store.write(.buffered) { writer in
            if let keyspace = try writer.keyspace(named: "k255") { try writer.dropKeyspace(keyspace) }
            let again = try writer.createKeyspace(named: "k255")
            #expect(try writer.count(in: again) == 0)
        }
        try store.close()
        let opened = try files.open()
        try opened.read { reader in
            #expect(try reader.keyspaceNames().count == 600)
            for number in [0, 254, 256, 257, 599] {
                guard let keyspace = try reader.keyspace(named: "k\(number)") else { continue }
                var found: [[UInt8]] = []
                try reader.scan(.all, in: keyspace, order: .descending) { key, value in
                    #expect([UInt8](copying: value) == [UInt8(number & 255), UInt8(number >> 8)])
                    found.append([UInt8](copying: key))
                    return .next
                }
                #expect(found == keys.sorted { $1.lexicographicallyPrecedes($0) })
            }
        }
        #expect(try opened.entries("k255")?.isEmpty == true)
    }

    @Test("Undone transactions do not lose the file's free blocks")
    func freeBlocks() throws {
        let files = try TemporaryStore()
        let store = try files.open(.init(leafMembers: 4))
        try store.fill("s", .buffered, numbered(2_000, value: [UInt8](repeating: 1, count: 200)))
        try store.write(.buffered) { writer in
            if let keyspace = try writer.keyspace(named: "s") { try writer.deleteRange(KeyRange(from: [2]), in: keyspace) }
        }
        let blocks = try store.statistics().engineFigures["free blocks"]
        #expect(blocks ?? 0 > 10)
        #expect(throws: Stop.self) {
            try store.write(.buffered) { writer in
                try writer.put([1], [1], in: writer.createKeyspace(named: "s"))
                throw Stop()
            }
        }
        #expect(try store.statistics().engineFigures["free blocks"] == blocks)
        try store.close()
        #expect(try files.open().entries()?.count == 512)
    }

    @Test("Values of many megabytes go in and out")
    func largeValues() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        let value = [UInt8](repeating: 0xAB, count: 20 << 20)
        try store.fill("s", .durable, [(key: [1], value: value), (key: [2], value: []), (key: [3], value: value)])
        try store.close()
        let entries = try files.open().entries()
        #expect(entries?[[1]] == value)
        #expect(entries?[[2]] == [])
        #expect(entries?[[3]] == value)
    }

    /// The GNU allocator leaves ENOMEM behind though it finds memory, in threads whose own arena is full; for a while that looked like a page
    /// that was not written, and commits failed.
    @Test("Values of many megabytes go in from threads that have much memory of their own")
    func largeValuesFromThreads() throws {
        let failures = Mutex<[any Error]>([])
        let ends = (0..<6).map { number in
            let ended = DispatchSemaphore(value: 0)
            let thread = Thread {
                do { try Self.fillBesideOwnMemory(seed: number) } catch { failures.withLock { $0.append(error) } }
                ended.signal()
            }
            thread.start()
            return ended
        }
        for ended in ends { ended.wait() }
        #expect(failures.withLock { $0.map { "\($0)" } } == [])
    }

    private static func fillBesideOwnMemory(seed: Int) throws {
        var kept: [UnsafeMutableRawPointer] = []
        defer { for memory in kept { free(memory) } }
        let files = try TemporaryStore()
        let store = try files.open()
        for round in 0..<6 {
            for block in 0..<20 {
                let mebibytes = 1 + (block * 7 + seed) % 19
                if let memory = malloc(mebibytes << 20) { kept.append(memory) }
            }
            let value = [UInt8](repeating: UInt8(seed), count: (5 + round * 3) << 20)
            try store.fill("s", .relaxed, [(key: [UInt8(round)], value: value)])
            for memory in kept.prefix(10) { free(memory) }
            kept.removeFirst(10)
        }
        try store.compact()
        let entries = try store.entries() ?? [:]
        for round in 0..<6 { #expect(entries[[UInt8(round)]]?.count == (5 + round * 3) << 20) }
        try store.close()
    }
}
