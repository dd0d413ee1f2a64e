import CSQLite
import EngineSupport
import Testing
import TroveStorage

@testable import TroveSQLite

struct ScanTests {
    /// A running statement comes to the current entry again when its value was replaced, because SQLite finds
    /// its place again by the whole record.
    @Test(arguments: [ScanOrder.ascending, .descending], [0, 1, 5, 300, 3_000])
    func replacingTheCurrentValueDoesNotRepeatIt(order: ScanOrder, size: Int) throws {
        let fixture = try Fixture()
        try fixture.store.write(.buffered) { writer in
            let data = try writer.createKeyspace(named: "data")
            for number in 0..<300 { try writer.put(bytes(number), [100], in: data) }
            var seen: [[UInt8]] = []
            try writer.scan(.all, in: data, order: order) { key, _ in
                let key = [UInt8](copying: key)
                seen.append(key)
                try writer.put(key, Array(repeating: 200, count: size), in: data)
                return seen.count < 1_000 ? .next : .stop
            }
            let expected = (0..<300).map(bytes)
            #expect(seen == (order == .ascending ? expected : expected.reversed()))
        }
    }

    /// Random changes by the body against the rule of the contract: go on with the next key as the keyspace is then.
    @Test(arguments: 0..<30) func scansSurviveRandomChanges(seed: UInt64) throws {
        let fixture = try Fixture()
        var random = SeededGenerator(seed: seed)
        let order: ScanOrder = seed % 2 == 0 ? .ascending : .descending
        try fixture.store.write(.buffered) { writer in
            let data = try writer.createKeyspace(named: "data")
            var model: Set<Int> = []
            for _ in 0..<200 {
                let number = Int.random(in: 0..<400, using: &random)
                model.insert(number)
                try writer.put(bytes(number), Array(repeating: 1, count: Int.random(in: 0..<600, using: &random)), in: data)
            }
            var expected = order == .ascending ? model.min() : model.max()
            var visits = 0
            try writer.scan(.all, in: data, order: order) { key, _ in
                let key = [UInt8](copying: key)
                let current = key.reduce(0) { $0 << 8 | Int($1) }
                #expect(current == expected, "seed \(seed), visit \(visits)")
                visits += 1
                for _ in 0..<Int.random(in: 0..<3, using: &random) {
                    let other = Bool.random(using: &random) ? current : current + Int.random(in: -4...4, using: &random)
                    guard (0..<400).contains(other) else { continue }
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0:
                        try writer.delete(bytes(other), in: data)
                        model.remove(other)
                    case 1:
                        try writer.deleteRange(KeyRange(from: bytes(other), upTo: bytes(other + 3)), in: data)
                        model.subtract(other..<other + 3)
                    case 2:
                        let failure = StorageError.name {
                            try writer.savepoint {
                                try writer.deleteRange(.all, in: data)
                                throw StorageError.unsupported(.init(engine: "test", path: "", message: "undo"))
                            }
                        }
                        #expect(failure == "unsupported")
                    default:
                        let size = Int.random(in: 0..<4_000, using: &random)
                        try writer.put(bytes(other), Array(repeating: 2, count: size), in: data)
                        model.insert(other)
                    }
                }
                expected = order == .ascending ? model.filter { $0 > current }.min() : model.filter { $0 < current }.max()
                return .next
            }
            #expect(expected == nil)
            #expect(try writer.count(in: data) == model.count)
        }
        #expect(try fixture.integrity() == "ok")
    }

    @Test func scansInsideScansOfOneKeyspace() throws {
        let fixture = try Fixture()
        for number in 0..<12 { try fixture.put(bytes(number), [UInt8(number)]) }
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let data = try #require(try reader.keyspace(named: "data"))
            var visits = 0
            func nest(_ depth: Int) throws {
                try reader.scan(.all, in: data, order: depth % 2 == 0 ? .ascending : .descending) { _, _ in
                    visits += 1
                    if depth < 3 { try nest(depth + 1) }
                    return visits % 12 == 0 || depth == 3 ? .next : .stop
                }
            }
            try nest(0)
            #expect(visits == 3 + 12)
            #expect(try reader.count(in: data) == 12)
        }
    }

    @Test func keyspacesDoNotReachIntoEachOther() throws {
        let fixture = try Fixture()
        let numbers = [1, 2, 127, 128, 129, 300]
        try fixture.store.write(.buffered) { writer in
            for number in 1...300 {
                let keyspace = try writer.createKeyspace(named: "\(number)")
                guard numbers.contains(Int(keyspace.number)) else { continue }
                for key: [UInt8] in [[0], [0x7F], [0x80], [0xFF], [0xFF, 0xFF]] {
                    try writer.put(key, [UInt8(keyspace.number & 0xFF)], in: keyspace)
                }
            }
        }
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            for number in 1...300 {
                let keyspace = try #require(try reader.keyspace(named: "\(number)"))
                let count = numbers.contains(number) ? 5 : 0
                for order in [ScanOrder.ascending, .descending] {
                    var values: [UInt8] = []
                    try reader.scan(.all, in: keyspace, order: order) { _, value in
                        values.append(value.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
                        return .next
                    }
                    #expect(values == Array(repeating: UInt8(number & 0xFF), count: count))
                }
                let cursor = try reader.cursor(in: keyspace)
                #expect(try cursor.seekToLast() == (count > 0))
                #expect(try cursor.next() == false)
                #expect(try reader.count(in: keyspace) == count)
            }
        }
    }

    /// A descending scan ends at the last row of the keyspace before, which may be shorter than the prefix of its own keyspace.
    @Test func aShortRowBeforeTheKeyspaceIsNoDamage() throws {
        let fixture = try Fixture()
        let count = 50
        try fixture.store.write(.relaxed) { writer in
            try writer.put([1], [1], in: try writer.createKeyspace(named: "a"))
            var number: UInt32 = 0
            // The next number has a prefix of three bytes.
            while number < 0x3FFE {
                let brief = try writer.createKeyspace(named: "t")
                number = brief.number
                try writer.dropKeyspace(brief)
            }
            let late = try writer.createKeyspace(named: "z")
            try #require(KeyPrefix.bytes(late.number).count == 3)
            func keys() throws -> [[UInt8]] {
                var keys: [[UInt8]] = []
                try writer.scan(.all, in: late, order: .descending) { key, _ in
                    keys.append([UInt8](copying: key))
                    return .next
                }
                return keys
            }
            #expect(try keys() == [])
            try writer.put([5], [5], in: late)
            #expect(try keys() == [[5]])
            for number in 0..<count { try writer.put(bytes(number), [1], in: late) }
        }
        // In a read SQLite calls back for the later rows.
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let late = try #require(try reader.keyspace(named: "z"))
            var found = 0
            try reader.scanKeys(.all, in: late, order: .descending, expecting: nil) { _ in
                found += 1
                return .next
            }
            #expect(found == count + 1)
        }
    }

    /// A scan of many rows is called back by SQLite. Ends, stops, errors and scans inside of scans at every place around where that begins.
    @Test(arguments: [ScanOrder.ascending, .descending]) func longScans(order: ScanOrder) throws {
        struct Failed: Error, Equatable { let row: Int }
        let fixture = try Fixture()
        let count = 200
        func value(_ number: Int) -> [UInt8] { number % 7 == 0 ? Array(repeating: 5, count: 20_000) : bytes(number * 3) }
        func array(_ span: RawSpan) -> [UInt8] { span.withUnsafeBytes { Array($0) } }
        for name in ["a", "b", "c"] {
            for number in 0..<count { try fixture.put(bytes(number), value(number), in: name) }
        }
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let data = try #require(try reader.keyspace(named: "b"))
            for (lower, upper) in [(0, nil), (0, 31), (0, 32), (0, 33), (0, 100), (5, 39), (170, nil), (150, 500), (199, nil), (200, 300)] as [(Int, Int?)] {
                let range = KeyRange(from: bytes(lower), upTo: upper.map(bytes))
                let ascending = Array(lower..<max(lower, min(upper ?? count, count)))
                let expected = order == .ascending ? ascending : ascending.reversed()
                var entries: [(key: [UInt8], value: [UInt8])] = []
                try reader.scan(range, in: data, order: order) { key, value in
                    entries.append((array(key), array(value)))
                    return .next
                }
                #expect(entries.map(\.key) == expected.map(bytes) && entries.map(\.value) == expected.map(value))
                var keys: [[UInt8]] = []
                try reader.scanKeys(range, in: data, order: order, expecting: nil) { key in
                    keys.append(array(key))
                    return .next
                }
                #expect(keys == expected.map(bytes))
            }
            for row in [1, 31, 32, 33, 34, 100, 200] {
                var found = 0
                try reader.scan(.all, in: data, order: order) { _, _ in
                    found += 1
                    return found == row ? .stop : .next
                }
                #expect(found == row)
                found = 0
                #expect(throws: Failed(row: row)) {
                    try reader.scan(.all, in: data, order: order) { _, _ in
                        found += 1
                        if found == row { throw Failed(row: row) }
                        return .next
                    }
                }
                // The transaction goes on after it, and SQLite knows of no error.
                #expect(try reader.value(of: bytes(row - 1), in: data) == value(row - 1))
                #expect([SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(sqlite3_errcode(try #require(reader as? SQLiteReader).connection.handle)))
            }
            // What others commit is not seen, also after a scan that was stopped.
            try fixture.put(bytes(1_000), [1], in: "b")
            #expect(try reader.count(in: data) == count)
            // Reads and scans inside of scans.
            var sum = 0
            try reader.scan(.all, in: data, order: order) { key, _ in
                #expect(try reader.value(of: array(key), in: data) != nil)
                for inner in [ScanOrder.ascending, .descending] {
                    var found = 0
                    try reader.scanKeys(.all, in: data, order: inner, expecting: nil) { _ in
                        found += 1
                        return found == 60 ? .stop : .next
                    }
                    sum += found
                }
                return .next
            }
            #expect(sum == 2 * 60 * count)
        }
    }

    /// A walk of the tree, without a sorter, for every statement of a scan.
    @Test func scansSortNothing() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let handle = try #require(reader as? SQLiteReader).connection.handle
            for kind in [StatementKind.scanAscending, .scanDescending, .scanKeysAscending, .scanKeysDescending, .visitAscending, .visitDescending, .visitKeysAscending, .visitKeysDescending] {
                var statement: OpaquePointer?
                #expect(sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN " + kind.sql, -1, &statement, nil) == SQLITE_OK)
                defer { sqlite3_finalize(statement) }
                var steps: [String] = []
                while sqlite3_step(statement) == SQLITE_ROW { steps.append(String(cString: sqlite3_column_text(statement, 3))) }
                #expect(steps.count == 1 && steps[0].hasPrefix("SEARCH trove_entries USING PRIMARY KEY"), "\(kind): \(steps)")
            }
        }
    }

    /// A keyspace that is nearly all of the table is counted by the whole; the others are counted entry by entry.
    @Test func countsOfLargeAndSmallKeyspaces() throws {
        let fixture = try Fixture()
        var counts: [String: Int] = [:]
        func fill(_ name: String, upTo count: Int) throws {
            try fixture.store.write(.relaxed) { writer in
                let keyspace = try writer.createKeyspace(named: name)
                for number in (counts[name] ?? 0)..<count { try writer.put(bytes(number), [1], in: keyspace) }
            }
            counts[name] = count
        }
        func check() throws {
            try fixture.store.write(.relaxed) { writer in
                for (name, count) in counts {
                    let keyspace = try #require(try writer.keyspace(named: name))
                    #expect(try writer.count(in: keyspace) == count, "\(name) of \(counts)")
                    #expect(try writer.count(of: KeyRange(from: bytes(1)), in: keyspace) == max(0, count - 1))
                    // What the transaction has done itself is counted.
                    _ = try writer.delete(bytes(0), in: keyspace)
                    #expect(try writer.count(in: keyspace) == max(0, count - 1))
                    try writer.put(bytes(0), [2], in: keyspace)
                    if count == 0 { _ = try writer.delete(bytes(0), in: keyspace) }
                }
            }
        }
        for name in ["a", "b", "c"] { try fill(name, upTo: 0) }
        try check()
        try fill("b", upTo: StatementKind.few)
        try check()
        try fill("a", upTo: 7)
        try fill("c", upTo: 9)
        try fill("b", upTo: StatementKind.few + 1)
        try check()
        // Another large one after it, and then one before it.
        try fill("c", upTo: StatementKind.few + 5)
        try check()
        try fill("a", upTo: StatementKind.few)
        try check()
    }

    @Test func aCursorMovedInsideItsEntryLeavesTheBytesAlone() throws {
        let fixture = try Fixture()
        for number in 0..<500 { try fixture.put(bytes(number), Array(repeating: UInt8(number & 0xFF), count: 200)) }
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let cursor = try reader.cursor(in: try #require(try reader.keyspace(named: "data")))
            #expect(try cursor.next())
            let isThere = try cursor.withEntry { key, value in
                for _ in 0..<400 { _ = try cursor.next() }
                #expect([UInt8](copying: key) == bytes(0))
                #expect([UInt8](copying: value) == Array(repeating: 0, count: 200))
            }
            #expect(isThere)
            #expect(try cursor.entry()?.key == bytes(400))
        }
    }

    @Test func aCursorThatOutlivesItsTransactionHoldsNothing() throws {
        let fixture = try Fixture()
        for number in 0..<10 { try fixture.put(bytes(number), [1]) }
        var kept: (any StorageCursor)?
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            kept = try reader.cursor(in: try #require(try reader.keyspace(named: "data")))
            #expect(try kept?.next() == true)
        }
        #expect(StorageError.name { _ = try kept?.next() } == "transactionFinished")
        // A statement left running would keep the old state.
        try fixture.put(bytes(0), [2])
        #expect(try fixture.value(of: bytes(0)) == [2])
        kept = nil
        #expect(try fixture.value(of: bytes(0)) == [2])
    }
}
