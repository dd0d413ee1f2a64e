import TroveStorage

/// A backend that forwards every call to another one; see ``ForwardingReader``.
public protocol ForwardingBackend: StorageBackend {
    /// The backend that does the work.
    var wrappedBackend: any StorageBackend { get }
}

extension ForwardingBackend {
    public var capabilities: StorageCapabilities { wrappedBackend.capabilities }

    public var path: String { wrappedBackend.path }

    /// That of the wrapped backend: both stand for one store.
    public var sharedEngine: any AnyObject & Sendable { wrappedBackend.sharedEngine }

    /// That of the wrapped backend.
    public var tokenSealer: (any TokenSealer)? { wrappedBackend.tokenSealer }

    /// That of the wrapped backend.
    public var writeRefusal: StorageError? { wrappedBackend.writeRefusal }

    public func read(_ body: (any StorageReader) throws -> Void) throws { try wrappedBackend.read(body) }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability, body)
    }

    public func synchronize() throws { try wrappedBackend.synchronize() }

    public func backUp(to destination: String) throws { try wrappedBackend.backUp(to: destination) }

    public func compact() throws { try wrappedBackend.compact() }

    /// Lets the wrapped backend check itself.
    public func checkStructure() throws { try wrappedBackend.checkStructure() }

    public func statistics() throws -> StorageStatistics { try wrappedBackend.statistics() }

    public func close() throws { try wrappedBackend.close() }
}
