import SyncRecorder

/// Counts storage operations and ends the process at one of them.
///
/// `@unchecked Sendable`: operations are counted inside write transactions, of which one runs at a time, and right behind them; the
/// number is in the oracle's memory, and two threads that count at once at a commit's end could at worst count one.
final class OperationCounter: @unchecked Sendable {
    private let oracle: Oracle
    private let target: Int

    /// - Parameter target: the operation at which the process ends; 0 for none.
    init(_ oracle: Oracle, target: Int) {
        self.oracle = oracle
        self.target = target
        oracle.operationCount = 0
    }

    func count() {
        guard target > 0 else { return }
        oracle.operationCount += 1
        if oracle.operationCount == target { recorder_end_process() }
    }
}
