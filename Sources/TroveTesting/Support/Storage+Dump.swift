import TroveStorage

extension StorageReader {
    /// Copies of the entries of a range, by a scan.
    func entries(
        _ range: KeyRange = .all, in keyspace: Keyspace, order: ScanOrder = .ascending
    ) throws -> [Entry] {
        var entries: [Entry] = []
        try scan(range, in: keyspace, order: order) { key, value in
            entries.append(Entry([UInt8](copying: key), [UInt8](copying: value)))
            return .next
        }
        return entries
    }

    /// Copies of the keys of a range, by a scan.
    func keys(_ range: KeyRange = .all, in keyspace: Keyspace, order: ScanOrder = .ascending) throws -> [[UInt8]] {
        try entries(range, in: keyspace, order: order).map(\.key)
    }

    /// The entries of the keyspace with this name; nil when there is none.
    func entries(named name: String) throws -> [Entry]? {
        try keyspace(named: name).map { try entries(in: $0) }
    }

    /// Every keyspace with its entries, by name.
    func everything() throws -> [String: [Entry]] {
        var everything: [String: [Entry]] = [:]
        for name in try keyspaceNames() { everything[name] = try entries(named: name) }
        return everything
    }
}

extension StorageCursor {
    /// A copy of the key the cursor is at, or nil.
    func key() throws -> [UInt8]? { try entry()?.key }

    /// Seeks `key` and returns a copy of the key the cursor came to, or nil.
    func seeking(_ key: [UInt8]) throws -> [UInt8]? { try seek(to: key.span.bytes) ? self.key() : nil }

    /// Steps up and returns a copy of the key the cursor came to, or nil.
    func steppingUp() throws -> [UInt8]? { try next() ? key() : nil }

    /// Steps down and returns a copy of the key the cursor came to, or nil.
    func steppingDown() throws -> [UInt8]? { try previous() ? key() : nil }
}

extension StorageBackend {
    /// Adds entries to the keyspace with this name in one transaction, creating it when there is none.
    func fill(_ entries: [Entry], in name: String = "data", durability: Durability = .buffered) throws {
        try write(durability) { writer in
            let keyspace = try writer.createKeyspace(named: name)
            for entry in entries { try writer.put(entry.key, entry.value, in: keyspace) }
        }
    }

    /// The entries of the keyspace with this name in a read transaction of its own; nil when there is none.
    func entries(named name: String = "data") throws -> [Entry]? {
        try read { reader in try reader.entries(named: name) }
    }

    /// Runs `body` in a write transaction with a keyspace named `data`, created when there is none.
    @discardableResult
    func writing<Result>(_ body: (any StorageWriter, Keyspace) throws -> Result) throws -> Result {
        try write(.buffered) { writer in try body(writer, writer.createKeyspace(named: "data")) }
    }

    /// Runs `body` in a read transaction with the keyspace named `data`.
    func reading<Result>(_ body: (any StorageReader, Keyspace) throws -> Result) throws -> Result {
        try read { reader in
            guard let keyspace = try reader.keyspace(named: "data") else { throw MissingKeyspace() }
            return try body(reader, keyspace)
        }
    }
}
