/// The rules by which a context saves automatically.
///
/// Such saves run on a thread of the context's own. Their errors go to ``ContextOptions/onError``; the changes stay and are tried again
/// when the number has been reached, or the time has passed, once more. After a failure that time is a second at least, and with each further one
/// twice as long, up to a minute.
public struct Autosave: Sendable, Hashable {
    /// The number of property changes, insertions and deletions after which the context saves; nil for never. At least 1.
    public var changeCount: Int? {
        didSet { changeCount = changeCount.map { max(1, $0) } }
    }
    /// The time after the first unsaved change when the context saves; nil for never.
    public var interval: Duration?

    /// Saves after a number of changes, and some time after the first; nil for never. A count below 1 is 1.
    public init(changeCount: Int? = nil, interval: Duration? = nil) {
        self.changeCount = changeCount.map { max(1, $0) }
        self.interval = interval
    }

    /// The time that changes wait when so many saves in a row have failed; nil when no time is set. One that fails at once takes no processor for itself.
    func delay(afterFailures count: Int) -> Duration? {
        guard let interval, count > 0 else { return interval }
        return max(interval, min(.seconds(1 << min(count - 1, 6)), .seconds(60)))
    }

    /// Only ``ObjectContext/save()`` saves.
    public static let never = Autosave()

    /// Saves after a number of property changes, insertions and deletions.
    public static func after(changes count: Int) -> Autosave { Autosave(changeCount: count) }

    /// Saves some time after the first unsaved change.
    public static func every(_ interval: Duration) -> Autosave { Autosave(interval: interval) }
}

/// The options of an ``ObjectContext``.
public struct ContextOptions: Sendable {
    /// The policy of a save for objects that were changed elsewhere meanwhile; by default ``MergePolicy/error``.
    public var mergePolicy: MergePolicy
    /// The policy of a save for new objects with unique values that an object has which was stored elsewhere; by default
    /// ``UniqueConflictPolicy/error``.
    public var uniqueConflicts: UniqueConflictPolicy
    /// The number of objects that the context keeps in memory when nothing else holds them: those met last. At least 0; 4,096 unless said otherwise.
    ///
    /// Objects of relationships are loaded together with those that objects of the same fetch point at, at most so many that half of this holds them.
    public var recentObjectCount: Int
    /// The rules by which changes are saved automatically; by default never.
    public var autosave: Autosave
    /// Whether the objects of this context take over what other contexts of the store save, soon after each save; by default false, see
    /// ``ObjectContext/mergeChanges()``.
    public var mergesChangesAutomatically: Bool
    /// The durability of a save; nil for the store's own.
    public var durability: Durability?
    /// The number of steps that can be undone; by default none. Steps keep what they changed in memory, twice.
    public var undo: UndoLimit
    /// Who saves by the context, for the store's history: see ``HistoryEntry/author``; nil for the store's.
    public var author: String?
    /// Whether Observation tracks the objects' properties; by default true. Without it accesses are faster.
    public var isObservable: Bool
    /// A closure that receives errors which no caller waits for, on a thread of the context: of automatic saves and merges, of getters, and of refused changes.
    public var onError: (@Sendable (any Error) -> Void)?

    /// Creates options; arguments that are left out have the defaults of the properties.
    public init(
        mergePolicy: MergePolicy = .error, uniqueConflicts: UniqueConflictPolicy = .error, recentObjectCount: Int = 4_096, autosave: Autosave = .never,
        mergesChangesAutomatically: Bool = false, durability: Durability? = nil, undo: UndoLimit = .none, author: String? = nil,
        isObservable: Bool = true, onError: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.mergePolicy = mergePolicy
        self.uniqueConflicts = uniqueConflicts
        self.recentObjectCount = max(0, recentObjectCount)
        self.autosave = autosave
        self.mergesChangesAutomatically = mergesChangesAutomatically
        self.durability = durability
        self.undo = undo
        self.author = author
        self.isObservable = isObservable
        self.onError = onError
    }
}

/// The number of steps that an ``ObjectContext`` can undo.
public enum UndoLimit: Sendable, Hashable {
    /// None: changes are not kept.
    case none
    /// The last steps, at most this many; at least 1.
    case steps(Int)
    /// All steps since the context was created.
    case unlimited

    /// The greatest number of steps.
    var count: Int {
        switch self {
        case .none: 0
        case .steps(let count): max(1, count)
        case .unlimited: .max
        }
    }
}

/// The policy of a save for an object whose record was changed or deleted elsewhere since the context read it.
///
/// ```swift
/// let context = ObjectContext(store, options: .init(mergePolicy: .byProperty))
/// ```
public enum MergePolicy: Sendable {
    /// The save fails with ``TroveError/conflict(model:id:object:stored:)`` and stores nothing.
    case error
    /// The store's version stays, the object takes it over, and the object's own changes are lost.
    case storeWins
    /// The object's version is stored as a whole, but for what the options of its properties keep, or the object is deleted.
    case objectWins
    /// Properties that the context changed are stored; the others keep the store's values. A change wins against a deletion on either side,
    /// so that nothing is lost.
    case byProperty
    /// The closure decides.
    ///
    /// It runs inside the save's transaction: it must use neither the store nor live objects, and may be called again when the engine runs
    /// the transaction anew. What it throws, the save throws.
    case custom(@Sendable (SaveConflict) throws -> MergeResolution)
}

/// The policy of a save for a new object whose values in a unique index an object has that is stored, and that the context did not find when it inserted
/// the new one.
///
/// ```swift
/// let context = ObjectContext(store, options: .init(uniqueConflicts: .objectWins))
/// ```
///
/// With each policy but ``error`` the new object becomes the stored one: what points at it in the context points at that one, whose inverse
/// relationships gain it, and the new one leaves the context. With ``storeWins`` an inverse that has one object already keeps that.
///
/// Errors stay a new object that has values of two stored ones, or of another new one, an object that was only changed, and one whose id is made of
/// properties.
public enum UniqueConflictPolicy: Sendable, Hashable {
    /// The save fails with ``TroveError/uniqueViolation(model:index:values:id:otherID:)`` and stores nothing.
    case error
    /// The stored object keeps its properties, and those of the new one are lost.
    case storeWins
    /// The stored object takes over the properties of the new one, as by ``ObjectContext/upsert(_:updating:)``.
    case objectWins
}

/// The resolution of a conflict between a context and the store; see ``MergePolicy/custom(_:)``.
public enum MergeResolution: Sendable {
    /// The store's version stays, and the object takes it over.
    case storeWins
    /// The object's version is stored, but for what the options of its properties keep, or the object is deleted.
    case objectWins
    /// The properties that the context changed are stored, and the others keep the store's values; a change wins over a deletion.
    case byProperty
    /// This record is stored, but for what the options of the properties keep, and the object takes it over. Its id must be the object's.
    case use(StoredRecord)
    /// The object is deleted.
    case delete
    /// The save fails with ``TroveError/conflict(model:id:object:stored:)``.
    case fail
}
