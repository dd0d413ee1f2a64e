import TestSupport
import Testing
import TroveCrypto
import TroveStorage
import TroveTesting

/// Whatever is done to the sealed values ends in a typed error or in the right answer, never in a wrong one.
@Suite struct TamperingTests {
    /// A small store of two states: several nodes, a node above them, a large value, two keyspaces.
    private struct Scene {
        let memory = SealedMemory()
        let older: [(key: [UInt8], value: [UInt8])]
        let newer: [(key: [UInt8], value: [UInt8])]
        let contents: [String: [[UInt8]: [UInt8]]]

        init() throws {
            var options = EncryptedBackend.Options()
            options.nodeSize = 1_024
            let store = try memory.open(options: options)
            try store.fill(0..<30)
            try store.fill(0..<2, in: "large", valueSize: 700)
            older = try memory.values()
            try store.fill(5..<6, mark: 1)
            try store.fill(0..<1, in: "large", valueSize: 700, mark: 1)
            newer = try memory.values()
            contents = try store.contents()
            try store.close()
        }

        /// What became of the store: nil for the right answer.
        func outcome() throws -> String? {
            do {
                let store = try memory.open()
                let found = try store.contents()
                try store.checkStructure()
                #expect(found == contents)
                return nil
            } catch let error as StorageError {
                return error.name
            } catch let error as SealedStoreError {
                return error.name
            }
        }

        func restore() throws {
            let present = Set(try memory.values().map(\.key))
            try memory.change(present.subtracting(newer.map(\.key)).map { ($0, nil) } + newer.map { ($0.key, $0.value) })
        }
    }

    @Test func everyByteCounts() throws {
        let scene = try Scene()
        #expect(try scene.outcome() == nil)
        var generator = SeededGenerator(seed: 5)
        for (key, value) in scene.newer {
            // The record of keys and the root byte by byte, of the others all of the seal and a part of the contents.
            let positions = key.count < 8 ? Array(value.indices) : value.indices.filter { $0 < 34 || $0 >= value.count - 17 || $0 % 29 == 0 }
            for position in positions {
                var changed = value
                changed[position] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
                try scene.memory.change([(key, changed)])
                let outcome = try scene.outcome()
                #expect(["corrupt", "wrongKey", "newerFormat"].contains(outcome), "byte \(position) of \(key): \(outcome ?? "no error")")
            }
            for changed in [[], Array(value.dropLast()), value + [0], Array(value.prefix(20))] {
                try scene.memory.change([(key, changed)])
                #expect(["corrupt", "wrongKey"].contains(try scene.outcome()))
            }
            try scene.memory.change([(key, value)])
        }
        #expect(try scene.outcome() == nil)
    }

    @Test func everyValueStandsInItsPlace() throws {
        let scene = try Scene()
        for (first, left) in scene.newer.enumerated() {
            for right in scene.newer[(first + 1)...] {
                try scene.memory.change([(left.key, right.value), (right.key, left.value)])
                #expect(try scene.outcome() == "corrupt", "\(left.key) and \(right.key)")
                try scene.memory.change([(left.key, left.value), (right.key, right.value)])
            }
            try scene.memory.change([(left.key, nil)])
            #expect(try scene.outcome() == "corrupt", "without \(left.key)")
            try scene.restore()
        }
        try scene.memory.change([([0, 0, 0, 0, 0, 0, 9, 9], scene.newer[3].value)])
        #expect(try scene.outcome() == "corrupt")
        try scene.restore()
        #expect(try scene.outcome() == nil)
    }

