/// Is told of every change of a context's objects, with the context's lock held: what undo builds upon.
///
/// To be told of the next change of each object again, a recorder begins an epoch of the context's domain. ``ObjectContext/restore(_:to:)``
/// makes an object as it was.
protocol ChangeRecorder: AnyObject, Sendable {
    /// An object is about to be changed for the first time in the domain's epoch; it still has its former values.
    func willChange(_ object: any LiveModel, field: Int)

    /// A new object was inserted.
    func didInsert(_ object: any LiveModel)

    /// An object is about to be marked as deleted, or, when it was inserted and not saved, to leave the context.
    func willDelete(_ object: any LiveModel)

    /// A save has been committed and its objects brought up to it.
    ///
    /// - Parameter changes: all records it changed, those of rules and inverses among them, as they were and are.
    func didSave(_ changes: [RecordChange])

    /// All pending changes were taken back.
    func didRollBack()

    /// Changes of these objects were taken back, and they are as their records; ``didEndDiscarding()`` follows.
    func didDiscard(_ objects: [any LiveModel])

    /// All is taken back that a refresh was to take back, which may have been nothing.
    func didEndDiscarding()
}

/// What a context keeps beside its identity map; the lock of its domain guards it.
struct ContextState {
    /// The objects that are inserted, changed or deleted and not saved, in the order in which they became so. An object that is clean again may
    /// still be here.
    var pending: [PendingObject] = []
    /// What is known of the hooks of each of them while a save calls these; nil otherwise.
    var hooks: [HookMarks]?
    /// What a save that is under way stores; nil when there is none.
    var saving: CutUnderWay?
    /// By class: what the pending objects have in unique indexes, as far as somebody has asked.
    var claims: [ObjectIdentifier: UniqueClaims] = [:]
    /// How many insertions among them were taken back since they were looked through.
    var leftCount = 0
    /// Whether one of them is deleted, or of a model that owns objects which a save may delete.
    var mayDelete = false
    /// Whether one of them is deleted, or an owner among them has let go of something.
    var hasRemovals = false
    /// Objects that were not in memory when the other side of one of their relationships changed: their records do not tell all. Each has the
    /// number of the last such change.
    private(set) var outdated: [ObjectKey: UInt64] = [:]
    /// How many such changes there have been.
    private(set) var outdatedCount: UInt64 = 0
    /// Objects that were loaded as pending changes of others have changed them.
    var derived: [DerivedObject] = []
    /// How often changes were taken back of which others may be derived: a read that was under way meanwhile shows what is no more.
    var derivation: UInt64 = 0
    /// Inserted objects that an owner let go of.
    var released: [ReleasedObject] = []
    /// Objects that were inserted and deleted again before a save, and that others may point at.
    var ghosts: [ObjectKey: Ghost] = [:]
    /// How many of these there have been.
    var ghostCount = 0
    /// Objects that have left the context and may be inserted again, as far as the program has them.
    var away: [ObjectKey: ObjectHandle] = [:]
    /// How many of these there may be before those are looked for that are gone.
    var awayLimit = 1_024
    /// The first change that was refused since the last save, which the next one throws.
    var refusal: (any Error)?
    /// What getters could not say, the last ones.
    var faultErrors: [any Error] = []
    /// Whether a save is about to run because of the time that has passed, and of the number of changes.
    var isTimed = false
    var isQueued = false
    /// Counts the times that were set, and those that no longer count: one that passes has the number of when it was set.
    var timer: UInt64 = 0
    /// How many of these have failed since a save succeeded.
    var failedSaveCount = 0
    /// How many lazy values the steps to undo had when they were last looked through.
    var keptAnnexes = 1
    /// The lazy values that lie elsewhere than with the records of the objects that have been given them.
    var annexesElsewhere: Set<AnnexID> = []
    /// The steps that can be undone; nil when none are kept.
    var history: UndoHistory?
    /// Is told of all changes; nil when nobody keeps them.
    var recorder: (any ChangeRecorder)? { history }
    /// The live lists; nil before there is one.
    var lists: ContextLists?
    /// What is known of the classes that were met.
    var models: [ObjectIdentifier: ContextModel] = [:]

    /// Notes that a record does not tell all of its object until the changes are saved that are pending now.
    mutating func noteOutdated(_ key: ObjectKey) {
        outdatedCount += 1
        outdated[key] = outdatedCount
    }

    /// Forgets of which records that was noted, up to a count.
    mutating func forgetOutdated(upTo count: UInt64 = .max) {
        if !outdated.isEmpty { outdated = outdated.filter { $0.value > count } }
    }

    /// Adds an object to the pending ones.
    mutating func list(_ object: PendingObject) {
        pending.append(object)
        hooks?.append(HookMarks())
    }
}

/// What a save has called of an object's hooks.
struct HookMarks {
    /// Whether `willDelete` was called.
    var isDoomed = false
    /// Whether `willSave` was called.
    var isWilled = false
    /// The object's `changeCount` that was validated.
    var validated: UInt64 = .max
}

/// What a save that is under way stores.
struct CutUnderWay {
    private let cut: ChangeCut
    /// Its new objects; nil before somebody asks.
    private var inserted: Set<ObjectIdentifier>?

    init(_ cut: ChangeCut) { self.cut = cut }

    /// Whether the save stores an object that is new.
    mutating func inserts(_ object: any LiveModel) -> Bool {
        let inserted = inserted ?? Set(insertions.map { ObjectIdentifier($0) })
        self.inserted = inserted
        return inserted.contains(ObjectIdentifier(object))
    }

    /// The new objects that the save stores.
    var insertions: [any LiveModel] { cut.entries.filter { $0.kind == .insertion }.map(\.object) }
}

/// An object that was loaded as pending changes of others have changed it.
struct DerivedObject {
    let object: any LiveModel
    /// Its `changeCount` before anybody else had it.
    let changeCount: UInt64
    /// The record that it was made of, in the current layout.
    let record: [UInt8]

    /// Whether the object still shows these changes, or does when its own deletion is taken back.
    var isShown: Bool { object.live.status == .changed || object.live.status == .deleted }
}

/// An object that no save has stored, and that an owner let go of: the next save stores it only if it has an owner by then.
struct ReleasedObject {
    let object: any LiveModel
    /// The rule by which it was owned.
    let rule: DeleteRule
}
