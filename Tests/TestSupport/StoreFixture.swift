// Whoever tests with stores needs the engines too.
@_exported import EngineSupport
import Trove

/// A store on one engine in a directory of its own, which can be closed and opened again.
///
/// The store is closed and the directory removed when the fixture is released: keep the fixture in a variable for as long as the store is used. `try fixture(engine).store` is a store that is closed
/// already, and throws that it is.
///
/// ```swift
/// let fixture = try fixture(engine)
/// defer { withExtendedLifetime(fixture) {} }
/// let store = fixture.store
/// ```
public final class StoreFixture {
    public let engine: Engine
    public let directory: TemporaryDirectory
    /// The open store. It is open for as long as the fixture lives.
    public private(set) var store: ObjectStore
    private let reopen: (any StorageBackend) throws -> ObjectStore
    /// Keeps a store in memory alive between closing and opening.
    private let anchor: (any StorageBackend)?
    private let timeout: Duration?

    /// Opens a fresh store; `open` names the models.
    ///
    /// - Parameter timeout: how long the engine waits for another writer; nil for its own. A test in which somebody waits in vain names a short one.
    public init(_ engine: Engine, timeout: Duration? = nil, _ open: @escaping (any StorageBackend) throws -> ObjectStore) throws {
        self.engine = engine
        self.timeout = timeout
        directory = try TemporaryDirectory()
        anchor = engine == .memory ? try engine.open(directory.file()) : nil
        reopen = open
        store = try open(engine.open(directory.file(), waiting: timeout))
    }

    /// Opens a fresh store whose calls of its engine are counted; `open` names the models.
    public static func counting(
        _ engine: Engine, _ open: @escaping (any StorageBackend) throws -> ObjectStore
    ) throws -> (fixture: StoreFixture, backend: CallCountingBackend) {
        var counting: CallCountingBackend?
        let fixture = try StoreFixture(engine) {
            let backend = CallCountingBackend($0)
            counting = backend
            return try open(backend)
        }
        return (fixture, counting!)
    }

    /// Closes the store and opens it again.
    public func reopenStore() throws {
        try store.close()
        store = try reopen(engine.open(directory.file(), waiting: timeout))
    }

    /// Closes the store and opens it again with other models.
    public func reopenStore(_ open: (any StorageBackend) throws -> ObjectStore) throws {
        try store.close()
        let backend = try engine.open(directory.file(), waiting: timeout)
        do {
            store = try open(backend)
        } catch {
            try backend.close()
            throw error
        }
    }

    deinit {
        do {
            try store.close()
            try anchor?.close()
        } catch {
            print("could not close \(engine): \(error)")
        }
    }
}

extension Engine {
    fileprivate func open(_ path: String, waiting timeout: Duration?) throws -> any StorageBackend {
        try timeout.map { try open(path, timeout: $0) } ?? open(path)
    }
}
