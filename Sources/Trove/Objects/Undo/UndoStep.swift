/// Changes that are undone and redone together.
struct UndoStep {
    let name: String?
    /// The objects that were changed, each once, in the order in which they were first.
    var entries: [UndoEntry]
    /// What the save after the step did beside them.
    var sideEffects: [SideEffect] = []
    /// Whether a save has stored the step, and so has done what rules and inverses ask: the entries and side effects are all that changed.
    var isSaved = false

    var reversed: UndoStep { UndoStep(name: name, entries: entries.reversed().map(\.reversed), isSaved: isSaved) }
}
