import TroveBackendKit
import TroveStorage

/// Who may be inside, in the words of the contract.
extension SQLiteEngine {
    func enterShared(timeout: Duration) throws {
        switch gate.enterShared(timeout: timeout) {
        case .entered: return
        case .alreadyInside: throw StorageError.unsupported(details("the store is being compacted by this thread"))
        case .timedOut: throw StorageError.timedOut(details("waited longer than readerTimeout for the store to be compacted"))
        }
    }

    func enterWriter(until deadline: Deadline) throws {
        switch writerGate.enter(timeout: deadline.remaining) {
        case .entered: return
        case .alreadyInside: throw insideWrite
        case .timedOut: throw timedOutBehindWrites
        }
    }

    private var insideWrite: StorageError {
        .writeInsideWrite(
            details("this thread is inside a write already; use the transaction you were given, and its savepoint for a change within a change"))
    }

    private var timedOutBehindWrites: StorageError {
        .timedOut(details("waited longer than writerTimeout for the writes before this one; keep writes short"))
    }

    /// Waits until no transaction runs and keeps new ones out.
    func enterAlone(until deadline: Deadline) throws {
        switch writerGate.enterAlone(with: gate, until: deadline) {
        case .entered: return
        case .insideWrite: throw insideWrite
        case .insideRead: throw StorageError.writeInsideRead(details("this thread is inside a read; compact the store after the read"))
        case .writersTookTooLong: throw timedOutBehindWrites
        case .readersTookTooLong: throw StorageError.timedOut(details("waited longer than writerTimeout for running reads to end; keep reads short"))
        }
    }

    func leaveAlone() { writerGate.leaveAlone(with: gate) }

    /// Whether the calling thread would wait for itself.
    var isInsideTransaction: Bool { writerGate.isHeldByCurrentThread || gate.isSharedByCurrentThread || gate.isExclusiveToCurrentThread }

    func checkCanClose() throws {
        guard isInsideTransaction else { return }
        throw StorageError.closeInsideTransaction(details("this thread is inside a transaction of the store; close it after the transaction"))
    }

    /// Waits until the transactions that run now have ended. For a thread inside none.
    func drain() {
        if writerGate.enterAlone(with: gate, until: .never) == .entered { leaveAlone() }
    }
}
