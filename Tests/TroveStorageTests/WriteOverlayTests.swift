import EngineSupport
import Testing
import TroveBackendKit
import TroveMemory
import TroveStorage

/// The overlay against a plain dictionary.
@Suite struct WriteOverlayTests {
    private struct Undo: Error {}

    /// Random operations, nested savepoints and sendings between them; everything read is compared.
    @Test(arguments: 1...25 as ClosedRange<UInt64>) func `an overlay over a store is a dictionary`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model: [[UInt8]: [UInt8]] = [:]
        let store = MemoryBackend()
        try store.write(.relaxed) { (writer: any StorageWriter) throws -> Void in
            let data = try writer.createKeyspace(named: "data")
            for _ in 0..<Int.random(in: 0...300, using: &random) {
                let key = key(&random)
                model[key] = value(&random)
                try writer.put(key, model[key] ?? [], in: data)
            }
            let overlay = WriteOverlay(over: writer, check: { _ = try writer.cursor(in: $0) }, goneKeyspace: { .invalidKeyspace(Self.details) })
            try run(300, overlay, writer, data, &model, &random, depth: 0)
            try send(overlay, to: writer, data)
            #expect(try contents(writer, data) == model.inKeyOrder())
        }
    }

    private func run(
        _ count: Int, _ overlay: WriteOverlay, _ writer: any StorageWriter, _ data: Keyspace, _ model: inout [[UInt8]: [UInt8]],
        _ random: inout SeededGenerator, depth: Int
    ) throws {
        let cursor = overlay.cursor(in: data)
        for _ in 0..<count {
            let (key, value) = (key(&random), value(&random))
            switch Int.random(in: 0..<18, using: &random) {
            case 0..<4:
                overlay.put(key.span.bytes, value.span.bytes, in: data)
                model[key] = value
            case 4:
                #expect(try overlay.insert(key.span.bytes, value.span.bytes, in: data) == (model[key] == nil))
                model[key] = model[key] ?? value
            case 5: #expect(try overlay.delete(key.span.bytes, in: data) == (model.removeValue(forKey: key) != nil))
            case 6, 7:
                overlay.remove(key.span.bytes, in: data)
                model[key] = nil
            case 8 where Int.random(in: 0..<4, using: &random) == 0:
                let range = range(&random)
                let isInBase = Bool.random(using: &random)
                let count = try isInBase
                    ? overlay.deleteRangeInBase(range, in: data) { try writer.deleteRange($0, in: data) } : overlay.deleteRange(range, in: data)
                #expect(count == model.keys.count { range.contains($0) })
                model = model.filter { !range.contains($0.key) }
            case 9: overlay.prefetch((0..<5).map { _ in self.key(&random) }, in: data)
            case 10:
                var keys = (0..<4).map { _ in self.key(&random) }
                keys.append(key)
                var found: [[UInt8]?] = []
                try overlay.getMany(KeyList(keys), in: data) { _, value in
                    // Spans have no `map`.
                    if let value { found.append([UInt8](copying: value)) } else { found.append(nil) }
                    return .next
                }
                #expect(found == keys.map { model[$0] })
            case 11:
                let range = range(&random)
                #expect(try overlay.count(of: range, in: data) == model.keys.count { range.contains($0) })
            case 12: try checkScan(overlay, data, model, range(&random), &random)
            case 13, 14: try move(cursor, key, model, &random)
            case 15 where depth < 3:
                let before = model
                do {
                    try overlay.savepoint {
                        try run(20, overlay, writer, data, &model, &random, depth: depth + 1)
                        if Bool.random(using: &random) { throw Undo() }
                    }
                } catch is Undo { model = before }
            case 16: try send(overlay, to: writer, data)
            default:
                var found: [UInt8]?
                _ = try overlay.get(key.span.bytes, in: data) { found = [UInt8](copying: $0) }
                #expect(found == model[key])
            }
        }
    }

    private func checkScan(
        _ overlay: WriteOverlay, _ data: Keyspace, _ model: [[UInt8]: [UInt8]], _ range: KeyRange, _ random: inout SeededGenerator
    ) throws {
        let order: ScanOrder = Bool.random(using: &random) ? .ascending : .descending
        let expected = model.inKeyOrder().filter { range.contains($0.key) }
        let inOrder = order == .ascending ? expected : expected.reversed()
        let number = Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : nil
        var found: [Pair] = []
        try overlay.scan(range, in: data, order: order, expecting: number) { key, value in
            found.append(Pair(key: [UInt8](copying: key), value: [UInt8](copying: value)))
            return .next
        }
        #expect(found == inOrder)
        var keys: [[UInt8]] = []
        try overlay.scanKeys(range, in: data, order: order, expecting: number) { key in
            keys.append([UInt8](copying: key))
            return .next
        }
        #expect(keys == inOrder.map(\.key))
    }

    /// Seeks and then steps both ways, which the cursor, open since before, has to answer for the entries as they are.
    private func move(_ cursor: any StorageCursor, _ key: [UInt8], _ model: [[UInt8]: [UInt8]], _ random: inout SeededGenerator) throws {
        let keys = model.inKeyOrder().map(\.key)
        var place = keys.firstIndex { !$0.lexicographicallyPrecedes(key) } ?? keys.count
        #expect(try cursor.seek(to: key) == (place < keys.count))
        for _ in 0..<Int.random(in: 0..<40, using: &random) {
            if Bool.random(using: &random) {
                place = min(place + 1, keys.count)
                #expect(try cursor.next() == (place < keys.count))
            } else {
                place = max(place - 1, -1)
                #expect(try cursor.previous() == (place >= 0))
            }
            let entry = try cursor.entry()
            #expect(entry?.key == (keys.indices.contains(place) ? keys[place] : nil))
            #expect(entry?.value == (keys.indices.contains(place) ? model[keys[place]] : nil))
        }
    }

    private func send(_ overlay: WriteOverlay, to writer: any StorageWriter, _ data: Keyspace) throws {
        var last: [UInt8]?
        try overlay.send(maxCount: 7, maxSize: 200) { keyspace, changes in
            #expect(keyspace == data)
            #expect((1...7).contains(changes.count))
            for change in changes {
                if let last { #expect(last.lexicographicallyPrecedes(change.key)) }
                last = change.key
                if let value = change.value { try writer.put(change.key, value, in: data) } else { try writer.remove(change.key, in: data) }
            }
        }
    }

    /// What was read before a range is deleted in the store is not read again.
    @Test func `a range is deleted in the store`() throws {
        try MemoryBackend().write(.relaxed) { (writer: any StorageWriter) throws -> Void in
            let data = try writer.createKeyspace(named: "data")
            for key: UInt8 in 1...5 { try writer.put([key], [key], in: data) }
            let overlay = WriteOverlay(over: writer, check: { _ in }, goneKeyspace: { .invalidKeyspace(Self.details) })
            let keys: [[UInt8]] = (0...6).map { [$0] }
            func delete(_ range: KeyRange) throws -> Int {
                try overlay.deleteRangeInBase(range, in: data) { try writer.deleteRange($0, in: data) }
            }
            func left() throws -> [UInt8] {
                try keys.filter { key in try overlay.get(key.span.bytes, in: data) { _ in } }.map { $0[0] }
            }
            overlay.prefetch(keys, in: data)
            #expect(try left() == [1, 2, 3, 4, 5])
            let cursor = overlay.cursor(in: data)
            #expect(try cursor.seek(to: keys[2]))
            let (zero, three) = (keys[0], keys[3])
            overlay.remove(three.span.bytes, in: data)
            overlay.put(zero.span.bytes, zero.span.bytes, in: data)
            struct Undo: Error {}
            #expect(throws: Undo.self) {
                try overlay.savepoint {
                    #expect(try delete(.all) == 5)
                    throw Undo()
                }
            }
            #expect(try left() == [0, 1, 2, 4, 5])
            // One that is put and not stored, one that is stored and removed.
            #expect(try delete(KeyRange(upTo: keys[4])) == 3)
            #expect(try left() == [4, 5])
            #expect(try cursor.entry() == nil)
            #expect(try cursor.next() && cursor.entry()?.key == keys[4])
        }
    }

    /// What was put and removed again, where the store is known to have nothing, is not sent; of several changes the last one is.
    @Test func `net changes are sent, and none twice`() throws {
        try MemoryBackend().write(.relaxed) { (writer: any StorageWriter) throws -> Void in
            let data = try writer.createKeyspace(named: "data")
            let overlay = WriteOverlay(over: writer, check: { _ in }, goneKeyspace: { .invalidKeyspace(Self.details) })
            let (one, two): ([UInt8], [UInt8]) = ([1], [2])
            for value: [UInt8] in [[1], [2], [3]] { overlay.put(one.span.bytes, value.span.bytes, in: data) }
            #expect(try overlay.insert(two.span.bytes, one.span.bytes, in: data))
            #expect(try overlay.delete(two.span.bytes, in: data))
            var sent: [EntryChange] = []
            try overlay.savepoint { try overlay.send { sent += $1 } }
            #expect(sent == [])
            try overlay.send { sent += $1 }
            #expect(sent == [EntryChange(key: [1], value: [3])])
            #expect(overlay.size == 0)
            try overlay.send { sent += $1 }
            #expect(sent.count == 1)
        }
    }

    /// Thousands of changes are cut into chunks; those in order and those in none.
    @Test(arguments: [true, false]) func `many changes`(inOrder: Bool) throws {
        try MemoryBackend().write(.relaxed) { (writer: any StorageWriter) throws -> Void in
            let data = try writer.createKeyspace(named: "data")
            let overlay = WriteOverlay(over: writer, check: { _ in }, goneKeyspace: { .invalidKeyspace(Self.details) })
            let numbers = inOrder ? Array(0..<5_000) : (0..<5_000).map { $0 * 3_001 % 5_000 }
            for number in numbers {
                let key = number.key
                overlay.put(key.span.bytes, key.span.bytes, in: data)
            }
            for number in numbers where number % 2 == 0 {
                let key = number.key
                overlay.remove(key.span.bytes, in: data)
            }
            #expect(try overlay.count(in: data) == 2_500)
            try send(overlay, to: writer, data)
            #expect(try contents(writer, data).map(\.key) == (0..<5_000).filter { $0 % 2 == 1 }.map(\.key))
        }
    }

    // MARK: Helpers

    private static let details = StorageError.Details(engine: "test", path: "test", message: "the cursor was made in a savepoint that was undone")

    private func key(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 1...2, using: &random)).map { _ in UInt8.random(in: 0..<20, using: &random) }
    }

    private func value(_ random: inout SeededGenerator) -> [UInt8] {
        [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: Int.random(in: 0...12, using: &random))
    }

    private func range(_ random: inout SeededGenerator) -> KeyRange {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .all
        case 1: KeyRange(from: key(&random))
        default: KeyRange(from: key(&random), upTo: key(&random))
        }
    }

    private func contents(_ writer: any StorageWriter, _ data: Keyspace) throws -> [Pair] {
        var pairs: [Pair] = []
        try writer.scan(in: data) { key, value in
            pairs.append(Pair(key: [UInt8](copying: key), value: [UInt8](copying: value)))
            return .next
        }
        return pairs
    }
}
