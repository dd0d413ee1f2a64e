import Trove

/// Compares the engine's ways of reading with each other: forward, backward, by cursor, by key, and the counts.
struct EngineCheck {
    private let backend: any StorageBackend

    init(_ backend: any StorageBackend) { self.backend = backend }

    func run() throws {
        _ = try backend.statistics()
        try backend.read { reader in
            for name in try reader.keyspaceNames() {
                guard let keyspace = try reader.keyspace(named: name) else { throw Difference.missing("the keyspace \(name), which is listed") }
                try check(keyspace, name, reader)
            }
        }
    }

    private func check(_ keyspace: Keyspace, _ name: String, _ reader: any StorageReader) throws {
        let forward = try keys(of: keyspace, reader, .ascending)
        let backward = try keys(of: keyspace, reader, .descending)
        let count = try reader.count(in: keyspace)
        let cursor = try reader.cursor(in: keyspace)
        var steps = 0
        while try cursor.next() { steps += 1 }
        let isSame = forward == backward.reversed() && count == forward.count && steps == forward.count
        let findsAll = try forward.allSatisfy { try reader.contains($0, in: keyspace) }
        if isSame && findsAll { return }
        throw Difference.missing(
            "some of \(name): \(forward.count) keys forward, \(backward.count) backward, \(steps) by cursor, counted \(count), all found: \(findsAll)")
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
