/// When a context saves by itself.
///
/// Such saves run on a thread of the context's own. Their errors go to ``ContextOptions/onError``; the changes stay and are tried again
/// with the next ones.
public struct Autosave: Sendable, Hashable {
    /// After so many changes of properties, insertions and deletions; nil for never. At least 1.
    public var changeCount: Int?
    /// So long after the first change since the last save; nil for never.
    public var interval: Duration?

    /// Saves after so many changes, and so long after the first; nil for never. A count below 1 is 1.
    public init(changeCount: Int? = nil, interval: Duration? = nil) {
        self.changeCount = changeCount.map { max(1, $0) }
        self.interval = interval
    }

    /// Only ``ObjectContext/save()-swift.method`` saves.
    public static let never = Autosave()

    /// After so many changes of properties, insertions and deletions.
    public static func after(changes count: Int) -> Autosave { Autosave(changeCount: count) }

    /// So long after the first change since the last save.
    public static func every(_ interval: Duration) -> Autosave { Autosave(interval: interval) }
}

/// How an ``ObjectContext`` works.
public struct ContextOptions: Sendable {
    /// What a save does about objects that somebody else changed meanwhile; ``MergePolicy/error`` unless said otherwise.
    public var mergePolicy: MergePolicy
    /// How many objects the context keeps in memory though nobody else holds them: those met last. At least 0; 4,096 unless said otherwise.
    ///
    /// Objects of relationships are loaded together with those that objects of the same fetch point at, at most so many that half of this holds them.
    public var recentObjectCount: Int
    /// When changes are saved by themselves; never unless said otherwise.
    public var autosave: Autosave
    /// Whether what other contexts of the store save reaches the objects of this one by itself, soon after; false unless said otherwise, see
    /// ``ObjectContext/mergeChanges()-swift.method``.
    public var mergesChangesAutomatically: Bool
    /// What a save survives; nil for the store's own.
    public var durability: Durability?
    /// How many steps can be undone; none unless said otherwise. Steps keep what they changed in memory, twice.
    public var undo: UndoLimit
    /// Whether Observation's tracking sees the objects' properties; true unless said otherwise. Without it accesses are faster.
    public var isObservable: Bool
    /// Told of errors that nobody waits for, on a thread of the context's own: of automatic saves and merges, of getters, and of refused changes.
    public var onError: (@Sendable (any Error) -> Void)?

    /// Says how a context works; what is left out is as the properties say.
    public init(
        mergePolicy: MergePolicy = .error, recentObjectCount: Int = 4_096, autosave: Autosave = .never,
        mergesChangesAutomatically: Bool = false, durability: Durability? = nil, undo: UndoLimit = .none, isObservable: Bool = true,
        onError: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.mergePolicy = mergePolicy
        self.recentObjectCount = max(0, recentObjectCount)
        self.autosave = autosave
        self.mergesChangesAutomatically = mergesChangesAutomatically
        self.durability = durability
        self.undo = undo
        self.isObservable = isObservable
        self.onError = onError
    }
}

/// How many steps an ``ObjectContext`` can undo.
public enum UndoLimit: Sendable, Hashable {
    /// None: changes are not kept.
    case none
    /// At most this many steps, the last ones; at least 1.
    case steps(Int)
    /// All steps since the context was made.
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

/// What a save does about an object whose record was changed or deleted by somebody else since the context read it.
///
/// ```swift
/// let context = ObjectContext(store, options: .init(mergePolicy: .byProperty))
/// ```
public enum MergePolicy: Sendable {
    /// The save fails with ``TroveError/conflict(model:id:object:stored:)`` and stores nothing.
    case error
    /// The store's version stays, and the object takes it over; its own changes are lost.
    case storeWins
    /// The object's version is stored as a whole, or the object deleted.
    case objectWins
    /// Properties that were changed in the context are stored, the others are the store's. A change wins against a deletion on either side,
    /// so that nothing is lost.
    case byProperty
    /// What the closure says.
    ///
    /// It runs inside the save's transaction: it must use neither the store nor live objects, and may be called again when the engine runs
    /// the transaction anew. What it throws, the save throws.
    case custom(@Sendable (SaveConflict) throws -> MergeResolution)
}

/// How a conflict between a context and the store is settled; see ``MergePolicy/custom(_:)``.
public enum MergeResolution: Sendable {
    /// The store's version stays, and the object takes it over.
    case storeWins
    /// The object's version is stored, or the object deleted.
    case objectWins
    /// The properties that the context changed are stored, the others are the store's; a change wins against a deletion.
    case byProperty
    /// This record is stored, and the object takes it over. Its id must be the object's.
    case use(StoredRecord)
    /// The object is deleted.
    case delete
    /// The save fails with ``TroveError/conflict(model:id:object:stored:)``.
    case fail
}
