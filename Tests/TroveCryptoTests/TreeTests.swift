import TestSupport
import Testing
import TroveCrypto
import TroveStorage
import TroveTesting

/// The tree beside a plain dictionary, with the smallest nodes there may be, so that it is deep.
@Suite struct TreeTests {
    private struct Undone: Error {}

    @Test(arguments: [1, 2, 3] as [UInt64]) func agreesWithADictionary(seed: UInt64) throws {
        let memory = SealedMemory()
        var options = EncryptedBackend.Options()
        options.nodeSize = 1_024
        options.transactionMemory = 1 << 20
        options.cacheSize = seed == 1 ? 0 : 1 << 16
        let store = try memory.open(options: options)
        var model: [[UInt8]: [UInt8]] = [:]
        var generator = SeededGenerator(seed: seed)
        for round in 0..<24 {
            try store.write(.relaxed) { writer in
                let data = try writer.createKeyspace(named: "data")
                for _ in 0..<150 { try change(&model, writer, data, round, &generator) }
                let before = model
                do {
                    try writer.savepoint {
                        for _ in 0..<20 { try change(&model, writer, data, round, &generator) }
                        if generator.chance(1, in: 2) { throw Undone() }
                    }
                } catch is Undone { model = before }
            }
            try store.checkStructure()
            #expect(try store.contents() == ["data": model])
            let bound = key(&generator)
            let below = model.keys.count { $0.lexicographicallyPrecedes(bound) }
            try store.read { reader in
                let data = try #require(try reader.keyspace(named: "data"))
                #expect(try reader.count(in: data) == model.count)
                #expect(try reader.count(of: KeyRange(upTo: bound), in: data) == below)
            }
        }
        try store.close()
        let reopened = try memory.open()
        #expect(try reopened.contents() == ["data": model])
        try reopened.write(.relaxed) { writer in
            guard let data = try writer.keyspace(named: "data") else { return }
            try writer.dropKeyspace(data)
        }
        try reopened.checkStructure()
        #expect(try memory.values().count == 2)
    }

    private func key(_ generator: inout SeededGenerator) -> [UInt8] {
        let number = Int.random(in: 0..<3_000, using: &generator)
        return Array("\(number)".utf8) + [UInt8](repeating: 9, count: number % 17 == 0 ? 400 : number % 5)
    }

    private func change(
        _ model: inout [[UInt8]: [UInt8]], _ writer: any StorageWriter, _ data: Keyspace, _ round: Int, _ generator: inout SeededGenerator
    ) throws {
        let key = key(&generator)
        switch Int.random(in: 0..<20, using: &generator) {
        // Grows at first and shrinks later.
        case 0..<(round < 14 ? 13 : 4):
            let size = generator.chance(1, in: 12) ? Int.random(in: 500..<5_000, using: &generator) : Int.random(in: 0..<90, using: &generator)
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
            try writer.put(key, value, in: data)
            model[key] = value
        case 19 where round > 10:
            let upper = key + [UInt8](repeating: 0xFF, count: 2)
            let removed = model.keys.filter { !$0.lexicographicallyPrecedes(key) && $0.lexicographicallyPrecedes(upper) }
            #expect(try writer.deleteRange(KeyRange(from: key, upTo: upper), in: data) == removed.count)
            for key in removed { model[key] = nil }
        default:
            #expect(try writer.delete(key, in: data) == (model.removeValue(forKey: key) != nil))
        }
    }

    /// A value of several chunks, and one that is replaced by another.
    @Test(arguments: TestShare.engines(0)) func keepsLargeValues(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try engine.openSealed(directory.file())
        let large = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        try store.write(.relaxed) { writer in
            let data = try writer.createKeyspace(named: "data")
            try writer.put([1], large, in: data)
            try writer.put([2], Array(large.prefix(1 << 20)), in: data)
        }
        try store.checkStructure()
        #expect(try store.contents()["data"]?[[1]] == large)
        #expect(try store.contents()["data"]?[[2]]?.count == 1 << 20)
        try store.write(.relaxed) { writer in
            let data = try writer.createKeyspace(named: "data")
            try writer.put([1], [5], in: data)
        }
        try store.checkStructure()
        #expect(try store.sealingStatus().dataKeys.map(\.sealedValueCount) == [3])
        try store.close()
    }

