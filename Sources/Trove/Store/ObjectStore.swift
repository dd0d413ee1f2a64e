import Foundation
import Synchronization
import TroveBackendKit

/// A store of objects on one engine.
///
/// ```swift
/// let store = try ObjectStore(SQLiteBackend(path: "music.db"), models: Song.self, Album.self)
/// try store.save(Song(artist: "Bill Evans", title: "Autumn Leaves", year: 1959, rating: nil))
/// let songs = try store.fetch(Song.self).all()
/// ```
///
/// Methods that take time have a synchronous form, which runs on the calling thread, and an asynchronous one of the same name, which never blocks Swift's
/// cooperative threads: reads run on a few reader threads, and writes on one writer thread, which commits the waiting ones together (see
/// ``write(_:_:)``). `docs/concurrency.md` names the few that have the synchronous form alone, as what calls a closure for each of many.
///
/// A store may be used from any thread and task.
public final class ObjectStore: Sendable {
    let core: StoreCore
    let writeQueue: WriteQueue
    var readPool: WorkerPool { core.readPool }
    /// One thread for what takes long, so that it keeps neither readers nor writers waiting for a thread.
    let maintenanceQueue = WorkerPool(1, label: "trove.maintenance")
    /// The durability of changes that name none.
    public let durability: Durability

    /// Opens the store in `backend`, or creates one when it is empty.
    ///
    /// Indexes that the models declare and the store lacks are built, those of these models that are no longer declared removed; see
    /// `docs/indexes.md`. Models whose fields have changed since records were written are checked before anything is read or written:
    /// see `docs/evolution.md` for what may change. When a check fails the store is as it was.
    ///
    /// - Parameters:
    ///   - backend: the open engine. The store closes it.
    ///   - access: whether objects may be changed.
    ///   - durability: what a commit survives unless the call says otherwise.
    ///   - author: who makes the changes, for the store's history, where neither ``WriteTransaction/author`` nor ``ContextOptions/author`` says it.
    ///   - fieldKeys: the keys of encrypted properties, `FieldKeys` of `TroveCrypto`; nil when no model has any. See `docs/encrypted-properties.md`.
    ///   - scanThreads: how many threads may work on a scan of many records, that of the caller among them; nil for as many as the machine has cores, 1 for
    ///     the caller's alone; never more than four for each core. See `docs/concurrency.md`.
    ///   - observesOtherProcesses: whether observers and contexts hear of commits of other processes.
    ///   - indexing: when indexes are built that are not ready.
    ///   - indexingProgress: called after each batch of building before opening, with the records read; when it throws, opening fails with its
    ///     error, and the next opening goes on from there.
    ///   - models: every model the program uses with this store.
    /// - Throws: ``TroveError`` when the models do not fit the store, encrypted properties have no keys, the engine's data is no Trove store, or an index
    ///   cannot be built; ``StorageError`` when the engine fails; ``StorageError/noSuchStore(_:)`` when there is no store
    ///   and `access` is ``StoreAccess/readOnly``; ``StorageError/readOnly(_:)`` or ``StorageError/permissionDenied(_:)`` when the backend can only read
    ///   and `access` is ``StoreAccess/readWrite``.
    public convenience init(
        _ backend: any StorageBackend, access: StoreAccess = .readWrite, durability: Durability = .durable, author: String? = nil,
        fieldKeys: (any FieldKeyring)? = nil, scanThreads: Int? = nil, observesOtherProcesses: OtherProcessObservation = .never,
        indexing: IndexingPolicy = .beforeOpening, indexingProgress: (StoreProgress) throws -> Void = { _ in },
        models: any Model.Type...
    ) throws {
        try self.init(
            backend, access: access, durability: durability, author: author, fieldKeys: fieldKeys, scanThreads: scanThreads,
            observesOtherProcesses: observesOtherProcesses, indexing: indexing, indexingProgress: indexingProgress, models: models)
    }

    /// Opens the store in `backend` with a list of models, or creates one when it is empty.
    public init(
        _ backend: any StorageBackend, access: StoreAccess = .readWrite, durability: Durability = .durable, author: String? = nil,
        fieldKeys: (any FieldKeyring)? = nil, scanThreads: Int? = nil, observesOtherProcesses: OtherProcessObservation = .never,
        indexing: IndexingPolicy = .beforeOpening, indexingProgress: (StoreProgress) throws -> Void = { _ in },
        models: [any Model.Type]
    ) throws {
        if access == .readWrite, let refusal = backend.writeRefusal { throw refusal }
        let backend = access == .readOnly ? ReadOnlyBackend(backend) : backend
        core = try StoreCore(
            backend, mayCreate: access != .readOnly, author: author, fieldKeys: fieldKeys, scanThreads: scanThreads,
            looksForOthersEvery: observesOtherProcesses.interval, following: RelationshipFollowing(), models: models)
        writeQueue = WriteQueue(core)
        self.durability = durability
        core.owner.store = self
        let needsWork = try core.read { try $0.indexTable.needsWork }
        switch indexing {
        case .beforeOpening:
            do {
                if needsWork { try buildIndexes(progress: indexingProgress) }
            } catch TroveError.tooManyPaths {
                // Without the index of a collection's paths only its queries take longer.
            } catch TroveError.decodingFailed(let model, let field, let id, let reason) {
                // To change or delete the object takes an open store.
                let advice = " (the store does not open since an index needs the value; open it with indexing: .onRequest)"
                throw TroveError.decodingFailed(model: model, field: field, id: id, reason: reason + advice)
            }
        case .inBackground:
            core.backgroundIndexing.allow(durability)
            if needsWork { core.backgroundIndexing.start(core) }
        case .onRequest: break
        }
    }

