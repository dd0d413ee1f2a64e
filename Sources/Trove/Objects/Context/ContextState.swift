/// What a context keeps beside its identity map; the lock of its domain guards it.
struct ContextState {
    /// The objects that are inserted, changed or deleted and not saved, in the order in which they became so. An object that is clean again may
    /// still be here.
    var pending: [any LiveModel] = []
    /// How many insertions among them were taken back since they were looked through.
    var leftCount = 0
    /// Whether one of them is deleted, or of a model that owns objects which a save may delete.
    var mayDelete = false
    /// Objects that were not in memory when the other side of one of their relationships changed: their records do not tell all.
    var outdated: Set<ObjectKey> = []
    /// Objects that were loaded as pending changes of others have changed them, with their `changeCount` then.
    var derived: [(object: any LiveModel, changeCount: UInt64)] = []
    /// How often changes were taken back of which others may be derived: a read that was under way meanwhile shows what is no more.
    var derivation: UInt64 = 0
    /// Changes that were refused; the next save throws the first.
    var refusals: [any Error] = []
    /// What getters could not say, the last ones.
    var faultErrors: [any Error] = []
    /// The number of the save that calls hooks now, or did last.
    var saveNumber: UInt64 = 0
    /// Whether a save is about to run because of the time that has passed, and of the number of changes.
    var isTimed = false
    var isQueued = false
    /// The steps that can be undone; nil when none are kept.
    var history: UndoHistory?
    /// Is told of all changes; nil when nobody keeps them.
    var recorder: (any ChangeRecorder)? { history }
}
