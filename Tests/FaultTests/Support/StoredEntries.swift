import TestSupport
import Trove

/// Every entry of every keyspace of a store, as the engine has it.
struct StoredEntries: Equatable {
    private var keyspaces: [String: [[UInt8]]] = [:]

    /// Nothing: a store that was never opened.
    init() {}

    /// What is in a store now.
    init(of backend: any StorageBackend) throws {
        keyspaces = try backend.read { (reader: any StorageReader) -> [String: [[UInt8]]] in
            var keyspaces: [String: [[UInt8]]] = [:]
            for name in try reader.keyspaceNames() {
                guard let keyspace = try reader.keyspace(named: name) else { continue }
                var entries: [[UInt8]] = []
                try reader.scan(in: keyspace) { key, value in
                    entries.append([UInt8](copying: key))
                    entries.append([UInt8](copying: value))
                    return .next
                }
                keyspaces[name] = entries
            }
            return keyspaces
        }
    }

    /// Whether there is no keyspace.
    var isEmpty: Bool { keyspaces.isEmpty }

    /// Puts it all into an empty store.
    func write(to backend: any StorageBackend) throws {
        try backend.write(.relaxed) { writer in
            for (name, entries) in keyspaces {
                let keyspace = try writer.createKeyspace(named: name)
                for position in stride(from: 0, to: entries.count, by: 2) {
                    try writer.put(entries[position], entries[position + 1], in: keyspace)
                }
            }
        }
    }
}
