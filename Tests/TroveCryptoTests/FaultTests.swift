import ProbeKit
import TestSupport
import Testing
import Trove
import TroveCrypto
import TroveTesting

/// Calls of the wrapped engine that fail, in the midst of a write transaction and at its end.
@Suite struct FaultTests {
    @Test func everyFaultLeavesTheStoreAsBeforeOrAfter() throws {
        let memory = SealedMemory()
        let anchor = try memory.open()
        try anchor.fill(0..<120)
        var (before, number, isDone) = (try anchor.contents(), 0, false)
        while !isDone {
            number += 1
            let faults = FaultInjector()
            var options = EncryptedBackend.Options()
            (options.nodeSize, options.cacheSize) = (1_024, 0)
            let store = try EncryptedBackend(FaultInjectingBackend(MemoryBackend(name: memory.path), faults: faults), key: memory.key, options: options)
            var after = before
            let values = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 60)
            for key in stride(from: number % 7, to: 120, by: 9) { after["data"]?[Array("key \(key)".utf8)] = values }
            after["data"]?[Array("key 5".utf8)] = nil
            after["data"]?[[9]] = [UInt8](repeating: 1, count: 3_000 + number)
            faults.arm(FaultPlan(.nth(number), at: Set(FaultPoint.allCases)))
            do {
                try store.write(.durable) { writer in
                    let data = try writer.createKeyspace(named: "data")
                    for key in stride(from: number % 7, to: 120, by: 9) { try writer.put(Array("key \(key)".utf8), values, in: data) }
                    try writer.savepoint { _ = try writer.delete(Array("key 5".utf8), in: data) }
                    try writer.put([9], [UInt8](repeating: 1, count: 3_000 + number), in: data)
                }
                isDone = faults.faultCount == 0
                #expect(try store.contents() == after)
            } catch is StorageError {
                let found = try store.contents()
                #expect(found == before || found == after)
            }
            faults.disarm()
            try anchor.checkStructure()
            before = try anchor.contents()
        }
        #expect(number > 20)
    }

    /// A value that cannot be opened fails in a savepoint, which is undone: the transaction goes on. A call of the wrapped engine that fails ends it, where
    /// that one does not recover.
    @Test(arguments: [false, true]) func aSavepointRecovers(isDamaged: Bool) throws {
        let memory = SealedMemory()
        let first = try memory.open()
        try first.fill(0..<1, in: "large", valueSize: 9_000)
        try first.fill(0..<3)
        try first.close()
        if isDamaged {
            let large = try #require(try memory.values().first { $0.value.count > 9_000 })
            try memory.change([(large.key, large.value.dropLast() + [large.value[large.value.count - 1] ^ 1])])
        }
        let faults = FaultInjector()
        let store = try EncryptedBackend(FaultInjectingBackend(MemoryBackend(name: memory.path), faults: faults), key: memory.key)
        func change() throws {
            try store.write(.relaxed) { writer in
                let (large, data) = (try #require(try writer.keyspace(named: "large")), try #require(try writer.keyspace(named: "data")))
                try writer.put([1], [1], in: data)
                if !isDamaged { faults.arm(FaultPlan(.nth(1), at: [.read], savepointsRecover: false)) }
                #expect(throws: StorageError.self) {
                    try writer.savepoint {
                        try writer.put([2], [UInt8](repeating: 2, count: 9_000), in: data)
                        _ = try writer.value(of: Array("key 0".utf8), in: large)
                    }
                }
                faults.disarm()
                try writer.put([3], [3], in: data)
            }
        }
        if isDamaged { try change() } else { #expect { try change() } throws: { if case StorageError.transactionPoisoned = $0 { true } else { false } } }
        let found = try store.read { reader in
            let data = try #require(try reader.keyspace(named: "data"))
            return try [[1], [2], [3]].map { try reader.value(of: $0, in: data) }
        }
        #expect(found == (isDamaged ? [[1], nil, [3]] : [nil, nil, nil]))
        #expect(try store.sealingStatus().dataKeys.map(\.sealedValueCount).reduce(0, +) == memory.values().count - 2)
    }
}
