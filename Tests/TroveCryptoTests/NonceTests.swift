import ProbeKit
import TestSupport
import Testing
import TroveCrypto
import TroveStorage

/// No two values are ever sealed with one key and one nonce.
@Suite struct NonceTests {
    /// Data key, random bytes and counter of a sealed value: what its key and nonce are made of.
    private func nonces(_ values: [(key: [UInt8], value: [UInt8])]) -> [[UInt8]] {
        values.filter { $0.key != [0] }.map { Array($0.value[1..<33]) }
    }

    /// Two copies of one store, as after a restored backup or image, written apart.
    @Test func copiesThatAreWrittenApartShareNone() throws {
        let (first, second) = (SealedMemory(), SealedMemory())
        let store = try first.open()
        try store.fill(0..<200)
        try second.change(first.values().map { ($0.key, $0.value) })
        let common = Set(nonces(try first.values()))
        #expect(common.count == (try first.values().count) - 1)
        let copy = try second.open()
        var seen: [[Set<[UInt8]>]] = [[], []]
        for round in 0..<20 {
            for (side, backend) in [store, copy].enumerated() {
                try backend.fill(round..<round + 60, valueSize: round == 7 ? 3_000 : 40, mark: UInt8(round))
                seen[side].append(Set(nonces(try (side == 0 ? first : second).values())).subtracting(common))
            }
        }
        let (left, right) = (seen[0].reduce(into: Set()) { $0.formUnion($1) }, seen[1].reduce(into: Set()) { $0.formUnion($1) })
        #expect(left.count > 100 && right.count > 100)
        #expect(left.isDisjoint(with: right))
    }

    /// Of all that ever reached the engine, also in a transaction or a savepoint that was undone, no two values have one nonce.
    @Test func noNonceIsUsedTwice() throws {
        struct Undone: Error {}
        let memory = SealedMemory()
        let recording = RecordingBackend(memory.plain)
        let store = try EncryptedBackend(recording, key: memory.key)
        for round in 0..<25 {
            // A transaction that is rolled back after it wrote, and one whose savepoint is.
            #expect(throws: Undone.self) {
                try store.write(.relaxed) { writer in
                    let data = try writer.createKeyspace(named: "data")
                    try writer.put([1], [UInt8](repeating: UInt8(round), count: 9_000), in: data)
                    throw Undone()
                }
            }
            try store.write(.relaxed) { writer in
                let data = try writer.createKeyspace(named: "data")
                do {
                    try writer.savepoint {
                        try writer.put([2], [UInt8](repeating: UInt8(round), count: 9_000), in: data)
                        throw Undone()
                    }
                } catch is Undone {}
                try writer.put([3], [UInt8](repeating: UInt8(round), count: 5_000), in: data)
            }
            try store.fill(round * 3..<round * 3 + 40)
            if round == 12 { try store.rotateDataKey(stepSize: 3) }
        }
        var sealed: [[UInt8]: [UInt8]] = [:]
        for (key, value) in recording.puts where key != [0] {
            #expect(sealed.updateValue(key + value, forKey: Array(value[1..<33])) == nil)
        }
        // Those that lie in the engine at the end are among them, and many that never did.
        #expect(sealed.count > 200)
        #expect(try nonces(memory.values()).allSatisfy { sealed[$0] != nil })
    }
}
