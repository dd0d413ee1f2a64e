/// Access to features of an engine beyond the contract inside a transaction, such as SQL on SQLite.
///
/// A backend's module has a type that conforms. Whoever imports that module reaches it by `transaction.engine(SQLiteConnection.self)`; other stores throw
/// ``StorageError/unsupported(_:)``.
public protocol EngineAccess {
    /// The engine's name, for the error on other engines.
    static var engineName: String { get }

    /// Access to the engine's side of a transaction; nil when the reader belongs to another engine, or wraps this one, as an encrypted store's does.
    init?(_ reader: any StorageReader)
}
