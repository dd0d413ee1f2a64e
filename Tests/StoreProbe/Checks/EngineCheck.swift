import Trove

/// Compares the engine's ways of reading with each other: forward, backward, by cursor, by key, and the counts.
struct EngineCheck {
    private let backend: any StorageBackend

    init(_ backend: any StorageBackend) { self.backend = backend }

    /// What contradicts itself; nil for nothing.
    func run() throws -> String? {
        _ = try backend.statistics()
        return try backend.read { reader in
            for name in try reader.keyspaceNames() {
                guard let keyspace = try reader.keyspace(named: name) else { return "the keyspace \(name) is listed and missing" }
                if let fault = try check(keyspace, reader) { return "\(fault) in \(name)" }
            }
            return nil
        }
    }

    private func check(_ keyspace: Keyspace, _ reader: any StorageReader) throws -> String? {
        let forward = try keys(of: keyspace, reader, .ascending)
        let backward = try keys(of: keyspace, reader, .descending)
        if forward != backward.reversed() { return "\(forward.count) keys forward, \(backward.count) backward" }
        if try reader.count(in: keyspace) != forward.count { return "the count is not that of the keys" }
        for key in forward where try !reader.contains(key, in: keyspace) { return "a key is listed and not found" }
        let cursor = try reader.cursor(in: keyspace)
        var steps = 0
        while try cursor.next() { steps += 1 }
        return steps == forward.count ? nil : "\(forward.count) keys, \(steps) by cursor"
    }

    private func keys(of keyspace: Keyspace, _ reader: any StorageReader, _ order: ScanOrder) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try reader.scan(.all, in: keyspace, order: order) { key, _ in
            keys.append([UInt8](copying: key))
            return .next
        }
        return keys
    }
}
