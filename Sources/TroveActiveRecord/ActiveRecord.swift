import Synchronization
import Trove

/// The store in which models are saved and found by their own methods: `song.save()`, `Song.find(id)`.
///
/// ```swift
/// import TroveActiveRecord
/// import TroveSQLite
///
/// @ActiveRecord @Model
/// struct Song {
///     var title: String
///     var year: Int
/// }
///
/// ActiveRecord.connect(try ObjectStore(SQLiteBackend(path: "music.db"), models: Song.self))
/// var song = Song(title: "So What", year: 1959)
/// try song.save()
/// let again = try Song.find(song.id)
/// let early = try Song.find.byYear(1959)
/// let late = try Song.where { $0.year > 1990 }.sorted(by: \.year).all()
/// ```
///
/// It suits programs with one store: tools, scripts, small servers. Everything it does goes through ``store``, so it mixes with calls of the store itself.
/// Each call is a transaction of its own; several changes that belong together go into ``ObjectStore/write(_:_:)`` of the store. Without a store each call
/// throws ``ActiveRecordError/notConnected``; otherwise it throws what the call of the store, or of ``context``, throws for which it stands.
public enum ActiveRecord {
    /// A store and the context in which its live objects are.
    private final class Connection: Sendable {
        let store: ObjectStore
        let context: ObjectContext

        init(_ store: ObjectStore) {
            self.store = store
            context = ObjectContext(store)
        }
    }

    private static let connected = Mutex<Connection?>(nil)
    /// That of ``using(_:_:)``, which the store's threads have too while they work for the task.
    private static var override: Connection? { Ambient.value as? Connection }

    /// Connects all models to a store in place of the former one, which stays open.
    public static func connect(_ store: ObjectStore) { replaceConnected(by: Connection(store)) }

    /// Disconnects the models from their store. It is not closed.
    public static func disconnect() { replaceConnected(by: nil) }

    private static func replaceConnected(by new: Connection?) {
        let former = connected.withLock { connection in
            defer { connection = new }
            return connection
        }
        // Its objects end without the lock: the deinit of one may ask for the store.
        withExtendedLifetime(former) {}
    }

    /// The store that models use in this task.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``.
    public static var store: ObjectStore {
        get throws { try connection.store }
    }

    /// The context in which live objects of ``store`` are found and saved.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``.
    public static var context: ObjectContext {
        get throws { try connection.context }
    }

    private static var connection: Connection {
        get throws {
            guard let connection = override ?? connected.withLock({ $0 }) else { throw ActiveRecordError.notConnected }
            return connection
        }
    }

    /// Runs `body` with another store, in this task and the tasks that it starts, in closures and hooks that a store calls for them too: in tests, which may
    /// run side by side.
    ///
    /// A `StoreDelegate.didCommit` after a commit that asynchronous writes of several tasks share is called for none of them.
    public static func using<Result>(_ store: ObjectStore, _ body: () throws -> Result) rethrows -> Result {
        try Ambient.$value.withValue(Connection(store), operation: body)
    }

    /// Runs `body` with another store, in this task and the tasks that it starts, in closures and hooks that a store calls for them too,
    /// but for a `StoreDelegate.didCommit` that tells of several tasks.
    public static func using<Result>(
        _ store: ObjectStore, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Ambient.$value.withValue(Connection(store), operation: body, isolation: isolation)
    }
}
