import TestSupport
import Testing
import TroveCrypto
import TroveStorage

/// A store that somebody forged who has its key: each use ends, with an error or an answer, and none traps.
@Suite struct ForgeryTests {
    private let memory = SealedMemory()
    private let options: EncryptedBackend.Options

    init() {
        var options = EncryptedBackend.Options()
        options.nodeSize = 1_024
        self.options = options
    }

    /// What becomes of a program that reads, writes and deletes all; nil when nothing is thrown.
    private func outcome() throws -> String? {
        do {
            let store = try memory.open(options: options)
            _ = try store.contents()
            try store.addKey(.raw([UInt8](repeating: 8, count: 32)))
            try store.fill(0..<60, mark: 1)
            try store.fill(0..<1, valueSize: 3_000)
            try store.rotateDataKey()
            try store.write(.relaxed) { writer in
                let data = try writer.createKeyspace(named: "data")
                _ = try writer.deleteRange(KeyRange(from: [1]), in: data)
            }
            return nil
        } catch let error as StorageError { return error.name } catch let error as SealedStoreError { return error.name }
    }

    /// The outcome of each forgery of a store that is then as before.
    private func expectCorrupt<Change>(_ changes: [Change], _ forge: (Forger, Change) throws -> Void) throws {
        let values = try memory.values()
        for (position, change) in changes.enumerated() {
            try forge(Forger(memory), change)
            #expect(try outcome() == "corrupt", "forgery \(position)")
            let present = Set(try memory.values().map(\.key))
            try memory.change(present.subtracting(values.map(\.key)).map { ($0, nil) } + values.map { ($0.key, $0.value) })
        }
        #expect(try outcome() == nil)
    }

    @Test func numbersOfTheRoot() throws {
        try memory.open(options: options).fill(0..<60)
        let changes: [(at: Int, bytes: [UInt8])] = [
            (1, Forger.bytes(UInt64.max)), (9, Forger.bytes(UInt64.max)), (9, Forger.bytes(UInt64.max - 5)), (9, Forger.bytes(UInt64(0))),
            (125, Forger.bytes(UInt64.max)), (125, Forger.bytes(Int64.max)), (125, Forger.bytes(UInt64(0))), (82, [255]),
            (107, Forger.bytes(Int64.max)), (107, Forger.bytes(UInt64.max)),
        ]
        try expectCorrupt(changes) { forger, change in
            try forger.changeRoot { $0.replaceSubrange(change.at..<change.at + change.bytes.count, with: change.bytes) }
        }
    }

    @Test func numbersOfATree() throws {
        try memory.open(options: options).fill(0..<60)
        let changes: [(at: Int, bytes: [UInt8])] = [(0, [2]), (1, [255]), (26, Forger.bytes(Int64.max)), (26, Forger.bytes(UInt64(5)))]
        try expectCorrupt(changes) { forger, change in
            try forger.changeTree { $0.replaceSubrange(change.at..<change.at + change.bytes.count, with: change.bytes) }
        }
    }

    @Test func countsOfNodes() throws {
        try memory.open(options: options).fill(0..<60)
        try expectCorrupt([UInt64(Int64.max), 1 << 40, 1]) { forger, count in
            try forger.changeNode { entries in
                for position in entries.indices { entries[position].payload.replaceSubrange(24..<32, with: Forger.bytes(count)) }
            }
        }
    }

    @Test func numbersOfALargeValue() throws {
        try memory.open(options: options).fill(0..<1, valueSize: 3_000)
        let changes: [(at: Int, bytes: [UInt8])] = [
            (0, Forger.bytes(UInt64.max)), (24, Forger.bytes(Int64.max)), (24, Forger.bytes(UInt64(1) << 40)), (24, Forger.bytes(UInt64(1) << 29)),
        ]
        try expectCorrupt(changes) { forger, change in
            try forger.changeNode { $0[0].payload.replaceSubrange(change.at..<change.at + change.bytes.count, with: change.bytes) }
        }
    }

    @Test func numbersOfTheRecordOfKeys() throws {
        _ = try memory.open(options: options).contents()
        try expectCorrupt([true, false]) { forger, isGeneration in
            try forger.changeRecord(keyNumber: isGeneration ? 1 : .max) { record in
                if isGeneration {
                    record.replaceSubrange(26..<34, with: Forger.bytes(UInt64.max))
                } else {
                    record.replaceSubrange(126..<130, with: Forger.bytes(UInt32.max))
                }
            }
        }
    }

    /// Separators that lead a scan in a circle, keys of a leaf in disorder, a leaf whose keys are not below its bound.
    @Test func keysInDisorder() throws {
        try memory.open(options: options).fill(0..<60)
        try expectCorrupt([0, 1, 2]) { forger, way in
            try forger.changeNode { entries in
                switch way {
                case 0: (entries[1].key, entries[2].key) = (entries[2].key, entries[1].key)
                case 1: entries[2].key = entries[1].key
                default: entries[entries.count - 1].key = [0xFF]
                }
            }
        }
    }

    @Test func aRangeIsDeletedInAnyDisorder() throws {
        try memory.open(options: options).fill(0..<60)
        var last: [UInt8] = []
        try Forger(memory).changeNode { entries in
            last = entries[entries.count - 1].key
            entries[entries.count - 1].key = [0xFF]
        }
        let store = try memory.open(options: options)
        #expect {
            try store.write(.relaxed) { writer in
                let data = try writer.createKeyspace(named: "data")
                _ = try writer.deleteRange(KeyRange(from: last, upTo: [0xFE]), in: data)
            }
        } throws: { ($0 as? StorageError)?.name == "corrupt" }
    }

    @Test func keysOfALeafInDisorder() throws {
        try memory.open(options: options).fill(0..<4)
        try expectCorrupt([0, 1]) { forger, way in
            try forger.changeNode { entries in
                if way == 0 { entries.swapAt(0, 3) } else { entries[1].key = entries[0].key }
            }
        }
    }

    /// More values are counted with the old key than there are.
    @Test func aRotationComesToItsEnd() throws {
        try memory.open(options: options).fill(0..<60)
        try Forger(memory).changeRoot { $0[125] += 5 }
        let store = try memory.open(options: options)
        #expect { try store.rotateDataKey(stepSize: 4) } throws: { ($0 as? StorageError)?.name == "corrupt" }
        #expect(try store.contents()["data"]?.count == 60)
    }

    @Test func theOldestKeyOfATreeIsChecked() throws {
        try memory.open(options: options).fill(0..<60)
        try Forger(memory).changeTree { $0.replaceSubrange(34..<38, with: Forger.bytes(UInt32(0))) }
        #expect { try memory.open(options: options).checkStructure() } throws: { ($0 as? StorageError)?.name == "corrupt" }
    }
}
