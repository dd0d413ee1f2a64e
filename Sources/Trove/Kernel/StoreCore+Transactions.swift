import TroveBackendKit

extension StoreCore {
    func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        var result: Result?
        try withReader { result = try body($0) }
        return result.unsafelyUnwrapped  // The transaction either ran the body or threw.
    }

    /// As ``read(_:)``, without a result: the backend's own requirement is called, where its generic form would cost a single get a tenth of its time.
    func withReader(_ body: (ReadTransaction) throws -> Void) throws {
        var isDone = false
        // Keys that are changed while the snapshot begins may be newer than those it has.
        let replacements = sealing?.newest.replacements
        try backend.read { (reader: any StorageReader) throws -> Void in
            let transaction = ReadTransaction(self, sealing.map { SealingReader(reader, $0, catalogue, begunAfter: replacements) } ?? reader)
            defer { transaction.finish() }
            try body(transaction)
            isDone = true
        }
        if !isDone { throw backend.bodyDidNotRun }
    }

    /// Runs `body` as one atomic change.
    ///
    /// - Parameters:
    ///   - journal: takes down every record that changes. After an error it holds what was undone.
    ///   - isTold: false for changes that are only to be looked at, which `body` takes back.
    func write<Result>(
        _ durability: Durability, journal: ChangeJournal? = nil, isTold: Bool = true, _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        // The last transaction is kept until that of the engine is over, also when it fails: with it may go a delegate
        // that nobody else has, whose deinit may write.
        var (result, last, isDone): (Result?, WriteTransaction?, Bool) = (nil, nil, false)
        var sealed: SealingWriter?
        do {
            try backend.write(durability) { (writer: any StorageWriter) throws -> Void in
                journal?.removeAll()
                last?.giveUpTurn()
                writingThread.withLock { $0 = .current }
                defer { writingThread.withLock { $0 = nil } }
                let sealingWriter = try sealing.map { try SealingWriter(writer, $0, catalogue) }
                let transaction = WriteTransaction(self, sealingWriter ?? writer, journal: journal, isTold: isTold)
                (last, sealed, isDone) = (transaction, sealingWriter, false)
                defer { transaction.finish() }
                result = try body(transaction)
                try transaction.checkBeforeCommit()
                transaction.takeTurn()
                isDone = true
            }
        } catch {
            // What failed before its commit was not committed.
            last?.giveUpTurn(after: isDone ? error : nil)
            if isDone, let last, last.isTold, (error as? StorageError)?.leavesOutcomeOpen ?? false {
                last.changes.mayHaveCommitted()
                if last.openHistory?.hasWritten == true { observers.signalHistory() }
                otherProcesses.tell()
            }
            throw error
        }
        guard isDone, let result, let last else { throw backend.bodyDidNotRun }
        sealed?.noteCommitted()
        last.didCommit()
        return result
    }

    /// Whether the calling thread is inside of a write transaction of this store.
    var isWriting: Bool { writingThread.withLock { $0 == .current } }
}
