import EngineSupport
import Testing
import TroveLMDB
import TroveStorage

@Suite struct AppendTests {
    private struct Deliberate: Error {}

    /// The store under test and what it should hold.
    private final class Program {
        var model: [[UInt8]: [UInt8]] = [:]
        var generator: SeededGenerator
        var top = 0

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        func value() -> [UInt8] {
            let isLarge = Int.random(in: 0..<40, using: &generator) == 0
            let size = Int.random(in: 0..<(isLarge ? 9_000 : 120), using: &generator)
            return [UInt8](repeating: UInt8.random(in: 0...255, using: &generator), count: size)
        }

        func step(_ writer: any StorageWriter, _ data: inout Keyspace, depth: Int = 0) throws {
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<45:  // Ascending runs, mostly what append mode is for.
                for _ in 0..<Int.random(in: 1...30, using: &generator) {
                    top += Int.random(in: 1...3, using: &generator)
                    let value = value()
                    try writer.put(numberKey(top), value, in: data)
                    model[numberKey(top)] = value
                }
            case 45..<65:
                let key = numberKey(Int.random(in: 0...top + 5, using: &generator))
                let value = value()
                if Bool.random(using: &generator) {
                    try writer.put(key, value, in: data)
                    model[key] = value
                } else if try writer.insert(key, value, in: data) {
                    #expect(model.updateValue(value, forKey: key) == nil)
                } else {
                    #expect(model[key] != nil)
                }
            case 65..<78:  // Deletes at the end, so that the bound is above the last key.
                for back in 0..<Int.random(in: 1...20, using: &generator) where top >= back {
                    let key = numberKey(top - back)
                    let isThere = model.removeValue(forKey: key) != nil
                    #expect(try writer.delete(key, in: data) == isThere)
                }
            case 78..<84:
                let from = Int.random(in: 0...top + 1, using: &generator)
                let to = from + Int.random(in: 0...200, using: &generator)
                let range = KeyRange(from: numberKey(from), upTo: numberKey(to))
                let gone = model.keys.filter(range.contains)
                #expect(try writer.deleteRange(range, in: data) == gone.count)
                for key in gone { model[key] = nil }
                if to > top, Bool.random(using: &generator) { top = from }
            case 84..<87:
                #expect(try writer.deleteRange(.all, in: data) == model.count)
                model = [:]
                if Bool.random(using: &generator) { top = 0 }
            case 87..<90:
                try writer.dropKeyspace(data)
                data = try writer.createKeyspace(named: "data")
                model = [:]
            default:
                guard depth < 3 else { return }
                let (saved, savedTop, savedData) = (model, top, data)
                do {
                    try writer.savepoint {
                        for _ in 0..<Int.random(in: 0...6, using: &generator) { try step(writer, &data, depth: depth + 1) }
                        if Bool.random(using: &generator) { throw Deliberate() }
                    }
                } catch is Deliberate {
                    (model, data) = (saved, savedData)
                    if Bool.random(using: &generator) { top = savedTop }
                }
            }
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func randomProgramsAgreeWithAModel(seed: UInt64) throws {
        let store = try TemporaryStore()
        var backend = try store.open()
        let program = Program(seed: seed)
        for round in 0..<12 {
            try backend.write(.relaxed) { writer in
                var data = try writer.createKeyspace(named: "data")
                for _ in 0..<40 { try program.step(writer, &data) }
                #expect(try writer.contents(of: data) == program.model)
                #expect(try writer.count(in: data) == program.model.count)
            }
            if round % 4 == 3 {
                try backend.close()
                backend = try store.open { $0.pageCheck = .everyPage }
            }
            try backend.read { reader in
                let data = try #require(try reader.keyspace(named: "data"))
                #expect(try reader.contents(of: data) == program.model)
                let sorted = program.model.keys.sorted { $0.lexicographicallyPrecedes($1) }
                #expect(try reader.numbers(in: data).map(numberKey) == sorted)
                #expect(try reader.numbers(in: data, order: .descending).map(numberKey) == sorted.reversed())
            }
        }
        try backend.close()
    }

    @Test func ascendingKeysFillTheirPages() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        // In several transactions, because each looks up the end of the keyspace for itself.
        for start in stride(from: 0, to: 20_000, by: 2_000) { try backend.fill(start..<start + 2_000) }
        let figures = try backend.statistics().engineFigures
        let pageSize = try #require(figures["pageSize"])
        let leaves = try #require(figures["leafPages"])
        // A node is 8 bytes, the key 8, the value 90 and the offset 2.
        let least = 20_000 / (pageSize / 108)
        #expect(leaves <= least + least / 50)
        #expect(try backend.numbers() == Array(0..<20_000))
        try backend.close()
    }

    @Test func interleavedKeyspacesKeepTheirOwnEnds() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.write(.relaxed) { writer in
            // More keyspaces than there are places for their ends.
            let spaces = try (0..<40).map { try writer.createKeyspace(named: "space \($0)") }
            for number in 0..<200 {
                for (index, space) in spaces.enumerated() {
                    try writer.put(numberKey(number * (index % 3 == 0 ? -1 : 1) + 1_000), numberKey(index), in: space)
                }
            }
            for (index, space) in spaces.enumerated() {
                let expected = index % 3 == 0 ? Array(801...1_000) : Array(1_000..<1_200)
                #expect(try writer.numbers(in: space) == expected)
            }
        }
        try backend.close()
    }

    @Test func entriesMayBeCopiedFromLentBytes() throws {
        let store = try TemporaryStore()
        let backend = try store.open()
        try backend.fill(0..<300, valueSize: 200)
        try backend.write(.relaxed) { writer in
            let data = try #require(try writer.keyspace(named: "data"))
            // Each put moves nodes in the page that its own arguments come from.
            for number in 0..<300 {
                _ = try writer.get(numberKey(number).span.bytes, in: data) { value in
                    try writer.put(numberKey(number).span.bytes, value.extracting(droppingLast: 1), in: data)
                    return
                }
            }
            try writer.scan(.all, in: data) { key, value in
                if key.unsafeLoadUnaligned(as: UInt64.self).bigEndian < 300 {
                    try writer.put(numberKey(1_000 + Int(key.unsafeLoadUnaligned(as: UInt64.self).bigEndian)).span.bytes, value, in: data)
                    try writer.delete(numberKey(Int(key.unsafeLoadUnaligned(as: UInt64.self).bigEndian)), in: data)
                }
                return .next
            }
            let expected = Dictionary(
                uniqueKeysWithValues: (0..<300).map { (numberKey(1_000 + $0), [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 199)) })
            #expect(try writer.contents(of: data) == expected)
        }
        try backend.close()
    }
}