    /// Each earlier value put back alone, all but one of them, and then all: that is an earlier store, which only a state kept elsewhere tells.
    @Test func earlierValuesAreNoticed() throws {
        let scene = try Scene()
        let state = try scene.memory.open().sealedState()
        let newer = Dictionary(uniqueKeysWithValues: scene.newer.map { ($0.key, $0.value) })
        let changed = scene.older.filter { newer[$0.key] != $0.value }
        #expect(changed.count >= 4)
        for one in changed {
            try scene.memory.change([(one.key, one.value)])
            #expect(try scene.outcome() == "corrupt", "\(one.key) alone")
            try scene.memory.change(changed.map { ($0.key, $0.value) } + [(one.key, newer[one.key])])
            #expect(try scene.outcome() == "corrupt", "all but \(one.key)")
            try scene.restore()
        }
        let removed = Set(newer.keys).subtracting(scene.older.map(\.key))
        try scene.memory.change(changed.map { ($0.key, $0.value) } + removed.map { ($0, nil) })
        let store = try scene.memory.open()
        try store.checkStructure()
        #expect(try store.contents() != scene.contents)
        var options = EncryptedBackend.Options()
        options.expectedState = state
        #expect(throws: SealedStoreError.self) { try scene.memory.open(options: options) }
    }

    /// An older store is noticed by a backend that had the newer one open.
    @Test func aStoreSetBackWhileOpenIsNoticed() throws {
        let memory = SealedMemory()
        let store = try memory.open()
        try store.fill(0..<10)
        let older = try memory.values()
        try store.fill(0..<10, mark: 1)
        try memory.change(older.map { ($0.key, $0.value) })
        for use in [{ _ = try store.contents() }, { try store.fill(0..<1) }, { _ = try store.sealedState() }, { try store.checkStructure() }] {
            #expect { try use() } throws: { ($0 as? SealedStoreError)?.name == "rolledBack" }
        }
    }

    /// A record of keys that somebody has changed while the store is open: the next change of it would make it the store's.
    @Test func aRecordOfKeysChangedWhileOpenIsNoticed() throws {
        let memory = SealedMemory()
        let (second, third) = (StoreKey.raw([UInt8](repeating: 8, count: 32)), StoreKey.raw([UInt8](repeating: 9, count: 32)))
        let store = try memory.open()
        try store.fill(0..<10)
        try store.addKey(second)
        let record = try #require(try memory.values().first)
        var changed = record.value
        // By its commitment the second key is known.
        changed[141] ^= 1
        try memory.change([(record.key, changed)])
        let uses: [() throws -> Void] = [
            { try store.addKey(third) }, { try store.removeKey(memory.key) }, { try store.changeKey(to: third) }, { try store.beginRotation() },
            { try store.rotateDataKey() }, { _ = try store.sealingStatus() }, { try store.checkStructure() },
        ]
        for use in uses {
            #expect { try use() } throws: { ($0 as? StorageError)?.name == "corrupt" }
        }
        #expect(try memory.values().first?.value == changed)
        try memory.change([(record.key, record.value)])
        try store.addKey(third)
        try store.checkStructure()
        for key in [memory.key, second, third] { #expect(try memory.open(key: key).contents()["data"]?.count == 10) }
    }

    /// An older store on which somebody has committed until it had as many commits.
    @Test func anotherHistoryWhileOpenIsNoticed() throws {
        let memory = SealedMemory()
        let store = try memory.open()
        try store.fill(0..<10)
        let older = try memory.values()
        try store.fill(0..<10, mark: 1)
        try memory.change(older.map { ($0.key, $0.value) })
        try memory.open().fill(0..<10, mark: 2)
        for use in [{ _ = try store.contents() }, { try store.fill(0..<1) }, { _ = try store.sealedState() }] {
            #expect { try use() } throws: { ($0 as? SealedStoreError)?.name == "rolledBack" }
        }
    }

    /// Values of another store under the same key and at the same places.
    @Test func valuesOfAnotherStoreAreNoticed() throws {
        let scene = try Scene()
        let other = try Scene()
        for (key, value) in other.newer {
            try scene.memory.change([(key, value)])
            #expect(try scene.outcome() == "corrupt", "\(key)")
            try scene.restore()
        }
    }
}
