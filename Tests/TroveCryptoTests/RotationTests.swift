import ProbeKit
import Testing
import TestSupport
import Trove
import TroveCrypto
import TroveTesting

/// New data keys, made while the store is in use, broken off anywhere.
@Suite struct RotationTests {
    private func fill(_ store: any StorageBackend) throws {
        try store.fill(0..<400)
        try store.fill(0..<3, in: "large", valueSize: 9_000)
        try store.fill(0..<1, in: "larger", valueSize: 1_200_000)
        for number in 0..<40 { try store.fill(0..<1, in: "keyspace \(number)") }
    }

    @Test(arguments: TestShare.engines(0)) func everythingIsSealedAnew(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try engine.openSealed(directory.file())
        try fill(store)
        let contents = try store.contents()
        let before = try SealedMemory.values(engine.open(directory.file()))
        var steps: [Int] = []
        try store.rotateDataKey(stepSize: 10) { steps.append($0) }
        #expect(steps.count > 5)
        #expect(steps == steps.sorted(by: >) && steps.last == 0)
        let status = try store.sealingStatus()
        #expect(status.dataKeys.map(\.number) == [2] && status.outdatedValueCount == 0)
        // What the counts say, the values say too.
        let after = try SealedMemory.values(engine.open(directory.file())).filter { $0.key != [0] }
        #expect(after.allSatisfy { $0.value[1..<5].elementsEqual([2, 0, 0, 0]) })
        #expect(status.dataKeys[0].sealedValueCount == after.count - 1)
        #expect(Set(after.map(\.value)).isDisjoint(with: before.map(\.value)))
        try store.checkStructure()
        #expect(try store.contents() == contents)
        try store.close()
        let anchor = try engine.openSealed(directory.file())
        #expect(try anchor.contents() == (engine == .memory ? [:] : contents))
        try anchor.close()
    }

    /// The program ends after each step; others write and read meanwhile.
    @Test func aBrokenOffRotationIsFinished() throws {
        let memory = SealedMemory()
        try fill(memory.open())
        try memory.open().beginRotation()
        var model = try memory.open().contents()
        var remaining = Int.max
        var steps = 0
        while remaining > 0 {
            let store = try memory.open()
            let next = try store.continueRotation(stepSize: 1 + steps % 3)
            #expect(next < remaining)
            remaining = next
            #expect(try store.sealingStatus().outdatedValueCount == remaining)
            #expect(try store.contents() == model)
            try store.fill(steps..<steps + 1, mark: 9)
            model["data"]?[Array("key \(steps)".utf8)] = [UInt8](repeating: UInt8(truncatingIfNeeded: steps) ^ 9, count: 40)
            remaining = min(remaining, try store.sealingStatus().outdatedValueCount)
            if steps % 8 == 0 { try store.checkStructure() }
            steps += 1
        }
        #expect(steps > 10)
        #expect(try memory.open().sealingStatus().dataKeys.map(\.number) == [2])
        #expect(try memory.open().continueRotation() == 0)
    }

    /// Each call of the engine fails once, in a rotation and in a change of the key: the store is as before or as after, and the work can be done again.
    @Test func everyFaultLeavesTheStoreWhole() throws {
        let other = StoreKey.raw([UInt8](repeating: 8, count: 32))
        let works: [(EncryptedBackend) throws -> Void] = [
            { try $0.rotateDataKey(stepSize: 4) }, { try $0.changeKey(to: other) }, { try $0.addKey(other) },
        ]
        for work in works {
            var number = 0
            var isDone = false
            while !isDone {
                number += 1
                let memory = SealedMemory()
                try memory.open().fill(0..<300)
                let contents = try memory.open().contents()
                let faults = FaultInjector()
                let store = try EncryptedBackend(FaultInjectingBackend(MemoryBackend(name: memory.path), faults: faults), key: memory.key)
                faults.arm(FaultPlan(.nth(number), at: Set(FaultPoint.allCases)))
                do {
                    try work(store)
                    isDone = faults.faultCount == 0
                } catch is StorageError {}
                faults.disarm()
                #expect(try store.contents() == contents)
                try store.checkStructure()
                // One of the keys opens it, and the other one does or is wrong.
                let opened = [memory.key, other].compactMap { key in
                    do { return try memory.open(key: key) } catch {
                        #expect((error as? SealedStoreError)?.name == "wrongKey")
                        return nil
                    }
                }
                #expect(!opened.isEmpty)
                try work(store)
                #expect(try store.contents() == contents)
                #expect(try store.sealingStatus().dataKeys.count == 1)
            }
            #expect(number > 5)
        }
    }
}
