import Synchronization
import TroveBackendKit
import TroveStorage

/// An engine in which something else happens once before a write begins.
public final class InterveningBackend: ForwardingBackend {
    public let wrappedBackend: any StorageBackend
    private let intervention = Mutex<(minimum: Durability, body: @Sendable () throws -> Void)?>(nil)

    public init(_ backend: any StorageBackend) { wrappedBackend = backend }

    /// Runs `body` before the next write of at least a durability: what is written `.relaxed` may only be tried.
    public func intervene(beforeWriteOf minimum: Durability = .relaxed, _ body: @escaping @Sendable () throws -> Void) {
        intervention.withLock { $0 = (minimum, body) }
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        let due = intervention.withLock { next -> (@Sendable () throws -> Void)? in
            guard let minimum = next?.minimum, durability >= minimum else { return nil }
            return next.take()?.body
        }
        try due?()
        try wrappedBackend.write(durability, body)
    }
}
