import TroveBackendKit
import TroveStorage

/// An engine below which the process can be ended between any two storage operations: between a record and its index entry, between the
/// savepoints of a group, before a commit, and after it before anybody is told.
public final class KillPointBackend: ForwardingBackend {
    public let wrappedBackend: any StorageBackend
    private let note: @Sendable () -> Void

    /// - Parameter note: called at each operation that changes the store, and before and behind each commit.
    public init(_ backend: any StorageBackend, _ note: @escaping @Sendable () -> Void) {
        wrappedBackend = backend
        self.note = note
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability) { (writer: any StorageWriter) throws -> Void in
            note()
            try body(KillPointWriter(writer, note))
            note()
        }
        note()
    }
}
