/// The catalogue's entries about indexes, and the one that tells whether they have changed.
///
/// Every change of an index's entry gives the directory a new random stamp. So a transaction that finds the stamp its store has seen last
/// knows all indexes of its snapshot after one look-up, whichever process changed what meanwhile, and whatever was rolled back.
struct IndexDirectory {
    static let name = "indexes"
    private static let key = Array(name.utf8)

    /// Different after each change.
    var stamp: UInt64
    /// The number of the next new index.
    var nextNumber: Int

    func encode() throws -> [UInt8] {
        try CatalogueEntry.encode(
            .object(["stamp": .int(Int64(bitPattern: stamp)), "next": .int(Int64(nextNumber))]), name: Self.name)
    }

    init(stamp: UInt64, nextNumber: Int) {
        self.stamp = stamp
        self.nextNumber = nextNumber
    }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ bytes: [UInt8]) throws {
        let value = try CatalogueEntry.decode(bytes, name: Self.name)
        guard case .int(let stamp) = value.value(at: "stamp"), case .int(let stored) = value.value(at: "next") else {
            throw TroveError.corruptCatalogue(entry: Self.name, reason: "a part is missing")
        }
        guard let next = Int(exactly: stored), (1...IndexCatalogueEntry.maxNumber + 1).contains(next) else {
            throw TroveError.corruptCatalogue(entry: Self.name, reason: "\(stored) is no number of an index")
        }
        self.init(stamp: UInt64(bitPattern: stamp), nextNumber: next)
    }

    /// The number of a new index.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)`` when there are none left.
    mutating func takeNumber() throws -> Int {
        guard nextNumber <= IndexCatalogueEntry.maxNumber else {
            throw TroveError.corruptCatalogue(entry: Self.name, reason: "all numbers of indexes are used up")
        }
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// The directory's entry as it is stored; nil while the store has never had an index.
    static func read(_ reader: any StorageReader) throws -> [UInt8]? {
        guard let keyspace = try reader.keyspace(named: Catalogue.keyspaceName) else { return nil }
        return try reader.value(of: key, in: keyspace)
    }

    /// Whether the directory's entry is still this one.
    static func isStill(_ directory: [UInt8]?, _ reader: any StorageReader) throws -> Bool {
        guard let keyspace = try reader.keyspace(named: Catalogue.keyspaceName) else { return directory == nil }
        var isSame = false
        let isFound = try reader.get(key.span.bytes, in: keyspace) { stored in
            isSame = directory.map { stored.compare(to: $0[...]) == 0 } ?? false
        }
        return isFound ? isSame : directory == nil
    }

    /// Announces that the directory's entry is about to be read.
    static func announce(to reader: any StorageReader) throws {
        guard let keyspace = try reader.keyspace(named: Catalogue.keyspaceName) else { return }
        try reader.prefetch([key], in: keyspace)
    }

    /// The entries about all indexes, by number.
    static func entries(_ reader: any StorageReader) throws -> [IndexCatalogueEntry] {
        guard let keyspace = try reader.keyspace(named: Catalogue.keyspaceName) else { return [] }
        var entries: [IndexCatalogueEntry] = []
        try reader.scan(.prefix(Array(IndexCatalogueEntry.namePrefix.utf8)), in: keyspace) { key, value in
            let name = String(decoding: [UInt8](copying: key), as: UTF8.self)
            entries.append(try IndexCatalogueEntry([UInt8](copying: value), name: name))
            guard entries.count <= IndexCatalogueEntry.maxCount else {
                throw TroveError.corruptCatalogue(entry: name, reason: "there are more than \(IndexCatalogueEntry.maxCount) indexes")
            }
            return .next
        }
        return entries
    }

    /// The directory and the entries about all indexes, by number; an empty one when the store has never had an index.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``, also when the next new index would get the number of one that there is.
    static func load(_ reader: any StorageReader) throws -> (directory: IndexDirectory, entries: [IndexCatalogueEntry]) {
        let directory = try read(reader).map { try IndexDirectory($0) } ?? IndexDirectory(stamp: 0, nextNumber: 1)
        let entries = try entries(reader)
        guard entries.allSatisfy({ $0.number < directory.nextNumber }) else {
            throw TroveError.corruptCatalogue(entry: name, reason: "there are indexes with numbers that it gives to new ones")
        }
        return (directory, entries)
    }

    /// Gives the directory a new stamp, so that other programs look at the catalogue again before they write.
    static func renew(_ writer: any StorageWriter) throws {
        var directory = try load(writer).directory
        directory.stamp = .random(in: .min ... .max)
        try writer.put(key, directory.encode(), in: writer.createKeyspace(named: Catalogue.keyspaceName))
    }

    /// Changes entries about indexes: `edit` gets them all and leaves them as they shall be.
    static func change(_ writer: any StorageWriter, _ edit: (inout IndexDirectory, inout [IndexCatalogueEntry]) throws -> Void) throws {
        let keyspace = try writer.createKeyspace(named: Catalogue.keyspaceName)
        let (stored, before) = try load(writer)
        var directory = stored
        var after = before
        try edit(&directory, &after)
        guard after != before else { return }
        if let last = after.last, after.count > max(before.count, IndexCatalogueEntry.maxCount) {
            throw TroveError.invalidIndex(
                model: last.modelName, index: last.schema.name, reason: "a store has up to \(IndexCatalogueEntry.maxCount) indexes")
        }
        let kept = Set(after.map(\.number))
        for entry in before where !kept.contains(entry.number) {
            try writer.delete(Array(IndexCatalogueEntry.name(entry.number).utf8), in: keyspace)
        }
        let known = Dictionary(before.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        for entry in after where known[entry.number] != entry {
            try writer.put(Array(IndexCatalogueEntry.name(entry.number).utf8), try entry.encode(), in: keyspace)
        }
        directory.stamp = .random(in: .min ... .max)
        try writer.put(key, try directory.encode(), in: keyspace)
    }
}

extension [IndexCatalogueEntry] {
    /// Makes an index build from the start: under a new number, since emptying the old one may take long.
    ///
    /// - Parameter reason: why, if it was ready.
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)`` when there is no number left.
    mutating func restart(_ number: Int, _ directory: inout IndexDirectory, _ reason: IndexCatalogueEntry.Rebuilding) throws {
        guard let position = firstIndex(where: { $0.number == number }) else { return }
        let old = self[position]
        // One that has not begun has nothing that could be wrong.
        if old.state == .dropping || old.state == .building(after: nil) { return }
        self[position].state = .dropping
        append(
            IndexCatalogueEntry(
                number: try directory.takeNumber(), modelName: old.modelName, version: old.version, schema: old.schema, types: old.types,
                state: .building(after: nil), isDeclared: old.isDeclared, rebuilding: old.state == .ready ? reason : old.rebuilding, defaults: old.defaults))
    }
}
