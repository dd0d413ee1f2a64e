import Synchronization
import TroveBackendKit
import TroveStorage

/// A memory store: its newest version and the gates around it. Backends of one name share one.
final class MemoryEngine: TransactionTelling {
    static let name = "memory"

    let path: String
    let writer = WriterGate()
    /// Shared by readers, so that closing can wait for them.
    let readers = SharedExclusiveGate()
    private let newest = Mutex(MemoryState())

    init(path: String) {
        self.path = path
    }

    /// The newest committed version.
    var snapshot: MemoryState { newest.withLock { $0 } }

    /// Makes `state` the newest version. The caller is inside the writer gate.
    func commit(_ state: MemoryState) {
        // The old version may be large, and is released after the lock.
        let old = newest.withLock { newest in
            let old = newest
            newest = state
            newest.number = (old.number ?? 0) + 1
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// What a new transaction checks its calls with.
    func beginTransaction() -> TransactionState {
        TransactionState(
            engine: Self.name, path: path, maxKeySize: StorageLimits.maxKeySize, maxValueSize: StorageLimits.maxValueSize)
    }

    var isInsideTransaction: Bool { writer.isHeldByCurrentThread || readers.isSharedByCurrentThread }

    /// Runs `body` while no transaction runs.
    func withoutTransactions(_ body: () -> Void) throws {
        if isInsideTransaction {
            throw StorageError.closeInsideTransaction(
                details("a thread cannot close the store inside its own transaction; close it after that"))
        }
        _ = writer.enterAlone(with: readers, until: .never)
        defer { writer.leaveAlone(with: readers) }
        body()
    }

    func details(_ message: String) -> StorageError.Details {
        StorageError.Details(engine: Self.name, path: path, message: message)
    }
}
