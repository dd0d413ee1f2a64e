extension ChangeCut {
    /// Runs `body` in a transaction in which the cut is written, and takes that back: `body` sees the records as a save would leave them.
    ///
    /// - Parameters:
    ///   - heedsOptions: As of ``write(to:heedsOptions:)``.
    ///   - journal: takes down what the cut changes.
    func tryOut<Result>(
        in core: StoreCore, heedsOptions: Bool = true, journal: ChangeJournal, _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        var result: Result?
        do {
            try core.write(.relaxed, journal: journal, isTold: false) { transaction in
                try write(to: transaction, heedsOptions: heedsOptions)
                // All that has to be written is written before `body` begins, so that the engine has no reason to run it again.
                try transaction.checkBeforeCommit()
                result = try body(transaction)
                throw TakenBack()
            }
        } catch is TakenBack {}
        return result.unsafelyUnwrapped  // The transaction either ran the body to its end or threw something else.
    }
}

/// Ends a transaction whose changes were only to be looked at.
private struct TakenBack: Error {}
