import Foundation
import TestSupport
import Testing
import Trove
import TroveTesting

/// Tries an operation with its first call failing, then with its second, its third … until one attempt meets no fault.
///
/// After each fault the store has to be as before the operation or as after it, to open, to be sound, and to let the same
/// operation through once nothing fails any more.
struct FaultLoop {
    /// Whether every call is tried, as `make faults` does; otherwise the first ones and ever fewer of the later.
    static let isComplete = ProcessInfo.processInfo.environment["TROVE_FAULTS"] == "all"

    /// All engines, or the one of `make faults ENGINE=`.
    static let engines = Engine.chosen(by: "TROVE_FAULTS_ENGINE")

    /// Every operation with the engines whose turn it is, of those that it works on; what each engine does in a way of its own with all of them.
    static func trials(on engines: [Engine] = engines) -> [(operation: FaultOperation, engine: Engine)] {
        let shared = FaultOperation.changes + FaultOperation.schemaChanges + FaultOperation.objects
        let inTurn = shared.enumerated().map { number, operation in
            (operation, engines: isComplete ? engines : TestShare.engines(number, of: engines))
        }
        return (inTurn + FaultOperation.wholeStore.map { ($0, engines: engines) }).flatMap { operation, engines in
            engines.filter(operation.engines.contains).map { (operation, $0) }
        }
    }

    let operation: FaultOperation
    let engine: Engine
    /// Whether calls go on failing.
    let lasts: Bool

    private let contents: StoredEntries
    private let before: [String]
    private let after: [String]

    init(_ operation: FaultOperation, on engine: Engine, lasts: Bool) throws {
        self.operation = operation
        self.engine = engine
        self.lasts = lasts
        let template = MemoryBackend()
        try operation.prepare(template)
        contents = try StoredEntries(of: template)
        let trial = try FaultTrial(engine, contents)
        let attempt = try operation.begin(trial)
        before = try operation.state(trial.engineBackend)
        try attempt()
        after = try operation.state(trial.engineBackend)
        try trial.close()
    }

    /// Runs the loop over faults at `points`; returns the number of faults tried, and that of the calls which an attempt makes without any.
    func run(at points: Set<FaultPoint>) throws -> (tried: Int, calls: Int) {
        var tried = 0
        var number = 1
        while true {
            let kinds = FaultKind.allCases
            let plan = FaultPlan(
                .nth(number), at: points, as: kinds[number % kinds.count], lasts: lasts, savepointsRecover: number.isMultiple(of: 2))
            if let calls = try attempt(plan, isCommitted: points == [.afterCommit]) { return (tried, calls) }
            tried += 1
            number += Self.isComplete ? 1 : 1 + number / (engine == .memory ? 6 : 2)
        }
    }

    /// Returns the number of calls when there was no fault.
    private func attempt(_ plan: FaultPlan, isCommitted: Bool) throws -> Int? {
        let trial = try FaultTrial(engine, contents)
        let attempt = try operation.begin(trial)
        let bytes = try StoredEntries(of: trial.engineBackend)
        trial.faults.arm(plan)
        let outcome = Result { try attempt() }
        trial.faults.disarm()
        let place = Comment(rawValue: "\(operation) on \(engine), \(plan.trigger), \(plan.kind)")
        guard trial.faults.faultCount > 0 else {
            // Nothing failed: the attempt before this was the last with a fault.
            try outcome.get()
            #expect(try operation.state(trial.engineBackend) == after, place)
            try trial.close()
            return trial.faults.callCount
        }
        if case .failure(let error) = outcome {
            #expect(error is StorageError || error is TroveError, "\(error), which is not one of ours. \(place)")
        } else {
            Issue.record("no error was thrown. \(place)")
        }
        let state = try operation.state(trial.engineBackend)
        #expect(state == before || state == after, place)
        let isUntouched = try StoredEntries(of: trial.engineBackend) == bytes
        if operation.isAtomic && !isCommitted { #expect(isUntouched, "every byte. \(place)") }
        // A program that is started now.
        if !isUntouched { try expectSound(trial, "after the fault. \(place)") }
        // The one that met the fault.
        do {
            try attempt()
        } catch {
            // What was done, though an error was reported, may be refused the second time.
            if !isCommitted || state != after { Issue.record("the second attempt threw \(error). \(place)") }
        }
        #expect(try operation.state(trial.engineBackend) == after, "after the second attempt. \(place)")
        try trial.reopen()
        if Self.isComplete || !isUntouched { try expectSound(trial, "after the second attempt. \(place)") }
        #expect(try operation.state(trial.engineBackend) == after, "after opening again. \(place)")
        try trial.close()
        return nil
    }

    private func expectSound(_ trial: FaultTrial, _ place: Comment) throws {
        do {
            let copy = try FaultTrial(.memory, StoredEntries(of: trial.engineBackend))
            let report = try operation.open(copy.engineBackend).verify()
            #expect(report.isSound, "\(report.problems) \(place)")
            try copy.close()
        } catch {
            Issue.record("the store does not open or verify: \(error) \(place)")
        }
    }
}
