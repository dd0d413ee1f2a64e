import ProbeKit
import Synchronization
import TestSupport
import Testing
import TroveBackendKit
import TroveCrypto
import TroveStorage

/// Random damage to a large store: each read ends in a typed error or in the right answer. ``TamperingTests`` tries all of a small one.
@Suite struct SampledTamperingTests {
    /// Notes which values of the wrapped engine are read.
    private final class Watch: ForwardingBackend {
        final class Reader: ForwardingReader {
            let wrappedReader: any StorageReader
            private let watch: Watch

            init(_ reader: any StorageReader, _ watch: Watch) { (wrappedReader, self.watch) = (reader, watch) }

            func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
                let copy = [UInt8](copying: key)
                watch.seen.withLock { $0.append(copy) }
                return try wrappedReader.get(key, in: keyspace, body)
            }
        }

        let wrappedBackend: any StorageBackend
        let seen = Mutex<[[UInt8]]>([])

        init(_ backend: any StorageBackend) { wrappedBackend = backend }

        func read(_ body: (any StorageReader) throws -> Void) throws { try wrappedBackend.read { try body(Reader($0, self)) } }
    }

    /// A store of 100,000 entries in two states, and which entry leads to each of its sealed values.
    private final class Scene {
        static let count = 100_000

        private let directory: TemporaryDirectory
        let plain: any StorageBackend
        let store: EncryptedBackend
        private(set) var values: [[UInt8]: [UInt8]] = [:]
        private(set) var older: [(key: [UInt8], value: [UInt8]?)] = []
        private(set) var entries: [[UInt8]: Int] = [:]

        /// What is stored under a number; each 997th is large enough for a value of its own.
        static func value(_ number: Int) -> [UInt8] {
            let mark = UInt8(truncatingIfNeeded: number % 5 == 0 ? number ^ 0x55 : number)
            return [UInt8](repeating: mark, count: number % 997 == 0 ? 5_000 : 40)
        }

        init(_ engine: Engine) throws {
            directory = try TemporaryDirectory()
            let path = directory.file()
            var options = EncryptedBackend.Options()
            options.cacheSize = 0
            plain = try engine.open(path)
            store = try engine.openSealed(path, options: options)
            try write { _ in [UInt8](repeating: 1, count: 40) }
            let before = try SealedMemory.values(plain)
            try write { Self.value($0) }
            let after = try SealedMemory.values(plain)
            values = Dictionary(uniqueKeysWithValues: after.map { ($0.key, $0.value) })
            older = before.filter { values[$0.key] != $0.value }.map { ($0.key, $0.value) }
            let watch = Watch(plain)
            let watched = try EncryptedBackend(watch, key: Engine.sealingKey, options: options)
            // The catalogue is read once; a state that is known is not asked for it again.
            _ = try Self.read(0, in: watched)
            for number in 0..<Self.count where number % 7 == 0 || number % 997 == 0 {
                watch.seen.withLock { $0 = [] }
                _ = try Self.read(number, in: watched)
                for key in watch.seen.withLock({ $0 }) where entries[key] == nil { entries[key] = number }
            }
        }

        private func write(_ value: (Int) -> [UInt8]) throws {
            try store.write(.relaxed) { writer in
                let data = try writer.createKeyspace(named: "data")
                for number in 0..<Self.count { try writer.put(Self.key(number), value(number), in: data) }
            }
        }

        static func key(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(number).bigEndian) { [UInt8]($0) } }

        static func read(_ number: Int, in store: EncryptedBackend) throws -> [UInt8]? {
            try store.read { reader in
                guard let data = try reader.keyspace(named: "data") else { return nil }
                return try reader.value(of: key(number), in: data)
            }
        }

        func close() throws {
            try store.close()
            try plain.close()
        }
    }

    /// What became of reads, each a right answer or an error.
    private struct Tally {
        var errors = 0
        var rightAnswers = 0
        var wrongAnswers: [String] = []

        mutating func read(_ number: Int, _ store: EncryptedBackend, _ damage: String) throws -> Bool {
            do {
                if try Scene.read(number, in: store) == Scene.value(number) { rightAnswers += 1 } else { wrongAnswers.append("\(number) after \(damage)") }
                return false
            } catch let error as StorageError where error.name == "corrupt" {
                errors += 1
                return true
            } catch let error as SealedStoreError where error.name == "rolledBack" {
                // The earlier root, whose seal is right.
                errors += 1
                return true
            }
        }
    }

    private static func damage(_ scene: Scene, _ keys: [[UInt8]], _ random: inout SeededGenerator) -> (name: String, changes: [(key: [UInt8], value: [UInt8]?)]) {
        func any() -> (key: [UInt8], value: [UInt8]) {
            let key = keys.randomElement(using: &random) ?? []
            return (key, scene.values[key] ?? [])
        }
        var (key, value) = any()
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            value[Int.random(in: value.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            return ("a flipped bit", [(key, value)])
        case 1:
            let other = any()
            return ("a swap", [(key, other.value), (other.key, value)])
        case 2:
            guard let old = scene.older.randomElement(using: &random) else { return ("nothing", []) }
            return ("an older value", [old])
        case 3: return ("a removal", [(key, nil)])
        case 4: return ("a cut", [(key, Array(value.prefix(Int.random(in: 0..<value.count, using: &random))))])
        default:
            let start = Int.random(in: value.indices, using: &random)
            for position in start..<min(value.count, start + 8) { value[position] = .random(in: 0 ... .max, using: &random) }
            return ("random bytes", [(key, value)])
        }
    }

    /// In a whole run a million times in memory, otherwise five thousand times.
    @Test(arguments: Engine.allCases) func everyReadIsRightOrATypedError(engine: Engine) throws {
        let scene = try Scene(engine)
        // The record of keys is read at opening only, which other tests try.
        let keys = scene.values.keys.filter { $0 != [0] }.sorted { $0.lexicographicallyPrecedes($1) }
        // Every value but the catalogue's node is read on the way to some entry.
        #expect(keys.filter { scene.entries[$0] == nil }.count <= 1)
        let count = (TestShare.isWhole ? 1_000_000 : 5_000) / (engine == .memory ? 1 : 50)
        var random = SeededGenerator(seed: 14)
        var tally = Tally()
        var unnoticed: [String] = []
        for _ in 0..<count {
            let (name, changes) = Self.damage(scene, keys, &random)
            let real = changes.filter { $0.value != scene.values[$0.key] }
            try SealedMemory.change(changes, in: scene.plain)
            for change in real {
                guard let number = scene.entries[change.key] else { continue }
                if try !tally.read(number, scene.store, name) { unnoticed.append("\(name) at \(change.key)") }
            }
            _ = try tally.read(Int.random(in: 0..<Scene.count, using: &random), scene.store, name)
            try SealedMemory.change(changes.map { ($0.key, scene.values[$0.key]) }, in: scene.plain)
        }
        #expect(tally.wrongAnswers == [] && unnoticed == [])
        #expect(tally.errors > count / 2 && tally.rightAnswers > count / 2)
        try scene.store.checkStructure()
        if TestShare.isWhole { print("\(engine): \(count) damages, \(tally.errors) errors, \(tally.rightAnswers) right answers, 0 wrong") }
        try scene.close()
    }
}
