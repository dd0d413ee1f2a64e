import Foundation
import Synchronization
import SyncRecorder
import TestSupport
import Trove

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One of the processes that write a store together.
///
/// It has a writer's slots of the oracle for itself, and goes on until those that are to be killed have been, and then for some
/// transactions more: a process that dies must keep no other from going on.
struct CrowdMember {
    let setup: SeriesSetup
    let files: SeriesFiles
    /// Its number, and that of its writer in the oracle.
    let number: Int
    let window: CrowdWindow
    let round: UInt64

    /// How many transactions a process commits after the last kill.
    private static let lastTransactions = 4
    /// How many it commits at the most before.
    private static let transactionLimit = 40

    private var oracle: Oracle { files.oracle }

    func run() throws {
        var generator = SeededGenerator(seed: (setup.seed &* 31 &+ round) &* 8 &+ UInt64(number))
        var store = try open()
        var left = Self.lastTransactions
        var count = 0
        while left > 0 {
            let isOver = oracle.killsAreOver
            // Everybody else goes on meanwhile, so a process that waits is not idle for long.
            if isOver || count < Self.transactionLimit {
                try write(to: store, &generator)
                count += 1
            } else {
                usleep(1_000)
            }
            if isOver { left -= 1 }
            if Int.random(in: 0..<3, using: &generator) == 0 { try act(on: &store, &generator) }
        }
        _ = try ContentsCheck(setup: setup, oracle: oracle).run(store)
        try store.close()
    }

    private func open() throws -> ObjectStore { try setup.openStore(setup.openEngine(files.store)) }

    private func write(to store: ObjectStore, _ generator: inout SeededGenerator) throws {
        let levels = setup.level.durabilities(store.capabilities, setup.kind)
        let level = levels[Int.random(in: 0..<levels.count, using: &generator)]
        let transaction = oracle.nextNumber(of: number)
        guard transaction < Oracle.slotsPerWriter else { return }
        do {
            try store.write(level) {
                try TransactionPlan(seed: setup.seed, writer: number, number: transaction).perform(in: $0, writer: number, number: transaction) {
                    oracle[number, transaction] = OracleSlot(
                        state: oracle.believesEarly ? .acknowledged : .pending, durability: level, sequence: $0)
                }
            }
            oracle[number, transaction].state = .acknowledged
        } catch is TakenBack {
            oracle[number, transaction].state = .takenBack
        }
    }

    // MARK: Windows

    private func act(on store: inout ObjectStore, _ generator: inout SeededGenerator) throws {
        switch window {
        case .writing: return
        case .opening:
            try store.close()
            store = try open()
        case .catalogue: try enterModel(Bool.random(using: &generator), into: store)
        case .indexing: try store.rebuildIndexes(of: CrashCell.self)
        case .compaction:
            do { try store.compact() } catch StorageError.locked {}
        case .backup: try backUp(store, leavesIt: Bool.random(using: &generator))
        case .observing: try observe(store, &generator)
        }
    }

    /// Opens the store with one more model, in which it saves an object.
    private func enterModel(_ isNote: Bool, into store: ObjectStore) throws {
        let backend = try setup.openEngine(files.store)
        let id = number * 10_000 + oracle.nextNumber(of: number)
        if isNote {
            let other = try ObjectStore(backend, models: CrowdNote.self)
            try other.save(CrowdNote(id: id, writer: number))
            try other.close()
        } else {
            let other = try ObjectStore(backend, models: CrowdMark.self)
            try other.save(CrowdMark(id: id, label: "of \(number)"))
            try other.close()
        }
    }

    /// A backup that is finished opens and holds what was acknowledged before. Some are left for the check after the round.
    private func backUp(_ store: ObjectStore, leavesIt: Bool) throws {
        guard oracle.backupCount(of: number) == 0 else { return }
        let path = files.backup(of: number)
        let demanded = oracle.lastAcknowledged()
        try store.backUp(to: path)
        oracle.setBackupCount(demanded + 1, of: number)
        if leavesIt { return }
        try CrowdBackup(setup: setup, files: files, number: number).check()
    }

    /// Waits for what an observation says of a commit of its own.
    private func observe(_ store: ObjectStore, _ generator: inout SeededGenerator) throws {
        let observation = store.observeCount(of: store.fetch(CrashTicket.self))
        let (seen, failure) = (DispatchSemaphore(value: 0), FirstError())
        let task = Task.detached {
            do {
                for try await _ in observation { seen.signal() }
            } catch is CancellationError {
            } catch {
                failure.keep(error)
                seen.signal()
            }
        }
        seen.wait()
        try write(to: store, &generator)
        task.cancel()
        if let error = failure.error { throw error }
    }
}
