import Foundation
import Synchronization

/// The objects that share one lock: those of one context, or all that are in none.
///
/// It is `@unchecked Sendable` because its lock guards everything in it that changes.
@usableFromInline final class ObjectDomain: @unchecked Sendable {
    /// The domain of the objects that are in no context. A thread that holds its lock takes no other domain's; one that holds another's may take it, to
    /// move objects. The program's closures, which run with it while they change a property in place, have to keep to that too.
    @usableFromInline static let detached = ObjectDomain()

    @usableFromInline let lock = RecursiveLock()
    /// The objects by their keys; the domain of objects in no context has none in it.
    let identities: IdentityMap
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
        identities = IdentityMap(recentCount: 0)
        isObservable = false
    }

    /// A context's domain. The context calls ``attach(_:)`` when it can be referred to.
    ///
    /// - Parameter recentCount: how many objects the identity map keeps: those met last. Who has the domain lets go of them at last, as they keep the domain.
    init(isObservable: Bool, recentCount: Int) {
        epoch = 1
        identities = IdentityMap(recentCount: recentCount)
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

// All of these are called with the domain's lock held.
extension ObjectDomain {
    /// Brings in what an object is going to point at. One that has left the context brings nothing new in: it may point at
    /// what is in the context, or has left it too.
    ///
    /// - Throws: as ``admit(_:)``; ``TroveError/contextMisuse(reason:)``.
    @inlinable func admit(_ objects: [some LiveModel], to owner: any LiveModel) throws {
        if owner.live.isAway { try checkKnown(objects, to: owner) } else { try admit(objects) }
    }

    @usableFromInline func checkKnown(_ objects: [any LiveModel], to owner: any LiveModel) throws {
        for object in objects {
            try checkTarget(object)
            if isHome(of: object.live) { continue }
            let (name, new) = (type(of: owner).schema.name, type(of: object).schema.name)
            throw TroveError.contextMisuse(
                reason:
                    "the insertion of the \(name) \(owner.shownID) was taken back, so it cannot bring in the \(new) \(object.shownID); insert it again first")
        }
    }

    /// Brings those of the objects into the context that are in none.
    ///
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when one is in another context, ``TroveError/notInContext(model:id:)`` when one is deleted; then none
    ///   is brought in. What ``ObjectHost/insert(_:)`` throws of one because of what it refers to; then those before it are.
    @inlinable func admit(_ objects: [some LiveModel]) throws {
        for object in objects where !isHome(of: object.live) || object.live.isDeleted { try checkTarget(object) }
        // One whose insertion was taken back is at home, and inserted again.
        for object in objects where !isHome(of: object.live) || object.live.isAway { try tellInsertion(object) }
    }

    /// Whether an object with this state is in this domain.
    @inlinable func isHome(of state: _LiveObjectState) -> Bool {
        state.domainAddress.load(ordering: .acquiring) == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Whether an object is in the context and not deleted, so that others may point at it as it is.
    @inlinable func has(_ object: some LiveModel) -> Bool {
        object._$state._withUnsafeGuaranteedRef { isHome(of: $0) && !$0.isDeleted && !$0.isAway }
    }

    @usableFromInline func checkTarget(_ object: any LiveModel) throws {
        try check(object)
        if isHome(of: object.live), object.live.isDeleted { throw object.isNotInContext }
    }

    @usableFromInline func tellInsertion(_ object: any LiveModel) throws { try host?.insert(object) }

    /// - Throws: ``TroveError/foreignObject(model:id:)`` when the object is in another context.
    @usableFromInline func check(_ object: any LiveModel) throws {
        let isKnown = object._$state._withUnsafeGuaranteedRef { isHome(of: $0) || ObjectDomain.detached.isHome(of: $0) }
        if !isKnown { throw object.isForeign }
    }

    /// Objects in no context and all that they hold, over any number of steps, that are not in this domain yet; each once, and an
    /// object before those it holds. Those held that have left the context are `away`.
    ///
    /// - Parameter other: one that is left out, with what it alone holds.
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when one is in another context; ``TroveError/notInContext(model:id:)`` when one is deleted.
    func detachedGraph(
        from objects: consuming [any LiveModel], leavingOut other: (any LiveModel)? = nil
    ) throws -> (graph: [any LiveModel], away: [any LiveModel]) {
        var waiting = consume objects
        waiting.reverse()
        return try ObjectDomain.detached.withLock {
            var graph: [any LiveModel] = []
            var away: [any LiveModel] = []
            var known = Set(other.map { [ObjectIdentifier($0)] } ?? [])
            while let next = waiting.popLast() {
                try checkTarget(next)
                guard known.insert(ObjectIdentifier(next)).inserted else { continue }
                if isHome(of: next.live) {
                    if next.live.isAway { away.append(next) }
                    continue
                }
                graph.append(next)
                let count = waiting.count
                next._$appendHeld(to: &waiting)
                waiting[count...].reverse()
            }
            return (graph, away)
        }
    }

    /// Moves objects of no context into this one, where they hold each other no longer. The host keeps them from then on.
    ///
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when another context has taken one in meanwhile; then none is moved.
    func adopt(_ graph: [any LiveModel]) throws {
        try ObjectDomain.detached.withLock {
            for object in graph { try check(object) }
            for object in graph where !isHome(of: object.live) {
                object.live.move(to: self)
                object._$releaseHeld()
            }
        }
    }
}

extension LiveModel {
    fileprivate var isForeign: TroveError { .foreignObject(model: Self.schema.name, id: id.shownInErrors) }
}

/// What live objects ask of the context they are in. Every method but those that load objects is called with the lock of the context's domain held.
protocol ObjectHost: AnyObject, Sendable {
    /// An object is about to be changed, for the first time in the domain's epoch. It still has its former values.
    func willChange(_ object: any LiveModel, field: Int)

    /// A hook of a class is the one that does nothing.
    func noteIdle(_ hook: ObjectHooks, of model: any LiveModel.Type)

    /// As many changes were made as the domain's ``ObjectDomain/changesLeft`` was set to.
    func didReachChangeLimit()

    /// The object that a relationship refers to, looked up, or loaded together with those that the other objects read with `owner` refer to.
    /// nil when there is none, which the host notes. The lock need not be held.
    func object<Target: LiveModel>(_ reference: Reference<Target>, of owner: any LiveModel, field: Int) -> Target?

    /// The objects that a relationship refers to, in order and with repetitions; those that are not there are left out, which the host notes.
    /// The lock need not be held.
    func objects<Target: LiveModel>(_ references: [Reference<Target>], of owner: any LiveModel, field: Int) -> [Target]

    /// The object that is referred to. The lock need not be held.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` and what reading throws.
    func resolve<Target: LiveModel>(_ reference: Reference<Target>) throws -> Target

    /// The object of a key, when the program has it and it is not deleted; it is of this class.
    func presentObject(_ model: any LiveModel.Type, _ key: [UInt8]) -> (any LiveModel)?

    /// The object of this key, when the program has it.
    func loadedObject(_ reference: AnyReference) -> (any LiveModel)?

    /// An object in no context was assigned to a relationship of one that is in this.
    ///
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when it holds an object of another context, ``TroveError/notInContext(model:id:)`` when one that is
    ///   deleted, ``TroveError/alreadyExists(model:id:)`` when the context has another object of its id,
    ///   ``TroveError/deletionNotSaved(model:id:)`` when that one is deleted.
    func insert(_ object: any LiveModel) throws

    /// A change was refused, which no property can say; the next save throws the error.
    func refuse(_ error: any Error)

    /// A relationship that owns objects points at some of them no longer, which nobody may have saved yet.
    func didRelease(_ references: [AnyReference], by field: Int, in model: any LiveModel.Type)

    /// What a relationship pointed at before it was given other targets, when it cannot tell itself, and perhaps more that it pointed at earlier: what it
    /// pointed at when its object was read or saved last, and the objects with changes that point back at it.
    func formerTargets<Target: LiveModel>(of owner: any LiveModel, field: Int, inverse: Int?) -> [Reference<Target>]

    /// The position of the field of the target model that says the same as a relationship the other way round; nil when there is none.
    func inverse(of field: Int, in model: any LiveModel.Type) -> Int?
}

/// What is done when an object is used whose context the program has let go of: nobody can load its objects or store its changes, and neither a getter nor a
/// setter can throw.
enum MissingContext {
    private static let wasTold = Atomic(false)

    /// Stops a debug build; any other prints the message, the first time.
    static func report(_ use: String, of owner: any LiveModel) {
        let model = type(of: owner).schema.name
        let message = "\(use) of the \(model) \(owner.shownID), whose ObjectContext is gone; keep the context as long as its objects are used, "
            + "for instance in a property beside them"
        assertionFailure(message)
        tell(message)
    }

    /// The same for an object that has never had a context, and whose relationship is read though it holds none of the objects there.
    static func reportNone(of owner: any LiveModel) {
        let message =
            "a relationship was read of the \(type(of: owner).schema.name) \(owner.shownID), which is in no ObjectContext, as an object that a store, "
            + "an observation or a bag of the store gives, and so has no objects; fetch it from an ObjectContext"
        assertionFailure(message)
        tell(message)
    }

    /// Prints why a getter gave a value that is not the stored one, the first time, for an object in no context that could keep the error.
    static func report(_ error: any Error, of owner: any LiveModel) {
        tell("a lazy property of the \(type(of: owner).schema.name) \(owner.shownID), which is in no context, gives its default value: \(error)")
    }

    private static func tell(_ message: String) {
        guard !wasTold.exchange(true, ordering: .relaxed) else { return }
        do {
            try FileHandle.standardError.write(contentsOf: Data("Trove: \(message)\n".utf8))
        } catch {
            // Nobody reads it: the program has closed its standard error.
        }
    }
}
