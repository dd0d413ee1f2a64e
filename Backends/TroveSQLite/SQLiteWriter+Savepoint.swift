import TroveStorage

extension SQLiteWriter {
    func savepoint(_ body: () throws -> Void) throws {
        try state.check()
        marks += 1
        let (mark, madeBefore, droppedBefore) = (marks, made.count, dropped.count)
        try run(.savepoint)
        do {
            try body()
        } catch {
            try undo(mark: mark, made: madeBefore, dropped: droppedBefore)
            throw error
        }
        // After a failure in the body, caught there, nothing may be kept; the commit will refuse.
        if state.poison == nil { try run(.releaseSavepoint) }
    }

    /// Goes back to the innermost savepoint. Statements that run go on: SQLite finds their keys again.
    private func undo(mark: Int, made madeBefore: Int, dropped droppedBefore: Int) throws {
        // After some failures SQLite has rolled the whole transaction back; then the poison stays.
        guard connection.isInTransaction, state.isActive else { return }
        changeCount &+= 1
        try run(.rollbackToSavepoint)
        try run(.releaseSavepoint)
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
