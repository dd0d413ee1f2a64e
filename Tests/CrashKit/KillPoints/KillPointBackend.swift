import TroveBackendKit
import TroveStorage
import TroveTesting

/// An engine below which the process can be ended between any two storage operations: between a record and its index entry, between the
/// savepoints of a group, before a commit, and after it before anybody is told.
final class KillPointBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let counter: OperationCounter

    init(_ backend: any StorageBackend, _ counter: OperationCounter) {
        wrappedBackend = backend
        self.counter = counter
    }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability) { (writer: any StorageWriter) throws -> Void in
            counter.count()
            try body(KillPointWriter(writer, counter))
            counter.count()
        }
        counter.count()
    }
}
