import Synchronization
import Trove

/// The store that models save to and are found in when they are asked themselves: `song.save()`, `Song.find(id)`.
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
/// Each call is a transaction of its own; several changes that belong together go into ``Trove/ObjectStore/write(_:_:)-swift.method`` of the store.
public enum ActiveRecord {
    private static let connected = Mutex<ObjectStore?>(nil)
    @TaskLocal private static var override: ObjectStore?

    /// Makes a store the one that all models use, in place of the one before, which stays open.
    public static func connect(_ store: ObjectStore) {
        connected.withLock { $0 = store }
    }

    /// Leaves models without a store. It is not closed.
    public static func disconnect() {
        connected.withLock { $0 = nil }
    }

    /// The store that models use in this task.
    ///
    /// - Throws: ``ActiveRecordError/notConnected``.
    public static var store: ObjectStore {
        get throws {
            guard let store = override ?? connected.withLock({ $0 }) else { throw ActiveRecordError.notConnected }
            return store
        }
    }

    /// Runs `body` with another store, for this task and those it starts: in tests, which may run side by side.
    public static func using<Result>(_ store: ObjectStore, _ body: () throws -> Result) rethrows -> Result {
        try $override.withValue(store, operation: body)
    }

    /// Runs `body` with another store, for this task and those it starts.
    public static func using<Result>(
        _ store: ObjectStore, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $override.withValue(store, operation: body, isolation: isolation)
    }
}
