import Foundation
import TestSupport
import Testing
import Trove
import TroveTesting

/// An engine that cannot read is not a damaged store.
@Suite struct VerifyFaultTests {
    @Model("Scan") fileprivate struct Scan {
        let id: Int
        @Attribute(.indexed) var title: String
        var image: Lazy<Data?>
    }

    /// Each call of the engine fails once while everything is verified: each failure is thrown, and none is told as a problem.
    @Test(arguments: Engine.allCases) func failuresAreThrown(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let faults = FaultInjector()
        let store = try ObjectStore(FaultInjectingBackend(try engine.open(directory.file()), faults: faults), durability: .relaxed, models: Scan.self)
        try store.save((0..<4).map { Scan(id: $0, title: "page \($0)", image: Lazy(Data(repeating: UInt8($0), count: 5_000))) })
        try store.setBlob(Data(repeating: 7, count: 600_000), named: "large")
        try store.setBlob(Data([1]), named: "small")
        var number = 0
        while true {
            number += 1
            faults.arm(FaultPlan(.nth(number), at: [.keyspace, .read, .scanStep]))
            do {
                let report = try store.verify()
                #expect(report.isSound && faults.faultCount == 0, "call \(number): \(report)")
                break
            } catch let error as StorageError {
                guard case .inputOutput = error else {
                    Issue.record("call \(number): \(error)")
                    break
                }
            }
            faults.disarm()
        }
        faults.disarm()
        #expect(number > 40)
        try store.close()
    }
}
