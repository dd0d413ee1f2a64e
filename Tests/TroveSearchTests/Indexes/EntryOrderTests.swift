import TestSupport
import Testing

@testable import Trove

@Suite struct EntryOrderTests {
    private func sorted(_ keys: [[UInt8]]) -> [[UInt8]] {
        var arena = EntryArena()
        for key in keys {
            var draft = arena.begin()
            key.withUnsafeBytes { arena.bytes.append($0) }
            draft.valueStart = arena.bytes.count
            arena.bytes.append(UInt8(7))
            arena.end(draft, .add)
        }
        let order = EntryOrder(arena)
        var last = -1
        return (0..<order.count).map { position in
            let offset = order.offset(position)
            let key = [UInt8](arena.key(at: offset))
            if position > 0, order.haveSameKey(position - 1, position, in: arena) { #expect(offset > last, "changes of one key stay in order") }
            last = offset
            return key
        }
    }

    @Test(arguments: [0, 1, 2, 100, 511, 3_000]) func everyKindOfKeys(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        func bytes(_ size: Int, _ alphabet: UInt8) -> [UInt8] { (0..<size).map { _ in .random(in: 0...alphabet, using: &generator) } }
        let shared = bytes(20, 255)
        let kinds: [() -> [UInt8]] = [
            { bytes(9, 255) },
            { bytes(.random(in: 1...30, using: &generator), 255) },
            // Many equal ones, many that begin another, and zeros where shorter keys end.
            { bytes(.random(in: 1...12, using: &generator), 1) },
            { shared + bytes(.random(in: 0...20, using: &generator), 2) },
            { [1] + bytes(1, 3) + [UInt8](repeating: 5, count: 16) + bytes(4, 255) },
            { [UInt8](repeating: 0, count: .random(in: 1...20, using: &generator)) },
        ]
        for kind in kinds {
            let keys = (0..<count).map { _ in kind() }
            #expect(sorted(keys) == keys.sorted { $0.lexicographicallyPrecedes($1) })
        }
    }
}
