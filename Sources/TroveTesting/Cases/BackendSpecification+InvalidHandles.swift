import TroveStorage

/// What handles and cursors of keyspaces that are gone are good for.
extension BackendSpecification {
    /// Checks that every way of using the handle throws invalidKeyspace.
    static func checkIsInvalid(
        _ handle: Keyspace, in writer: any StorageWriter, _ run: SpecificationRun, file: String = #fileID, line: Int = #line
    ) throws {
        let key: [UInt8] = [1]
        let uses: [(String, () throws -> Void)] = [
            ("get", { _ = try writer.get(key.span.bytes, in: handle) { _ in } }),
            ("getMany", { try writer.getMany([key], in: handle) { _, _ in } }),
            ("scan", { try writer.scan(in: handle) { _, _ in .next } }),
            ("cursor", { _ = try writer.cursor(in: handle).next() }),
            ("count", { _ = try writer.count(in: handle) }),
            ("put", { try writer.put(key, key, in: handle) }),
            ("insert", { _ = try writer.insert(key, key, in: handle) }),
            ("scan(expecting:)", { try writer.scan(.all, in: handle, order: .descending, expecting: 1) { _, _ in .next } }),
            ("scanKeys", { try writer.scanKeys(in: handle) { _ in .next } }),
            ("count(of:)", { _ = try writer.count(of: KeyRange(from: key), in: handle) }),
            ("remove", { try writer.remove(key, in: handle) }),
            ("delete", { try writer.delete(key, in: handle) }),
            ("deleteRange", { try writer.deleteRange(.all, in: handle) }),
            ("dropKeyspace", { try writer.dropKeyspace(handle) }),
        ]
        for (name, use) in uses {
            try run.fails(with: StorageError.invalidKeyspace, "\(name) with an invalid handle", file: file, line: line, use)
        }
        // A hint may be passed over.
        do { try writer.prefetch([key], in: handle) } catch StorageError.invalidKeyspace {}
    }

    /// Checks that every method of the cursor throws invalidKeyspace.
    static func checkIsInvalid(
        _ cursor: any StorageCursor, _ what: String, _ run: SpecificationRun, file: String = #fileID, line: Int = #line
    ) throws {
        let uses: [(String, () throws -> Void)] = [
            ("withEntry", { _ = try cursor.withEntry { _, _ in } }),
            ("next", { _ = try cursor.next() }),
            ("previous", { _ = try cursor.previous() }),
            ("seek", { _ = try cursor.seek(to: [1]) }),
            ("seekToFirst", { _ = try cursor.seekToFirst() }),
            ("seekToLast", { _ = try cursor.seekToLast() }),
            ("withEntry after the moves", { _ = try cursor.withEntry { _, _ in } }),
        ]
        for (name, use) in uses {
            try run.fails(with: StorageError.invalidKeyspace, "\(name) of a cursor \(what)", file: file, line: line, use)
        }
    }
}
