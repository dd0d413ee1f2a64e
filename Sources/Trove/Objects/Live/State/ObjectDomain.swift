/// The objects that share one lock: those of one context, or all that are in none.
///
/// It is `@unchecked Sendable` because its lock guards everything in it that changes.
@usableFromInline final class ObjectDomain: @unchecked Sendable {
    /// The domain of the objects that are in no context. A thread that holds it takes no other domain's lock; one that holds another's
    /// may take it, to move objects.
    @usableFromInline static let detached = ObjectDomain()

    @usableFromInline let lock = RecursiveLock()
    /// The context; nil for objects in none, and once the context is gone.
    private(set) weak var host: (any ObjectHost)?
    /// The host is told of an object's next change when the object was last told of in an earlier epoch. 0 where there is no host to tell.
    @exclusivity(unchecked) @usableFromInline var epoch: UInt64
    /// How many more changes there are until the host is told that it wanted to know of so many.
    @exclusivity(unchecked) @usableFromInline var changesLeft = Int.max
    /// How many stored properties of its objects the thread that holds the lock is changing: nobody may read them meanwhile.
    @exclusivity(unchecked) @usableFromInline var changesUnderWay = 0

    /// Whether reads and changes are told to those who observe the objects.
    @usableFromInline let isObservable: Bool
    /// The relationships with inverses, by model, as the host told them.
    var knownInverses: [ObjectIdentifier: [InverseField]] = [:]

    private init() {
        epoch = 0
        isObservable = false
    }

    /// A context's domain. The context calls ``attach(_:)`` when it can be referred to.
    init(isObservable: Bool) {
        epoch = 1
        self.isObservable = isObservable
    }

    func attach(_ host: any ObjectHost) {
        withLock { self.host = host }
    }

    /// Lets the host be told again of the next change of each object.
    func beginEpoch() {
        withLock { epoch &+= 1 }
    }

    /// The object of a key, when the program has it and it is not deleted.
    @usableFromInline func presentObject(_ model: any LiveModel.Type, _ key: [UInt8]) -> AnyObject? { host?.presentObject(model, key) }

    @usableFromInline func tellRefusal(_ error: any Error) { host?.refuse(error) }

    @usableFromInline func tellLimit() { host?.didReachChangeLimit() }

    /// Runs `body` while no other thread reads or writes the domain's objects.
    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}
