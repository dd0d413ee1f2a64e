import TestSupport
import Testing
import Trove
import TroveTesting

/// What the fault loop and its like found, one story each.
@Suite struct FaultStoryTests {
    /// The last sync of a copy came after the header that says that the copy is complete. When it failed, the copy reported an error and left a
    /// complete store, which the next attempt refused as a destination that is not empty.
    @Test(arguments: Engine.allCases) func aCopyWhoseLastSyncFailedCanBeMadeAgain(engine: Engine) throws {
        let source = MemoryBackend()
        try FaultOperation.fill(source)
        let trial = try FaultTrial(engine, StoredEntries())
        let store = try FaultOperation.open(source)
        trial.faults.arm(FaultPlan(.nth(1), at: [.synchronize]))
        #expect(throws: StorageError.self) { try store.copy(to: trial.backend) }
        trial.faults.disarm()
        #expect { try FaultOperation.open(trial.engineBackend) } throws: { error in
            if case TroveError.incompleteCopy = error { true } else { false }
        }
        try store.copy(to: trial.backend)
        #expect(try FaultOperation.open(trial.engineBackend).fetch(FaultSong.self).all() == store.fetch(FaultSong.self).all())
        try trial.close()
    }

    /// An error that the caller's report of progress threw at the very end did the same.
    @Test func aCopyThatBreaksOffInItsLastReportCanBeMadeAgain() throws {
        struct Stop: Error {}
        let source = MemoryBackend()
        try FaultOperation.fill(source)
        let store = try FaultOperation.open(source)
        let target = MemoryBackend()
        #expect(throws: Stop.self) { try store.copy(to: target) { if $0.fraction == 1 { throw Stop() } } }
        try store.copy(to: target)
        #expect(try FaultOperation.open(target).verify().isSound)
    }

    /// Tokyo Cabinet runs a transaction again whose commit looks short of memory. It did so too when the body threw such an error of its own, one of
    /// another store for instance, eight times in all.
    @Test(arguments: Engine.allCases) func aBodyThatThrowsWantOfMemoryRunsOnce(engine: Engine) throws {
        let trial = try FaultTrial(engine, StoredEntries())
        let error = StorageError.outOfResources(StorageError.Details(engine: "another", path: "elsewhere", message: "no memory there"))
        var runs = 0
        #expect(throws: error) {
            try trial.engineBackend.write(.relaxed) { writer in
                runs += 1
                try writer.put([1], [1], in: writer.createKeyspace(named: "data"))
                throw error
            }
        }
        #expect(runs == 1)
        try trial.close()
    }

    /// A full disk or want of memory that was injected after a commit said that nothing had been stored, and whoever believed it stored it twice.
    @Test(arguments: FaultKind.allCases) func aFaultAfterTheCommitLeavesTheOutcomeOpen(kind: FaultKind) throws {
        let trial = try FaultTrial(.memory, StoredEntries())
        trial.faults.arm(FaultPlan(.nth(1), at: [.afterCommit], as: kind))
        let error = #expect(throws: StorageError.self) {
            try trial.backend.write(.relaxed) { writer in try writer.put([1], [1], in: writer.createKeyspace(named: "data")) }
        }
        trial.faults.disarm()
        #expect(error?.leavesOutcomeOpen == true && error?.isRetryable == false, "\(String(describing: error))")
        #expect(try trial.engineBackend.read { try $0.keyspaceNames() } == ["data"])
        try trial.close()
    }
}
