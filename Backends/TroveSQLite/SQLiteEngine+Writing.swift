import CSQLite
import TroveStorage

extension SQLiteEngine {
    /// Runs a write inside `writerGate`.
    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try begin(durability)
        do {
            let generation = try writer.integer(.generation) ?? 0
            writer.names.adopt(generation: generation)
            let transaction = SQLiteWriter(connection: writer, state: beginState(), generation: UInt32(generation))
            defer { transaction.finish() }
            try body(transaction)
            try transaction.state.check()
            transaction.finish()
            try writer.run(.commit)
        } catch {
            try rollBack()
            throw error
        }
        log.checkpointAfterCommit(writer, canWaitForReaders: !gate.isSharedByCurrentThread)
    }

    /// IMMEDIATE, because a transaction that begins with a read cannot become a write once another process has committed.
    private func begin(_ durability: Durability) throws {
        if writer.isInTransaction { try rollBack() }
        try writer.setSynchronous(isFull: durability == .durable)
        try writer.run(.begin)
    }

    /// SQLite has rolled back by itself after some failures, such as a full disk.
    private func rollBack() throws {
        if writer.isInTransaction { try writer.run(.rollback) }
    }
}
