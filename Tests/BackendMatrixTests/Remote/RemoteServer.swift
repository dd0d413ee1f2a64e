import Synchronization
import TroveMemory
import TroveStorage

/// What a ``RemoteBackend`` is connected to: stores by name, which live until they are destroyed.
final class RemoteServer: Sendable {
    static let shared = RemoteServer()

    /// A store in memory of a name lives as long as a backend on it is open; these are.
    private let stores = Mutex<[String: MemoryBackend]>([:])

    /// Sees to it that there is a store of this name.
    func createStore(_ name: String) {
        stores.withLock { stores in
            if stores[name] == nil { stores[name] = MemoryBackend(name: name) }
        }
    }

    /// Removes the store of this name, if there is one.
    func destroyStore(_ name: String) throws {
        let store = stores.withLock { $0.removeValue(forKey: name) }
        try store?.close()
    }

    /// Makes a store of the contents that `fill` writes.
    ///
    /// - Throws: ``StorageError/destinationExists(_:)``; what `fill` throws, and then there is none.
    func createStore(_ name: String, _ fill: (any StorageWriter) throws -> Void) throws {
        let copy = MemoryBackend(name: name)
        let isNew = stores.withLock { stores in
            if stores[name] != nil { return false }
            stores[name] = copy
            return true
        }
        guard isNew else {
            throw StorageError.destinationExists(.init(engine: RemoteBackend.engine, path: name, message: "there is a store of this name; choose another"))
        }
        do { try copy.write(.durable) { (writer: any StorageWriter) throws -> Void in try fill(writer) } } catch {
            try destroyStore(name)
            throw error
        }
    }

    /// The names of all stores.
    var names: [String] { stores.withLock { $0.keys.sorted() } }
}
