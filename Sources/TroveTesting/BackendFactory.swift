import TroveStorage

/// How to open stores of one engine, for ``BackendSpecification``.
///
/// ```swift
/// let sqlite = BackendFactory(name: "SQLite") { path in try SQLiteBackend(path: path) }
/// ```
public struct BackendFactory: Sendable, CustomStringConvertible {
    /// The engine's name, as test reports print it.
    public let name: String

    /// Whether a store survives closing and opening again; false in memory.
    public let isPersistent: Bool

    /// Opens the store at `path`, created when there is none. An engine without files uses the path as a name.
    public let open: @Sendable (_ path: String) throws -> any StorageBackend

    /// Opens the store at `path` so that a writer waits for another one at most for `timeout`; nil when the
    /// engine's initializer has no such argument, and then the case about the timeout fails.
    public let openWithTimeout: (@Sendable (_ path: String, _ timeout: Duration) throws -> any StorageBackend)?

    /// Describes how to open stores of one engine.
    public init(
        name: String, isPersistent: Bool = true,
        openWithTimeout: (@Sendable (_ path: String, _ timeout: Duration) throws -> any StorageBackend)? = nil,
        open: @escaping @Sendable (_ path: String) throws -> any StorageBackend
    ) {
        self.name = name
        self.isPersistent = isPersistent
        self.openWithTimeout = openWithTimeout
        self.open = open
    }

    public var description: String { name }
}
