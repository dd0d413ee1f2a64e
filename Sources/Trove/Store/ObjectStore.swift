import Foundation

/// A store of objects on one engine.
///
/// ```swift
/// let store = try ObjectStore(SQLiteBackend(path: "music.db"), models: Song.self, Album.self)
/// try store.save(Song(artist: "Bill Evans", title: "Autumn Leaves", year: 1959, rating: nil))
/// let songs = try store.fetch(Song.self).all()
/// ```
///
/// Every method has a synchronous form, which runs on the calling thread, and an asynchronous one of the same
/// name, which never blocks Swift's cooperative threads: reads run on a few reader threads, and writes on one writer
/// thread, which commits the waiting ones together (see ``write(_:_:)-swift.method``).
///
/// A store may be used from any thread and task.
public final class ObjectStore: Sendable {
    let core: StoreCore
    let writeQueue: WriteQueue
    let readPool = ReadPool()
    /// The durability of changes that name none.
    public let durability: Durability

    /// Opens the store in `backend`, or makes one when it is empty.
    ///
    /// Models whose fields have changed since records were written are checked before anything is read or written:
    /// see `docs/evolution.md` for what may change. When a check fails the store is as it was.
    ///
    /// - Parameters:
    ///   - backend: the open engine. The store closes it.
    ///   - durability: what a commit survives unless the call says otherwise.
    ///   - models: every model the program uses with this store.
    /// - Throws: ``TroveError`` when the models do not fit the store, or the engine's data is no Trove store;
    ///   ``StorageError`` when the engine fails.
    public init(
        _ backend: any StorageBackend, durability: Durability = .durable, models: any Model.Type...
    ) throws {
        core = try StoreCore(backend, models: models)
        writeQueue = WriteQueue(core)
        self.durability = durability
    }

    /// What the engine does and what its limits are.
    public var capabilities: StorageCapabilities { core.backend.capabilities }

    /// The engine's file, or a name such as `:memory:`.
    public var path: String { core.backend.path }

    /// Tells this store from others. A copy has its original's.
    public var identity: UUID { core.header.identity }
}
