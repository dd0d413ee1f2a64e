import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveCrypto
import TroveStorage

/// Programs that are killed while they give a store new data keys and new root keys.
@Suite struct RotationKillTests {
    /// Kills of which half end the program at a storage operation, and half by another process, whenever that comes.
    @Test(arguments: Engine.persistent) func everyKillLeavesTheStoreWhole(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let probe = Tool(at: try ProgramBesideTests.named("StoreProbe"))
        let count = TestShare.isWhole ? 20_000 : 1_500
        try engine.openSealed(directory.file()).use { try $0.fill(0..<count) }
        let contents = try engine.openSealed(directory.file()).use { try $0.contents() }
        var random = SeededGenerator(seed: 31)
        var (kills, finished) = (0, 0)
        for round in 0..<(TestShare.isWhole ? 1_000 : 12) {
            let target = round % 2 == 0 ? Int.random(in: 1...(count / 12), using: &random) : 0
            let (program, output) = try probe.start(["rotate", engine.rawValue, directory.file(), "\(Int.random(in: 5...60, using: &random))", "\(target)"])
            if target == 0 {
                // Each line is a step that has ended.
                var lines = Int.random(in: 0...12, using: &random)
                while lines > 0, let data = try output.fileHandleForReading.read(upToCount: 1), !data.isEmpty { lines -= 1 }
                program.kill()
            } else {
                _ = try output.fileHandleForReading.readToEnd()
            }
            switch program.waitForEnd() {
            case .signal(SIGKILL): kills += 1
            case .exit(0): finished += 1
            case let end: Issue.record("round \(round): the program ended with \(end)")
            }
            let store = try SealedRotation.open(engine, directory.file())
            #expect(try store.contents() == contents, "round \(round)")
            if round % 10 == 0 { try store.checkStructure() }
            // What the counts say, the values say too.
            let status = try store.sealingStatus()
            let values = try SealedMemory.values(engine.open(directory.file())).filter { $0.key.count == 8 }
            let numbers = Dictionary(grouping: values, by: { $0.value.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self) } })
            for key in status.dataKeys { #expect(key.sealedValueCount == numbers[key.number]?.count ?? 0, "round \(round)") }
            #expect(Set(numbers.keys).isSubset(of: status.dataKeys.map(\.number)))
            try store.close()
        }
        #expect(kills > 0)
        let store = try SealedRotation.open(engine, directory.file())
        try store.rotateDataKey()
        #expect(try store.sealingStatus().dataKeys.count == 1 && store.sealingStatus().outdatedValueCount == 0)
        try store.checkStructure()
        #expect(try store.contents() == contents)
        try store.close()
        if TestShare.isWhole { print("\(engine): \(kills) kills, \(finished) ended before; 0 unreadable, 0 values under an old key") }
    }
}

extension EncryptedBackend {
    /// Closes the store behind a piece of work.
    fileprivate func use<Result>(_ work: (EncryptedBackend) throws -> Result) throws -> Result {
        let result = try work(self)
        try close()
        return result
    }
}