    /// Names are found as they are in the transaction, not as they were: a keyspace that was dropped, written out, made again, undone.
    @Test func keyspacesAreFoundAsTheyAre() throws {
        let memory = SealedMemory()
        var options = EncryptedBackend.Options()
        (options.nodeSize, options.transactionMemory) = (1_024, 1 << 20)
        let store = try memory.open(options: options)
        for name in ["a", "b"] { try store.fill(0..<20, in: name) }
        for number in 0..<30 { try store.fill(0..<1, in: "more \(number)") }
        _ = try store.contents()
        try store.write(.relaxed) { writer in
            let a = try #require(try writer.keyspace(named: "a"))
            try writer.dropKeyspace(a)
            #expect(try writer.keyspace(named: "a") == nil)
            // More than the memory for changed nodes, so that they are written before the end.
            let b = try writer.createKeyspace(named: "b")
            for number in 0..<12_000 { try writer.put(Array("\(number)".utf8), [UInt8](repeating: 1, count: 90), in: b) }
            #expect(try writer.keyspace(named: "a") == nil)
            #expect(try !writer.keyspaceNames().contains("a"))
            #expect(throws: Undone.self) {
                try writer.savepoint {
                    let again = try writer.createKeyspace(named: "a")
                    try writer.put([1], [1], in: again)
                    for number in 0..<30 { try writer.dropKeyspace(#require(try writer.keyspace(named: "more \(number)"))) }
                    throw Undone()
                }
            }
            #expect(try writer.keyspace(named: "a") == nil)
            for number in 0..<30 { #expect(try writer.count(in: #require(try writer.keyspace(named: "more \(number)"))) == 1) }
            let last = try writer.createKeyspace(named: "a")
            #expect(try writer.count(in: last) == 0)
            #expect(try writer.createKeyspace(named: "a") == last)
            try writer.put([2], [2], in: last)
        }
        try store.checkStructure()
        let contents = try store.contents()
        #expect(contents["a"] == [[2]: [2]] && contents["b"]?.count == 12_020 && contents.count == 32)
        #expect(try memory.open().contents() == contents)
    }

    /// All keyspaces are dropped and made again in a savepoint that is undone: what was written before is found, and what is written then.
    @Test(arguments: [2, 8, 9, 20]) func keyspacesAreFoundAfterAnUndoneSavepoint(count: Int) throws {
        let memory = SealedMemory()
        let store = try memory.open()
        let names = (0..<count).map { "keyspace \($0)" }
        for name in names { try store.fill(0..<2, in: name) }
        try store.write(.relaxed) { writer in
            for name in names { try writer.put([1], [1], in: #require(try writer.keyspace(named: name))) }
            #expect(throws: Undone.self) {
                try writer.savepoint {
                    for name in names { try writer.dropKeyspace(#require(try writer.keyspace(named: name))) }
                    for name in names { try writer.put([2], [2], in: writer.createKeyspace(named: name)) }
                    throw Undone()
                }
            }
            for name in names {
                let keyspace = try #require(try writer.keyspace(named: name))
                #expect(try writer.value(of: [1], in: keyspace) == [1])
                try writer.put([3], [3], in: keyspace)
            }
        }
        try store.checkStructure()
        for (name, entries) in try memory.open().contents() {
            #expect(names.contains(name) && entries.count == 4 && entries[[1]] == [1] && entries[[3]] == [3])
        }
    }

    /// A transaction of which only an undone savepoint is left commits nothing, as on the engines themselves; cursors find their places after it.
    @Test func anUndoneSavepointIsNothingToCommit() throws {
        let memory = SealedMemory()
        let store = try memory.open()
        try store.fill(0..<20)
        let (count, values) = (try store.sealingStatus().commitCount, try memory.values())
        for size in [40, 50_000, 2_500_000] {
            try store.write(.relaxed) { writer in
                let data = try #require(try writer.keyspace(named: "data"))
                let cursor = try writer.cursor(in: data)
                #expect(try cursor.seek(to: Array("key 1".utf8)))
                #expect(throws: Undone.self) {
                    try writer.savepoint {
                        try writer.put(Array("key 10".utf8), [UInt8](repeating: 1, count: size), in: data)
                        _ = try writer.delete(Array("key 1".utf8), in: data)
                        _ = try writer.createKeyspace(named: "more")
                        throw Undone()
                    }
                }
                var keys: [[UInt8]] = []
                while try cursor.withEntry({ key, _ in keys.append([UInt8](copying: key)) }), try cursor.next() {}
                #expect(keys.count == 19 && keys.first == Array("key 1".utf8))
            }
            #expect(try store.sealingStatus().commitCount == count, "\(size)")
            #expect(try memory.values().elementsEqual(values) { $0.key == $1.key && $0.value == $1.value }, "\(size)")
        }
        // What is changed before or after one is committed.
        for isBefore in [true, false] {
            try store.write(.relaxed) { writer in
                let data = try #require(try writer.keyspace(named: "data"))
                if isBefore { try writer.put([1], [1], in: data) }
                #expect(throws: Undone.self) {
                    try writer.savepoint {
                        try writer.put([3], [3], in: data)
                        throw Undone()
                    }
                }
                if !isBefore { try writer.put([2], [2], in: data) }
            }
        }
        #expect(try store.sealingStatus().commitCount == count + 2)
        try store.checkStructure()
        let data = try store.contents()["data"]
        #expect(data?[[1]] == [1] && data?[[2]] == [2] && data?[[3]] == nil && data?.count == 22)
    }
}
