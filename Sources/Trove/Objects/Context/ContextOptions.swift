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
