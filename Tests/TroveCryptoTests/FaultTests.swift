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
}
