import Foundation
import TestSupport
import Testing
import Trove
import TroveBackendKit
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

    // MARK: Damage

    /// An engine that finds its file damaged.
    private final class DamagedBackend: ForwardingBackend {
        let wrappedBackend: any StorageBackend
        private let readsOn: Bool
        private let isFound: Bool

        /// - Parameters:
        ///   - readsOn: what its capabilities say of damaged files.
        ///   - isFound: whether its own check finds the damage.
        init(_ backend: any StorageBackend, readsOn: Bool, isFound: Bool) { (wrappedBackend, self.readsOn, self.isFound) = (backend, readsOn, isFound) }

        var capabilities: StorageCapabilities {
            var capabilities = wrappedBackend.capabilities
            capabilities.readsDamagedFiles = readsOn
            return capabilities
        }

        func checkStructure() throws {
            if isFound { throw StorageError.corrupt(.init(engine: capabilities.engine, path: path, message: "a page is damaged")) }
        }
    }

    private static let scans = 4

    private func damagedStore(_ engine: Engine, _ directory: TemporaryDirectory, _ faults: FaultInjector, readsOn: Bool, isFound: Bool) throws -> ObjectStore {
        let backend = DamagedBackend(FaultInjectingBackend(try engine.open(directory.file()), faults: faults), readsOn: readsOn, isFound: isFound)
        let store = try ObjectStore(backend, durability: .relaxed, models: Scan.self)
        try store.save((0..<Self.scans).map { Scan(id: $0, title: "page \($0)", image: Lazy(Data(repeating: UInt8($0), count: 5_000))) })
        try store.setBlob(Data(repeating: 7, count: 600_000), named: "large")
        try store.setBlob(Data([1]), named: "small")
        return store
    }

    /// Damage that an engine finds in its structure ends the verification, unless its reads can do with it.
    @Test(arguments: Engine.allCases) func damageOfTheStructure(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try damagedStore(engine, directory, FaultInjector(), readsOn: false, isFound: true)
        let report = try store.verify()
        #expect(report.isPartial && report.records == 0 && report.problems.map(\.modelName) == ["$engine"], "\(report)")
        #expect("\(report)".hasPrefix("0 records and 0 blobs, not everything could be read, 1 problem\n$engine: "), "\(report)")
        try store.close()

        let other = try TemporaryDirectory()
        let readable = try damagedStore(engine, other, FaultInjector(), readsOn: true, isFound: true)
        let whole = try readable.verify()
        #expect(!whole.isPartial && whole.records == Self.scans && whole.blobs == 2 && whole.problems.map(\.modelName) == ["$engine"], "\(whole)")
        struct Enough: Error {}
        #expect(throws: Enough.self) { try readable.verify(progress: { _ in throw Enough() }) }
        #expect(throws: TroveError.self) { try readable.verify(progress: { _ in throw TroveError.transactionFinished }) }
        try readable.close()
    }

    /// Each call of the engine meets damage, once or from then on, whether its own check finds that or not: all that can be read is.
    @Test(arguments: Engine.allCases, [false, true]) func damageIsReadPast(_ engine: Engine, isFound: Bool) throws {
        let directory = try TemporaryDirectory()
        let faults = FaultInjector()
        let store = try damagedStore(engine, directory, faults, readsOn: true, isFound: isFound)
        let points: Set<FaultPoint> = [.keyspace, .read, .scanStep]
        var (number, incomplete) = (0, 0)
        while true {
            number += 1
            faults.arm(FaultPlan(.nth(number), at: points, as: .corrupt))
            let report = try store.verify()
            let isMet = faults.faultCount > 0
            faults.disarm()
            #expect(report.isSound == (!isMet && !isFound), "call \(number): \(report)")
            if report.records != Self.scans || report.blobs != 2 {
                incomplete += 1
                #expect(report.isPartial, "call \(number): \(report)")
            }
            guard isMet else {
                #expect(!report.isPartial, "\(report)")
                break
            }
            faults.arm(FaultPlan(.nth(number), at: points, as: .corrupt, lasts: true))
            let partial = try store.verify()
            faults.disarm()
            #expect(!partial.isSound && partial.records <= Self.scans, "from call \(number) on: \(partial)")
        }
        // Where the keyspaces cannot be listed, nothing is found.
        #expect(number > 40 && incomplete <= 2, "\(incomplete) of \(number)")
        try store.close()
    }
}
