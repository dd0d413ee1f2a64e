/// What an engine offers inside a transaction beyond the contract, as SQL on SQLite.
///
/// A backend's module has a type that conforms. Whoever imports that module reaches it by `transaction.engine(SQLiteConnection.self)`; other stores throw
/// ``StorageError/unsupported(_:)``.
public protocol EngineAccess {
    /// The engine's name, for the error that another one throws.
    static var engineName: String { get }

    /// Access to the engine's side of a transaction; nil when the reader is another engine's, or one that stands before this engine's, as an encrypted store's does.
    init?(_ reader: any StorageReader)
}
