/// What has been noted, at the end of a batch, of a savepoint or of the transaction.
extension ModelPipeline {
    func announce() throws {
        for listener in listeners { try listener.announce() }
    }

    func endBatch() throws {
        guard hasUnique else { return }
        try transaction.change {
            if try transaction.writer.prefetches { for maintainer in maintainers where maintainer.binding.schema.isUnique { try maintainer.announce() } }
            try translating { for listener in listeners { try listener.endBatch() } }
        }
    }

    /// Writes what is noted; returns about how many bytes have to wait.
    func flush(insideBatch: Bool) throws -> Int {
        try transaction.change {
            try translating { for listener in listeners { try listener.flush(insideBatch: insideBatch) } }
        }
        notedSize = listeners.reduce(0) { $0 + $1.bufferedSize }
        return notedSize
    }

    func discard() {
        for listener in listeners { listener.discard() }
        unreadable = []
        untold = []
        notedSize = 0
        // Records may be back that were deleted when these were found out.
        upperBound = nil
        expectsNew = true
    }

    private func translating(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let conflict as UniqueConflict {
            throw try transaction.violation(conflict, nil)
        }
    }
}
