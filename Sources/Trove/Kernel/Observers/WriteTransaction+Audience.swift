extension WriteTransaction {
    /// Whether somebody is to be told of a model's changes.
    func tells(of model: String) -> Bool { notes?.concern(model) ?? false }

    /// Takes the transaction's place among the commits, when all but the commit itself is done.
    func takeTurn() { notes?.takeTurn() }

    /// Gives its place up again: the commit failed with an error, or the engine runs the transaction once more.
    func giveUpTurn(after error: (any Error)? = nil) {
        let isOpen = (error as? StorageError)?.leavesOutcomeOpen ?? false
        if let notes {
            notes.giveUpTurn(isOpen: isOpen)
        } else if isOpen, isTold, core.audience.hasReaders {
            // They came while the transaction ran.
            core.audience.noteUnseen(after: 0)
        }
    }
}