    deinit { core.backgroundIndexing.stop() }

    /// The error that ended the building of indexes in the background, such as
    /// ``TroveError/uniqueViolation(model:index:values:id:otherID:)``; nil when there was none.
    public var indexingError: (any Error)? { core.backgroundIndexing.error }

    /// The features and limits of the engine.
    public var capabilities: StorageCapabilities { core.backend.capabilities }

    /// The keys of encrypted properties that the store was opened with; nil when it was opened without.
    public var fieldKeys: (any FieldKeyring)? { core.sealing?.keyring }

    /// The engine's file, or a name such as `:memory:`.
    public var path: String { core.backend.path }

    /// Whether this object closed the store.
    public var isClosed: Bool { core.isClosed.load(ordering: .acquiring) }

    /// The UUID that identifies the store. A copy has its original's.
    public var identity: UUID { core.header.identity }

    /// The number of the store's format; `docs/format.md` draws it.
    public var format: Int { core.header.format }
}

/// The store that a core belongs to, without keeping it alive: for what is made in a transaction and outlives it.
final class StoreOwner: Sendable {
    private struct Reference: Sendable {
        weak var store: ObjectStore?
    }

    private let reference = Mutex(Reference())

    /// The store; nil when it is gone, or while it is being opened.
    var store: ObjectStore? {
        get { reference.withLock { $0.store } }
        set { reference.withLock { $0.store = newValue } }
    }
}

extension StoreCore {
    /// The store that the core belongs to.
    var owner: StoreOwner { attachments.attachment { StoreOwner() } }
}

extension ObjectStore {
    /// The clock that saves take their dates from, for properties with ``AttributeOption/creationDate`` and
    /// ``AttributeOption/modificationDate``; the system's unless another is set.
    ///
    /// ```swift
    /// store.clock = { Date(timeIntervalSince1970: 1_700_000_000) }        // in a test
    /// ```
    ///
    /// It is asked once for each transaction and each save of a context, whose objects all get one date. It must not use the store.
    public var clock: @Sendable () -> Date {
        get { core.clock.tell }
        set { core.clock.tell = newValue }
    }
}

extension ObjectStore {
    /// The delegate that is told of each change of the store's objects, and asked before it; nil for none.
    ///
    /// The store holds it until it gets another, so it must not hold the store.
    ///
    /// A transaction that runs keeps to the delegate there was when it began. Changes that other processes or other open
    /// stores on the same file make are not told, whatever ``OtherProcessObservation`` says.
    public var delegate: (any StoreDelegate)? {
        get { core.audience.delegate }
        set { core.audience.delegate = newValue }
    }

    /// Adds a delegate beside ``delegate``, which stays; one that is there already is not added again.
    ///
    /// ```swift
    /// store.addDelegate(auditor)
    /// store.addDelegate(quota)
    /// ```
    ///
    /// Each change is told to ``delegate`` first, then to those that were added, in their order. The first of them that refuses a change ends it: those behind
    /// it are not asked. One that is ``delegate`` too is told once, and stays when another takes that place. The store holds them until
    /// ``removeDelegate(_:)``, so they must not hold the store.
    ///
    /// Whoever only wants to know what was committed reads ``commits(bufferLimit:)``, which has the order of the commits.
    public func addDelegate(_ delegate: any StoreDelegate) { core.audience.add(delegate) }

    /// Removes a delegate, whether it was added or is ``delegate``; one that the store does not have is passed over. A transaction that runs still tells it.
    public func removeDelegate(_ delegate: any StoreDelegate) { core.audience.remove(delegate) }
}

/// The access to an open store.
public enum StoreAccess: Sendable, Hashable {
    /// Reading and writing.
    case readWrite
    /// Reading only: whatever would write throws ``StorageError/readOnly(_:)``, opening among it when the models ask for
    /// something that the store does not have, as an index. Where there is no store, opening throws ``StorageError/noSuchStore(_:)``.
    ///
    /// A file that cannot be written is opened so by the engine too, which then changes nothing. Of one that can be, the engine may write to files of its own
    /// beside the store's, and make an empty file before the store is looked for; `isReadOnly` of its options says that it must not.
    case readOnly
}

/// A backend that refuses to write.
final class ReadOnlyBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    var writeRefusal: StorageError? { refusal }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws { throw refusal }

    func compact() throws { throw refusal }

    private var refusal: StorageError {
        .readOnly(
            .init(
                engine: wrappedBackend.capabilities.engine, path: wrappedBackend.path,
                message: "the store was opened for reading only; open it with access: .readWrite, also when models or indexes are new to it"))
    }
}
