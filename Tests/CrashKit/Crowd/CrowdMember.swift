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
    /// How long an observation has to tell of a commit.
    private static let patience = DispatchTimeInterval.seconds(120)

    /// An observation that has not told of a commit.
    private struct Deafness: Error, CustomStringConvertible {
        var description: String { "an observation told nothing of a commit within two minutes" }
    }

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

    /// Returns whether a transaction was stored.
    @discardableResult
    private func write(to store: ObjectStore, _ generator: inout SeededGenerator) throws -> Bool {
        let levels = setup.level.durabilities(store.capabilities, setup.kind)
        let level = levels[Int.random(in: 0..<levels.count, using: &generator)]
        let transaction = oracle.nextNumber(of: number)
        guard transaction < Oracle.slotsPerWriter else { return false }
        do {
            try store.write(level) {
                try TransactionPlan(seed: setup.seed, writer: number, number: transaction).perform(in: $0, writer: number, number: transaction) {
                    oracle[number, transaction] = OracleSlot(
                        state: oracle.believesEarly ? .acknowledged : .pending, durability: level, sequence: $0)
                }
            }
            oracle[number, transaction].state = .acknowledged
            return true
        } catch is TakenBack {
            oracle[number, transaction].state = .takenBack
            return false
        }
    }

    // MARK: Windows

    private func act(on store: inout ObjectStore, _ generator: inout SeededGenerator) throws {
        switch window {
        case .writing: return
        case .opening:
            try store.close()
            store = try open()
        case .catalogue: try enterModel(Int.random(in: 0..<3, using: &generator))
        case .indexing: try store.rebuildIndexes(of: CrashCell.self)
        case .compaction:
            do { try store.compact() } catch StorageError.locked {}
        case .backup: try backUp(store, leavesIt: Bool.random(using: &generator))
        case .observing: try observe(store, &generator)
        case .uploading: try CrowdUpload.run(in: store, &generator)
        }
    }

    /// Opens the store with one more model, or another version of one, in which it saves an object.
    private func enterModel(_ choice: Int) throws {
        let backend = try setup.openEngine(files.store)
        let id = number * 10_000 + oracle.nextNumber(of: number)
        switch choice {
        case 0: try save(CrowdNote(id: id, writer: number), backend)
        case 1: try save(LaterCrowd.CrowdNote(id: id, writer: number, text: "of \(number)"), backend)
        default: try save(CrowdMark(id: id, label: "of \(number)"), backend)
        }
    }

    private func save<Object: Model>(_ object: Object, _ backend: any StorageBackend) throws {
        let store = try ObjectStore(backend, models: Object.self)
        do {
            try store.save(object)
        } catch TroveError.changedByAnotherProgram {
            // One that has opened the store meanwhile has another version of the model.
        }
        try store.close()
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
        defer { task.cancel() }
        guard seen.wait(timeout: .now() + Self.patience) == .success else { throw Deafness() }
        if let error = failure.error { throw error }
        // Each transaction that is stored has a ticket more.
        guard try write(to: store, &generator) else { return }
        guard seen.wait(timeout: .now() + Self.patience) == .success else { throw Deafness() }
        if let error = failure.error { throw error }
    }
}
