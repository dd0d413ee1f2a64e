extension WriteQueue {
    /// How many groups have savepoints after one in which a job failed.
    private static let carefulAfterFailure = 8

    func commit(_ group: [any WriteJob]) {
        guard group.count > 1 else { return commitEachAlone(group) }
        var isComplete = false
        do {
            let failures = try commitTogether(group) { isComplete = $0 }
            for (job, failure) in zip(group, failures) where job.start() {
                if let failure { job.fail(failure) } else { job.succeed() }
            }
        } catch let error as StorageError where concernsThisStore(error) || isComplete && error.leavesOutcomeOpen {
            // Doing what may have been done once more could do it twice.
            for job in group { fail(job, error) }
        } catch {
            // The engine refused the group as a whole: each one gets its own chance and its own error.
            commitEachAlone(group)
        }
    }

    /// Commits the jobs in one transaction; returns the errors of those that were taken back.
    ///
    /// Nearly always none fails. So they first run as if they were one, and their indexes are written once; when one throws, all is taken back and
    /// done again with a savepoint for each, and so are the next few groups, since failures rarely come alone.
    ///
    /// What follows from a job's changes is done with what its task has given to its code; the end of the transaction is that of no task alone.
    ///
    /// - Parameter note: called with true when only the commit is left, and with false when the jobs begin.
    private func commitTogether(_ group: [any WriteJob], note: (_ isComplete: Bool) -> Void) throws -> [(any Error)?] {
        let isCareful = carefulGroups.withLock { groups in
            defer { groups = max(0, groups - 1) }
            return groups > 0
        }
        if isCareful { return try commitWithSavepoints(group, note: note) }
        var hasFailed = false
        do {
            try write(durability(of: group)) { transaction in
                note(false)
                hasFailed = false
                // A task may be cancelled until the body of its own job begins.
                for job in group where job.start() {
                    do {
                        try transaction.withJournal(job.journal) {
                            try job.running {
                                try job.perform(transaction)
                                try transaction.endPart()
                            }
                        }
                    } catch {
                        hasFailed = true
                        throw error
                    }
                }
                do {
                    try transaction.checkBeforeCommit()
                } catch {
                    // What only shows when indexes are written is one job's matter too.
                    hasFailed = true
                    throw error
                }
                note(true)
            }
            return Array(repeating: nil, count: group.count)
        } catch where hasFailed && !concernsThisStore(error) {
            carefulGroups.withLock { $0 = Self.carefulAfterFailure }
            return try commitWithSavepoints(group, note: note)
        }
    }

    /// The same with a savepoint for each job.
    private func commitWithSavepoints(_ group: [any WriteJob], note: (_ isComplete: Bool) -> Void) throws -> [(any Error)?] {
        try write(durability(of: group)) { transaction in
            note(false)
            var failures: [(any Error)?] = []
            for job in group {
                guard job.start() else {
                    failures.append(CancellationError())
                    continue
                }
                do {
                    try transaction.withJournal(job.journal) {
                        try job.running {
                            try transaction.savepoint {
                                try job.perform(transaction)
                                try transaction.endPart()
                            }
                        }
                    }
                    failures.append(nil)
                } catch {
                    failures.append(error)
                }
            }
            try transaction.checkBeforeCommit()
            note(true)
            return failures
        }
    }

    /// Whether every transaction of the store would meet the error.
    private func concernsThisStore(_ error: any Error) -> Bool {
        guard let error = error as? StorageError else { return false }
        return error.concernsEveryTransaction && error.details.path == core.backend.path
    }

    private func durability(of group: [any WriteJob]) -> Durability { group.map(\.durability).max() ?? .durable }

    /// Commits each job in a transaction of its own, until the store has an error that each would wait for.
    private func commitEachAlone(_ jobs: [any WriteJob]) {
        for (position, job) in jobs.enumerated() {
            guard let error = commitAlone(job), concernsThisStore(error) else { continue }
            for other in jobs[(position + 1)...] { fail(other, error) }
            return
        }
    }

    /// Commits a job; returns the engine's error when it failed with one.
    private func commitAlone(_ job: any WriteJob) -> StorageError? {
        do {
            try job.running {
                try write(job.durability, journal: job.journal) { transaction in
                    guard job.start() else { throw CancellationError() }
                    try job.perform(transaction)
                }
            }
            job.succeed()
            return nil
        } catch {
            fail(job, error)
            return error as? StorageError
        }
    }

    /// Ends a job with an error, unless its task was cancelled before its body began.
    private func fail(_ job: any WriteJob, _ error: any Error) {
        if job.start() { job.fail(error) }
    }

    private func write<Result>(_ durability: Durability, journal: ChangeJournal? = nil, _ body: (WriteTransaction) throws -> Result) throws -> Result {
        state.withLock { $0.isInTransaction = true }
        defer { state.withLock { $0.isInTransaction = false } }
        return try core.write(durability, journal: journal) { transaction in
            // A delegate that is told of the commit is outside of the transaction.
            transaction.whenCommitted { self.state.withLock { $0.isInTransaction = false } }
            return try body(transaction)
        }
    }
}
