import TestSupport
import Testing
import Trove
import TroveTesting

/// An index that is sound is not given up where there is no room for the one that takes its place.
@Suite struct RebuildFaultTests {
    @Model("Label") fileprivate struct Label {
        let id: Int
        @Attribute(.unique) var name: String
        @Attribute(.fullText) var text: String
    }

    /// The disk becomes full in the transaction that begins the rebuilding: at some of its changes, and at its commit.
    @Test(arguments: Engine.allCases) func aFullDiskLeavesTheIndexes(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let faults = FaultInjector()
        let backend = FaultInjectingBackend(try engine.open(directory.file()), faults: faults)
        let store = try ObjectStore(backend, durability: .relaxed, models: Label.self)
        try store.save((0..<50).map { Label(id: $0, name: "name \($0)", text: "blue number\($0)") })
        for (number, point) in [(1, .change), (2, .change), (5, .change), (1, .beforeCommit)] as [(Int, FaultPoint)] {
            let place = Comment(rawValue: "\(point) \(number)")
            faults.arm(FaultPlan(.nth(number), at: [point], as: .diskFull))
            #expect(throws: StorageError.self, place) { try store.rebuildIndexes(of: Label.self) }
            #expect(faults.faultCount == 1, place)
            faults.disarm()
            let indexes = try store.indexes(of: Label.self)
            #expect(indexes.count == 2 && indexes.allSatisfy { $0.state == .ready }, place)
            #expect(try store.fetch(Label.self).search("number7").count == 1, place)
            #expect(throws: TroveError.self, place) { try store.save(Label(id: 99, name: "name 7", text: "")) }
        }
        try store.rebuildIndexes(of: Label.self)
        let report = try store.verify()
        #expect(report.isSound, "\(report)")
        try store.close()
    }
}
