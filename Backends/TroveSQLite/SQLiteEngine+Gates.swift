import TroveStorage

/// Who may be inside, in the words of the contract.
extension SQLiteEngine {
    /// Longer than any transaction: "waits for running transactions" has no bound.
    private static let ever = Duration.seconds(Int64.max / 4_000_000_000)

    func enterShared() throws {
        switch gate.enterShared(timeout: options.readerTimeout) {
        case .entered: return
        case .alreadyInside: throw StorageError.unsupported(details("the store is being compacted by this thread"))
        case .timedOut: throw StorageError.timedOut(details("waited longer than readerTimeout for the store to be compacted"))
        }
    }

    func enterWriter() throws {
        switch writerGate.enter(timeout: options.writerTimeout) {
        case .entered: return
        case .alreadyInside:
            throw StorageError.writeInsideWrite(
                details("this thread is inside a write already; use the writer's savepoint for a change within a change"))
        case .timedOut:
            throw StorageError.timedOut(details("waited longer than writerTimeout for the writes before this one; keep writes short"))
        }
    }

    /// Waits until no transaction runs and keeps new ones out.
    func enterAlone() throws {
        try enterWriter()
        guard gate.enterExclusive(timeout: Self.ever) == .entered else {
            writerGate.leave()
            throw StorageError.writeInsideRead(details("this thread is inside a read; compact the store after it"))
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

    /// Waits until the transactions that run now have ended.
    func drain() {
        guard writerGate.enter(timeout: Self.ever) == .entered else { return }
        if gate.enterExclusive(timeout: Self.ever) == .entered { gate.leaveExclusive() }
        writerGate.leave()
    }
}
