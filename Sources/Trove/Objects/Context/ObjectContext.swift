import Dispatch
import Synchronization
import TroveBackendKit

/// A place where live objects of a store are read, changed and saved together.
///
/// ```swift
/// let context = ObjectContext(store)
/// let album = Album(title: "Portrait in Jazz")
/// try context.insert(album)
/// album.songs = [Song(title: "Autumn Leaves"), Song(title: "Blue in Green")]
/// try context.save()
///
/// for song in try context.fetch(Song.self).where({ $0.title.hasPrefix("Blue") }).all() {
///     print(song.title, song.album?.title ?? "")
/// }
/// ```
///
/// A context has one object for each record, however often and by whatever way the record is met. Objects that are changed, inserted or deleted are
/// kept until they are saved; of the others the context keeps those that were met last, and the application's own references keep the rest.
///
/// **What a fetch shows.** A context's fetches show what they would show after a save: while changes are pending, they are done in a transaction that is
/// taken back after the read, with unique indexes, inverses and delete rules. When that save would fail, the fetch fails with the same error;
/// records that somebody else changed meanwhile show as the context has them. ``saved`` reads the store as it is.
///
/// **Threads.** A context and its objects may be used from any thread. Each access to a property is atomic; ``perform(_:)`` makes several one.
/// A save takes all its changes at one moment. Where a transaction runs a closure of yours, such as ``read(_:)``, do not use
/// properties of live objects in it: another thread may hold the context's lock and wait for the engine.
///
/// The context must live as long as its objects are used. Without it their relationships have no objects and their changes are not stored; debug builds stop
/// there, and others say so once on the standard error output.
/// `docs/objects.md` tells more.
// It is `@unchecked Sendable` because the lock of its domain guards `state`; all else is constant or has a lock of its own.
public final class ObjectContext: @unchecked Sendable {
    /// The store of the context's objects.
    public let store: ObjectStore
    /// The options of the context.
    public let options: ContextOptions

    let domain: ObjectDomain
    /// Guarded by the lock of ``domain``.
    var state = ContextState()
    /// The class that was asked for last; the lock guards it too. It is asked for with each object, and nothing of others runs meanwhile.
    @exclusivity(unchecked) var lastModel: (id: ObjectIdentifier, model: Unmanaged<ContextModel>)?
    /// Memory for records of objects, which the lock guards too.
    var spareBuffer: RecordBuffer?
    /// The reads that run, by their threads.
    let readings = Mutex<[ThreadIdentity: ActiveReading]>([:])
    /// Lets one save, roll-back or refresh run at a time.
    let operations: OperationGate
    /// What other contexts have saved and this one has not taken over.
    let inbox = Mutex(ContextInbox())
    /// Where saves that nobody waits for run, and handlers are called.
    let queue = DispatchQueue(label: "trove.context")
    /// The lazy values that objects, pending changes and steps to undo have and that may not be stored.
    let annexes = AnnexTable()
    /// The classes by the names of their models.
    let classes: [String: any LiveModel.Type]

    /// Creates a context of a store.
    public init(_ store: ObjectStore, options: ContextOptions = ContextOptions()) {
        self.store = store
        self.options = options
        domain = ObjectDomain(isObservable: options.isObservable, recentCount: options.recentObjectCount)
        classes = store.core.liveModels
        operations = OperationGate { [writeQueue = store.writeQueue] in writeQueue.isWriterThread }
        domain.attach(self)
        domain.withLock {
            resetChangeLimit()
            if options.undo != .none { state.history = UndoHistory(self, limit: options.undo.count) }
        }
        store.core.contexts.add(self)
        if options.mergesChangesAutomatically { store.core.otherProcesses.wake() }
    }

    deinit {
        map.forgetRecent()
        state.lists?.end()
    }

    var core: StoreCore { store.core }

    /// The objects of the context by their keys.
    var map: IdentityMap { domain.identities }

    /// Grows with each save, roll-back and refresh.
    var epoch: UInt64 { map.epoch }

    func beginEpoch() { map.beginEpoch() }

    /// Runs `body` while no other thread reads or changes the context's objects and no save takes their changes.
    ///
    /// ```swift
    /// context.perform {
    ///     from.balance -= amount
    ///     to.balance += amount
    /// }
    /// ```
    ///
    /// It may be called inside itself, and objects may be fetched in it; ``save()``, roll-backs and refreshes throw
    /// ``TroveError/contextMisuse(reason:)`` there. Keep it short: all other threads wait.
    public func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
        try domain.withLock(body)
    }
}

/// The contexts of an open store, which tell each other what they save.
final class ContextRegistry: Sendable {
    private struct Member {
        weak var context: ObjectContext?
    }

    private let members = Mutex<[Member]>([])
    /// Where asynchronous saves prepare and finish: threads on which nobody waits for the turn of one.
    let pool = WorkerPool(label: "trove.context")

    func add(_ context: ObjectContext) {
        let present = members.withLock { members in
            let present = members.compactMap(\.context)
            members = (present + [context]).map { Member(context: $0) }
            return present
        }
        // One that somebody lets go of meanwhile ends without the lock.
        withExtendedLifetime(present) {}
    }

    /// The contexts that are in use.
    var all: [ObjectContext] { members.withLock { members in members.compactMap(\.context) } }

    /// The contexts but this one.
    func others(than context: ObjectContext) -> [ObjectContext] { all.filter { $0 !== context } }
}

extension StoreCore {
    /// The contexts of the store.
    var contexts: ContextRegistry { attachments.attachment { ContextRegistry() } }
}

extension StoreCore {
    /// The models that are classes, by their names.
    var liveModels: [String: any LiveModel.Type] {
        var classes: [String: any LiveModel.Type] = [:]
        for binding in modelBindings {
            if let type = model(named: binding.schema.name) as? any LiveModel.Type { classes[binding.schema.name] = type }
        }
        return classes
    }
}
