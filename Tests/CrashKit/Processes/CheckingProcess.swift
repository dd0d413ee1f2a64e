import Foundation
import SyncRecorder
import TestSupport
import Trove

/// The process that opens a store after a crash and says what it found.
struct CheckingProcess {
    let setup: SeriesSetup
    let files: SeriesFiles
    let round: UInt64
    /// Whether the engine keeps its promise in this series, so that a loss is a failure.
    let isPromised: Bool
    /// The writer whose transactions checking processes write.
    private static let ownWriter = Oracle.writerCount - 1

    private var oracle: Oracle { files.oracle }

    /// Sends the verdict. What is wrong with a store that could be opened is thrown as an error.
    func run(_ send: (String) -> Void) throws {
        try files.startRecording()
        let store: ObjectStore
        do {
            store = try setup.openStore(setup.openEngine(files.store))
        } catch {
            return send(Verdict.refused("\(error)").line)
        }
        let (count, dropped, lost): (Int, Int, Int)
        do {
            let contents = ContentsCheck(setup: setup, oracle: oracle)
            count = try contents.run(store)
            dropped = max(0, oracle.lastAcknowledged() - count)
            lost = max(0, demandedCount(store.capabilities) - count)
            try checkBackup()
            for process in 0..<CrowdPlan.maxCount { try CrowdBackup(setup: setup, files: files, number: process).check() }
            oracle.settle(count: count)
            try checkWriting(store, contents)
        } catch {
            return send(Verdict.damaged("\(error)").line)
        }
        // A third of the stores is left open, and the next process has a log to read.
        if (setup.seed &+ round) % 3 != 0 {
            do {
                try store.close()
                oracle.synchronizedCount = oracle.seenCount
                if let complaint = try EngineTool(setup.engine).complaint(about: files) {
                    return send(Verdict.damaged(complaint).line)
                }
            } catch {
                return send(Verdict.damaged("closing: \(error)").line)
            }
        }
        send(Verdict.sound(count: count, dropped: dropped, lost: lost).line)
        withExtendedLifetime(store) { recorder_end_process() }
    }

    /// How many transactions have to be there.
    private func demandedCount(_ capabilities: StorageCapabilities) -> Int {
        switch setup.kind {
        case .kill:
            max(oracle.seenCount, oracle.synchronizedCount, oracle.lastAcknowledged { capabilities.survival(of: $0.durability) >= .processCrash })
        case .powerLoss:
            // What an engine does not promise is counted as lost all the same.
            max(oracle.synchronizedCount, oracle.lastAcknowledged { isPromised ? capabilities.survival(of: $0.durability) == .powerLoss : true })
        }
    }

    /// A backup that was finished is whole; of one that was not, nothing is there, or what is there says so.
    private func checkBackup() throws {
        defer { removeBackup() }
        let demanded = oracle.copiedCount
        oracle.copiedCount = 0
        guard FileManager.default.fileExists(atPath: files.backup) else {
            if demanded > 0 { throw ContentsError("the finished backup is gone") }
            return
        }
        let store: ObjectStore
        do {
            store = try setup.openStore(setup.openEngine(files.backup))
        } catch where demanded == 0 && (error is StorageError || error is TroveError) {
            return
        }
        let count = try ContentsCheck(setup: setup, oracle: oracle).run(store)
        try store.close()
        if count < demanded { throw ContentsError("the backup holds \(count) transactions, \(demanded) had been acknowledged") }
    }

    private func removeBackup() {
        for suffix in ["", "-wal", "-shm", "-journal", "-lock", ".wal"] { unlink(files.backup + suffix) }
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: files.directory) where name.hasPrefix("backup") {
                unlink(files.directory + "/" + name)
            }
        } catch {}
    }

    /// The store goes on working.
    private func checkWriting(_ store: ObjectStore, _ contents: ContentsCheck) throws {
        let first = oracle.nextNumber(of: Self.ownWriter)
        let levels = setup.level.durabilities(store.capabilities, setup.kind)
        for number in first..<min(first + 2, Oracle.slotsPerWriter) {
            let level = levels[number % levels.count]
            do {
                try store.write(level) { transaction in
                    try TransactionPlan(seed: setup.seed, writer: Self.ownWriter, number: number)
                        .perform(in: transaction, writer: Self.ownWriter, number: number) {
                            oracle[Self.ownWriter, number] = OracleSlot(state: .pending, durability: level, sequence: $0)
                        }
                }
                oracle[Self.ownWriter, number].state = .acknowledged
            } catch is TakenBack {
                oracle[Self.ownWriter, number].state = .takenBack
            }
        }
        let count = try contents.run(store)
        let expected = max(oracle.seenCount, oracle.lastAcknowledged())
        if count != expected { throw ContentsError("\(count) transactions after writing more, instead of \(expected)") }
        oracle.seenCount = count
    }
}
