import TroveBackendKit
import TroveStorage

/// Who may be inside, in the words of the contract.
extension SQLiteEngine {
    /// A century: closing waits for running transactions without a bound.
    private static let ever = Duration.seconds(3_000_000_000)

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
        case .alreadyInside:
            throw StorageError.writeInsideWrite(
                details("this thread is inside a write already; use the transaction you were given, and its savepoint for a change within a change"))
        case .timedOut: throw timedOutBehindWrites
        }
    }

    var timedOutBehindWrites: StorageError {
        .timedOut(details("waited longer than writerTimeout for the writes before this one; keep writes short"))
    }

    /// Waits until no transaction runs and keeps new ones out.
    ///
    /// A read that runs may want to write, and would wait for this thread while this thread waits for it. So
    /// the wait for readers is cut into slices, each twice as long as the one before, with a chance for writers between them.
    func enterAlone(until deadline: Deadline) throws {
        var slice = Duration.milliseconds(10)
        while true {
            try enterWriter(until: deadline)
            switch gate.enterExclusive(timeout: min(slice, deadline.remaining)) {
            case .entered: return
            case .timedOut:
                writerGate.leave()
                slice *= 2
                if deadline.hasPassed {
                    throw StorageError.timedOut(details("waited longer than writerTimeout for running reads to end; keep reads short"))
                }
            case .alreadyInside:
                writerGate.leave()
                throw StorageError.writeInsideRead(details("this thread is inside a read; compact the store after the read"))
            }
        }
    }

    func leaveAlone() {
        gate.leaveExclusive()
        writerGate.leave()
    }

    /// Throws when the calling thread would wait for itself.
    func checkCanClose() throws {
        guard writerGate.isHeldByCurrentThread || gate.isSharedByCurrentThread || gate.isExclusiveToCurrentThread else { return }
        throw StorageError.closeInsideTransaction(details("this thread is inside a transaction of the store; close it after the transaction"))
    }

    /// Waits until the transactions that run now have ended. For a thread inside none.
    func drain() {
        var slice = Duration.milliseconds(10)
        while writerGate.enter(timeout: Self.ever) == .entered {
            let entry = gate.enterExclusive(timeout: slice)
            if entry == .entered { gate.leaveExclusive() }
            writerGate.leave()
            if entry == .entered { return }
            slice *= 2
        }
    }
}
