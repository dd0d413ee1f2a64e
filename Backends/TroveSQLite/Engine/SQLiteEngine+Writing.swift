import CSQLite
import TroveBackendKit
import TroveStorage

extension SQLiteEngine {
    /// Runs a write inside `writerGate`.
    ///
    /// - Parameter deadline: the end of the wait for writers of other processes.
    func write(_ durability: Durability, until deadline: Deadline, _ body: (any StorageWriter) throws -> Void) throws {
        try takingTurn(until: deadline) {
            do {
                try commit(durability, until: deadline, body)
            } catch let full as NoRoom {
                // The log may have had the room that the transaction wants.
                guard log.makeRoom(writer) else { throw full.error }
                do { try commit(durability, until: deadline, body) } catch let full as NoRoom { throw full.error }
            }
        }
        log.checkpointAfterCommit(writer, canWaitForReaders: readersMayEndSoon())
    }

    /// Whether waiting a moment for the reads that run may help: not for one that has gone on for long, as that of a snapshot, nor for the thread's own.
    func readersMayEndSoon(youngerThan limit: Duration = .seconds(1)) -> Bool {
        !gate.isSharedByCurrentThread && gate.sharers.oldest.map { $0 < limit } ?? true
    }

    /// The disk was full, as SQLite itself has said: an error that the body made is no reason to try again.
    private struct NoRoom: Error {
        /// What to throw when there is no more room.
        let error: any Error
    }

    /// - Throws: ``NoRoom``; what the body throws; ``StorageError``.
    private func commit(_ durability: Durability, until deadline: Deadline, _ body: (any StorageWriter) throws -> Void) throws {
        try begin(durability, until: deadline)
        var (before, isChanged): (LogState?, Bool) = (nil, false)
        let isFollowed = ownCommits.begin {
            before = writer.logState
            return before?.stamp
        }
        defer { if isFollowed { noteEnd(since: before, isChanged: isChanged) } }
        var failure: StorageError?
        do {
            // Looked at in opening too, but the file may have been damaged since.
            guard let generation = try writer.integer(.generation).flatMap({ UInt32(exactly: $0) }), generation <= SQLiteWriter.maxKeyspaceNumber else {
                throw writer.failure(SQLITE_CORRUPT)
            }
            writer.names.adopt(generation: Int(generation))
            let transaction = SQLiteWriter(of: self, on: writer, generation: generation)
            defer {
                failure = transaction.state.poison ?? failure
                transaction.finish()
            }
            try body(transaction)
            try transaction.state.check()
            transaction.finish()
            isChanged = transaction.changeCount > 0 || transaction.changesTables
            try checkProcess()
            if durability == .durable, isChanged { log.writeAhead(writer) }
            do {
                try writer.run(.commit)
            } catch let error as StorageError {
                failure = error
                throw error
            }
        } catch {
            try rollBack()
            if case .diskFull? = failure { throw NoRoom(error: error) }
            throw error
        }
    }

    /// Notes the state that a write leaves, before the turn is another process's. Programs that keep no turns may have committed since, and are counted.
    private func noteEnd(since before: LogState?, isChanged: Bool) {
        let after = writer.logState
        let commits = if let before, let after { after.commitCount &- before.commitCount } else { UInt32(0) }
        ownCommits.end(at: after?.stamp, isOwn: commits <= (isChanged ? 1 : 0))
    }

    /// Runs `body` when it is this process's turn to write.
    func takingTurn(until deadline: Deadline, _ body: () throws -> Void) throws {
        guard let queue else { return try body() }
        guard let turn = queue.gate.enter(until: deadline) else {
            throw StorageError.timedOut(
                details("waited \(deadline.timeout) for a write of another process to end; try again, or open the store with a longer `writerTimeout`"))
        }
        // The turn is the parent's.
        defer { if !process.isInherited { queue.gate.leave(turn) } }
        try body()
    }

    /// IMMEDIATE, because a transaction that begins with a read cannot become a write once another process has committed.
    private func begin(_ durability: Durability, until deadline: Deadline) throws {
        if writer.isInTransaction { try rollBack() }
        // `.relaxed` is `.buffered` here: without any sync a power loss could destroy durable commits too.
        try writer.setSynchronous(isFull: durability == .durable)
        // Programs that are not Trove's do not keep the order; what is left of the time is for them.
        try writer.waiting(atMost: deadline.remaining) { try writer.run(.begin) }
    }

    /// SQLite has rolled back by itself after some failures, such as a full disk.
    private func rollBack() throws {
        // In a forked child it is the parent's transaction.
        if writer.isInTransaction, !process.isInherited { try writer.run(.rollback) }
    }
}
