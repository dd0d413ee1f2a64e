import CSQLite
import TroveStorage

extension SQLiteWriter {
    func createKeyspace(named name: String) throws -> Keyspace {
        try state.check()
        try state.checkName(name)
        if let keyspace = try keyspace(named: name) { return keyspace }
        let number = try advanceGeneration()
        var name = name
        _ = try name.withUTF8 { bytes in
            try run(.addKeyspace) {
                connection.bind($0, 1, UnsafeRawBufferPointer(bytes))
                sqlite3_bind_int64($0, 2, Int64(number))
            }
        }
        made.append(number)
        return handle(number)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        try check(keyspace)
        let number = keyspace.number
        changeCount &+= 1
        _ = try advanceGeneration()
        if try !hasNoLargeValues(number) {
            try run(.deleteLargeValues) {
                sqlite3_bind_int64($0, 1, Int64(number) << 32)
                sqlite3_bind_int64($0, 2, Int64(number + 1) << 32)
            }
        }
        _ = try deleteEntries(from: KeyPrefix.bytes(number), upTo: KeyPrefix.bytes(number + 1), mayHoldLargeValues: false)
        try run(.removeKeyspace) { sqlite3_bind_int64($0, 1, Int64(number)) }
        dropped.append(number)
        gone.insert(number)
    }

    /// Counts a change of the directory, so that every connection looks names up again, and returns the new number.
    private func advanceGeneration() throws -> UInt32 {
        guard generation < Self.maxKeyspaceNumber else {
            throw StorageError.tooManyKeyspaces(
                .init(
                    engine: SQLiteEngine.name, path: connection.path,
                    message: "the store has created and dropped \(Self.maxKeyspaceNumber) keyspaces; copy it to a new one"))
        }
        generation += 1
        isDirectoryChanged = true
        connection.names.clear()
        try run(.setGeneration) { sqlite3_bind_int64($0, 1, Int64(generation)) }
        return generation
    }
}
