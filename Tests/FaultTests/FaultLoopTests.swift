import TestSupport
import Testing
import TroveTesting

/// The loop over the nth failing call, for everything that stores something.
@Suite(.serialized) struct FaultLoopTests {
    /// A call fails once; nothing of its transaction is committed.
    @Test(arguments: FaultLoop.trials()) func oneFault(operation: FaultOperation, engine: Engine) throws {
        let (tried, calls) = try FaultLoop(operation, on: engine, lasts: false).run(at: Set(FaultPoint.allCases).subtracting([.afterCommit]))
        print("faults: \(operation) on \(engine): \(tried) of \(calls)")
        #expect(tried > 0)
    }

    /// From some call on all fail, as on a disk that stays full.
    ///
    /// What Trove does after a fault is the same code on every engine, and the loop takes as long again as the one above: `make test` has it on
    /// memory, `make faults` on all engines.
    @Test(arguments: FaultLoop.trials(on: FaultLoop.isComplete ? FaultLoop.engines : [.memory]))
    func lastingFault(operation: FaultOperation, engine: Engine) throws {
        let (tried, calls) = try FaultLoop(operation, on: engine, lasts: true).run(at: Set(FaultPoint.allCases).subtracting([.afterCommit]))
        print("lasting faults: \(operation) on \(engine): \(tried) of \(calls)")
        #expect(tried > 0)
    }

    /// A commit happens and is reported as failed nevertheless: the store is as after the operation, or between two of its transactions.
    @Test(arguments: FaultLoop.trials()) func unknownOutcome(operation: FaultOperation, engine: Engine) throws {
        let (tried, calls) = try FaultLoop(operation, on: engine, lasts: false).run(at: [.afterCommit])
        print("unknown outcomes: \(operation) on \(engine): \(tried) of \(calls)")
        #expect(operation.commits == (tried > 0))
    }
}
