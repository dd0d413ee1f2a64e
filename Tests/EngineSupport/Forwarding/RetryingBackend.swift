import TroveBackendKit
import TroveStorage

/// An engine whose write bodies run twice, as those of one across a network may after a conflict: nothing of the first time stays.
public final class RetryingBackend: ForwardingBackend {
    private struct Conflict: Error {}

    public let wrappedBackend: any StorageBackend

    public init(_ backend: any StorageBackend) { wrappedBackend = backend }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        do {
            try wrappedBackend.write(durability) { writer in
                try body(writer)
                throw Conflict()
            }
        } catch is Conflict {
            try wrappedBackend.write(durability, body)
        }
    }
}
