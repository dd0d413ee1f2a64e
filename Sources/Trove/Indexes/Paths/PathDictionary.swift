/// The keyspace in which the numbers of the paths of every index of all paths are kept.
enum PathDictionary {
    static let keyspaceName = "$paths"

    /// The index's number and the path's, both big-endian.
    private static func key(_ index: Int, _ path: UInt32) -> [UInt8] {
        prefix(index) + withUnsafeBytes(of: path.bigEndian) { [UInt8]($0) }
    }

    private static func prefix(_ index: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: index).bigEndian) { [UInt8]($0) }
    }

    /// What checksums of an entry begin with.
    static func entryName(_ key: [UInt8]) -> String { keyspaceName + StoredRecord.text(of: key) }

    /// An entry: the path's number, its parent's, and its last name; nil where it leads to elements.
    static func decode(_ key: [UInt8], _ value: [UInt8]) throws -> (path: UInt32, parent: UInt32, name: [UInt8]?) {
        let name = entryName(key)
        let stored = try CatalogueEntry.decode(value, name: name)
        let damage = TroveError.corruptCatalogue(entry: name, reason: "it is not a path")
        guard key.count == 8, case .array(let parts) = stored, parts.count == 2, case .int(let parent) = parts[0], let parent = UInt32(exactly: parent)
        else { throw damage }
        let path = key[4...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard parent < path else { throw damage }
        switch parts[1] {
        case .null: return (path, parent, nil)
        case .string(let text): return (path, parent, Array(text.utf8))
        default: throw damage
        }
    }

    /// Reads the paths that the table does not have.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    static func load(_ table: inout PathTable, of index: Int, _ reader: any StorageReader) throws {
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return }
        let range = KeyRange(from: key(index, UInt32(table.count)), upTo: KeyRange.prefix(prefix(index)).upper)
        try reader.scan(range, in: keyspace) { key, value in
            let key = [UInt8](copying: key)
            let entry = try decode(key, [UInt8](copying: value))
            guard entry.path == UInt32(table.count), table.count < PathTable.limit else {
                throw TroveError.corruptCatalogue(entry: entryName(key), reason: "the paths before it are not all there; rebuild the collection's index")
            }
            guard table.depth(of: entry.parent) < NestedTag.maxDepth else {
                throw TroveError.corruptCatalogue(
                    entry: entryName(key), reason: "it is deeper than \(NestedTag.maxDepth) levels, as no document is; rebuild the collection's index")
            }
            _ = (entry.name ?? []).withUnsafeBytes { table.add(entry.parent, $0, isElement: entry.name == nil) }
            return .next
        }
    }

    /// Writes the paths of a table from one number on.
    static func write(_ table: PathTable, from start: Int, of index: Int, _ writer: any StorageWriter) throws {
        guard start < table.count else { return }
        let keyspace = try writer.createKeyspace(named: keyspaceName)
        for path in UInt32(start)..<UInt32(table.count) {
            let key = key(index, path)
            let name: StoredValue = table.isElement(path) ? .null : .string(String(decoding: table.name(of: path), as: UTF8.self))
            let value = StoredValue.array([.int(Int64(table.parent(of: path))), name])
            try writer.put(key, CatalogueEntry.encode(value, name: entryName(key)), in: keyspace)
        }
    }

    /// Removes all paths of an index that is no more.
    static func removeAll(of index: Int, _ writer: any StorageWriter) throws {
        guard let keyspace = try writer.keyspace(named: keyspaceName) else { return }
        try writer.deleteRange(.prefix(prefix(index)), in: keyspace)
    }
}
