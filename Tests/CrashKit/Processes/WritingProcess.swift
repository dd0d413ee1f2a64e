import Dispatch
import Foundation
import SyncRecorder
import TestSupport
import Trove

/// The process of a round that writes until it is killed.
struct WritingProcess {
    let setup: SeriesSetup
    let files: SeriesFiles
    let plan: KillPlan
    /// Decides how many writers there are and what level their transactions have.
    let round: UInt64

    private var oracle: Oracle { files.oracle }

    /// Ends by being killed, at the latest when everything is written.
    func run() throws {
        if oracle.refusesToWrite { throw ContentsError("sabotage: nothing is written") }
        try files.startRecording()
        var generator = SeededGenerator(seed: setup.seed &* 31 &+ round)
        arm(in: .opening)
        let backend = try setup.openEngine(files.store)
        let counter = OperationCounter(oracle, target: plan.window == .operation ? plan.target : 0)
        let store = try setup.openStore(KillPointBackend(backend, counter.count))
        disarm(in: .opening)
        if [.compaction, .backup, .copy, .synchronization, .closing].contains(plan.window) {
            try write(to: store, writers: 1, transactions: Int.random(in: 1...5, using: &generator), &generator)
            try runWindow(store)
        }
        arm(in: .call)
        oracle.isWriting = true
        let writers = Bool.random(using: &generator) ? 1 : Int.random(in: 2...5, using: &generator)
        try write(to: store, writers: writers, transactions: Int.random(in: 3...12, using: &generator), &generator)
        disarm(in: .call)
        oracle.hasOutlivedWindow = true
        // Killed at rest, with the store open.
        withExtendedLifetime(store) { recorder_end_process() }
    }

    // MARK: Windows

    private func arm(in window: KillWindow) {
        guard plan.window == window else { return }
        recorder_arm(files.recorder, UInt32(RecorderAllCalls), Int64(plan.target), plan.mode)
    }

    private func disarm(in window: KillWindow) {
        guard plan.window == window else { return }
        recorder_disarm(files.recorder)
        if window != .call { oracle.hasOutlivedWindow = true }
    }

    /// Does what the window is in. After `synchronize` and `close` nothing more is written, because they promise something for what was.
    private func runWindow(_ store: ObjectStore) throws {
        let count = oracle.lastAcknowledged()
        arm(in: plan.window)
        switch plan.window {
        case .compaction: try store.compact()
        case .backup:
            try store.backUp(to: files.backup)
            oracle.copiedCount = count
        case .copy:
            let target = try setup.openEngine(files.backup)
            try store.copy(to: target)
            oracle.copiedCount = count
            try target.close()
        case .synchronization:
            try store.synchronize()
            oracle.synchronizedCount = count
        case .closing:
            try store.close()
            oracle.synchronizedCount = count
        case .moment, .call, .operation, .opening: break
        }
        disarm(in: plan.window)
        if plan.window == .synchronization || plan.window == .closing { recorder_end_process() }
    }

    // MARK: Writing

    private func write(to store: ObjectStore, writers: Int, transactions: Int, _ generator: inout SeededGenerator) throws {
        let levels = setup.level.durabilities(store.capabilities, setup.kind)
        let seeds = (0..<writers).map { _ in generator.next() }
        if writers == 1 {
            return try writeAlone(to: store, transactions, levels, seeds[0])
        }
        let failure = FirstError()
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            await withTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        do {
                            try await writeTogether(to: store, writer, transactions, levels, seeds[writer])
                        } catch {
                            failure.keep(error)
                        }
                    }
                }
            }
            isDone.signal()
        }
        isDone.wait()
        if let error = failure.error { throw error }
    }

    private func writeAlone(to store: ObjectStore, _ transactions: Int, _ levels: [Durability], _ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for number in numbers(of: 0, transactions) {
            let level = levels[Int.random(in: 0..<levels.count, using: &generator)]
            try acknowledging(0, number) { try store.write(level) { try perform(0, number, level, $0) } }
        }
    }

    /// Writes as one of several tasks, whose transactions share commits.
    private func writeTogether(
        to store: ObjectStore, _ writer: Int, _ transactions: Int, _ levels: [Durability], _ seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        for number in numbers(of: writer, transactions) {
            let level = levels[Int.random(in: 0..<levels.count, using: &generator)]
            do {
                try await store.write(level) { try perform(writer, number, level, $0) }
                oracle[writer, number].state = .acknowledged
            } catch is TakenBack {
                oracle[writer, number].state = .takenBack
            }
        }
    }

    private func acknowledging(_ writer: Int, _ number: Int, _ body: () throws -> Void) throws {
        do {
            try body()
            oracle[writer, number].state = .acknowledged
        } catch is TakenBack {
            oracle[writer, number].state = .takenBack
        }
    }

    private func perform(_ writer: Int, _ number: Int, _ level: Durability, _ transaction: WriteTransaction) throws {
        try TransactionPlan(seed: setup.seed, writer: writer, number: number).perform(in: transaction, writer: writer, number: number) {
            oracle[writer, number] = OracleSlot(state: oracle.believesEarly ? .acknowledged : .pending, durability: level, sequence: $0)
        }
    }

    private func numbers(of writer: Int, _ count: Int) -> Range<Int> {
        let first = oracle.nextNumber(of: writer)
        return first..<min(first + count, Oracle.slotsPerWriter)
    }
}
