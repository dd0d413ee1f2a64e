import TroveStorage

extension SQLiteWriter {
    func savepoint(_ body: () throws -> Void) throws {
        try state.check()
        marks += 1
        let (mark, madeBefore, droppedBefore) = (marks, made.count, dropped.count)
        try connection.holdPages()
        defer { connection.letPagesGo() }
        try run(.savepoint)
        savepointDepth += 1
        let depth = savepointDepth
        do {
            try body()
            // A failure that the body has caught leaves a change half done, which must not be kept.
            try state.check()
            try run(.releaseSavepoint)
        } catch {
            // All savepoints have one name, by which SQLite means the innermost. Where one inside of this could not be undone, the poison stays.
            if savepointDepth == depth { try undo(mark: mark, made: madeBefore, dropped: droppedBefore) }
            throw error
        }
        savepointDepth -= 1
    }

    /// Goes back to the innermost savepoint. Statements that run go on: SQLite finds their keys again.
    private func undo(mark: Int, made madeBefore: Int, dropped droppedBefore: Int) throws {
        // After some failures SQLite has rolled the whole transaction back; then the poison stays.
        guard connection.isInTransaction, state.isActive else { return }
        changeCount &+= 1
        try run(.rollbackToSavepoint)
        try run(.releaseSavepoint)
        savepointDepth -= 1
        gone.subtract(dropped[droppedBefore...])
        gone.formUnion(made[madeBefore...])
        dropped.removeSubrange(droppedBefore...)
        made.removeSubrange(madeBefore...)
        undoneMarks.append(mark..<marks + 1)
        largeValues.removeAll()
        smallKeyspace = nil
        recover()
    }
}
