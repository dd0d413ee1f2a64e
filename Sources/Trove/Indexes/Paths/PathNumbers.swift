/// The numbers of paths in one transaction, and the entries that documents have by them: for each path the value there,
/// once for each different element of an array.
///
/// It is accessed without Swift's checks of exclusivity, as its ``OrderedIndexWriter`` is.
final class PathNumbers {
    private let binding: IndexBinding
    private let reader: any StorageReader
    /// The engine's side of a write transaction; nil where paths are looked up alone.
    private let writer: (any StorageWriter)?
    private let whenCommitted: (@escaping () -> Void) -> Void
    /// Nil before the first look.
    @exclusivity(unchecked) private var table: PathTable?
    /// How many of its paths are stored.
    private var storedCount = 0
    @exclusivity(unchecked) private var found = KeyList()
    @exclusivity(unchecked) private var entry = ByteWriter(capacity: 64)

    /// For a write transaction, which numbers paths that are new.
    init(of binding: IndexBinding, _ writer: any StorageWriter, _ whenCommitted: @escaping (@escaping () -> Void) -> Void) {
        self.binding = binding
        reader = writer
        self.writer = writer
        self.whenCommitted = whenCommitted
    }

    /// For looking paths up, all of them as they are stored and not as they were once read. One that is not stored has no number.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    init(stored binding: IndexBinding, _ cache: PathCache, _ reader: any StorageReader) throws {
        self.binding = binding
        self.reader = reader
        writer = nil
        whenCommitted = { _ in }
        var table = PathTable(cache.known.indexing)
        try PathDictionary.load(&table, of: binding.number, reader)
        self.table = table
    }

    /// The entries of a document, ascending, none twice: the path's number in four bytes, big-endian, and the value as a part of an index has it.
    ///
    /// - Throws: ``TroveError/tooManyPaths(collection:path:limit:)``; ``TroveError/corruptValue(reason:)``.
    func entries(of document: FieldValue) throws -> KeyList {
        var table = try takeTable()
        found.removeAll()
        let before = table.count
        var outcome: Result<Void, any Error> = .success(())
        do {
            // The document itself has an entry whatever it holds.
            append(.container(FieldContainer(tag: .object, count: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0))), at: PathTable.root)
            try walk(document, PathTable.root, &table, depth: 0)
        } catch {
            table.truncate(to: before)
            outcome = .failure(error)
        }
        self.table = table
        try outcome.get()
        found.sortUniquely()
        return found
    }

    private func takeTable() throws -> PathTable {
        if let table = table.take() { return table }
        var table = binding.paths?.known ?? PathTable(.all)
        try PathDictionary.load(&table, of: binding.number, reader)
        storedCount = table.count
        return table
    }

    private func append(_ value: FieldValue, at path: UInt32) {
        entry.count = 0
        entry.append(path.bigEndian)
        do {
            try KeyPart.append(value, type: nil, ignoring: [], direction: .ascending, to: &entry)
        } catch {
            // Only a value of a declared type can be unfit for it.
            return
        }
        entry.withBytes { found.append($0) }
    }

    /// Appends the entries of what lies inside a value.
    private func walk(_ value: FieldValue, _ path: UInt32, _ table: inout PathTable, depth: Int) throws {
        guard case .container(let container) = value, container.tag != .dictionary else { return }
        guard depth < NestedTag.maxDepth else { throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels") }
        var reader = ByteReader(container.bytes)
        let isArray = container.tag == .array
        // All elements have one path.
        var shared: UInt32??
        for _ in 0..<container.count {
            let child: UInt32?
            if isArray {
                if shared == nil { shared = try number(path, UnsafeRawBufferPointer(start: nil, count: 0), isElement: true, &table) }
                child = shared ?? nil
            } else {
                child = try number(path, try reader.bytes(try reader.count()), isElement: false, &table)
            }
            let member = try reader.fieldValue()
            guard let child else { continue }
            if !member.isNull, child == PathTable.none || table.isCovered(child), !table.indexing.isTextOnly || ValueClass(member) == .text {
                append(member, at: child)
            }
            try walk(member, child, &table, depth: depth + 1)
        }
    }

    /// The number of a path; nil when the index is to have nothing of it nor of those below it.
    private func number(_ parent: UInt32, _ name: UnsafeRawBufferPointer, isElement: Bool, _ table: inout PathTable) throws -> UInt32? {
        // What is below a path without a number has none either.
        if parent == PathTable.none { return parent }
        if let known = table.child(of: parent, name, isElement: isElement) { return known }
        guard table.mayHave(parent, name, isElement: isElement) else { return nil }
        // What is not numbered has no entries, which a comparison of the index with the records is to find out.
        guard writer != nil else { return PathTable.none }
        guard table.count < PathTable.limit else {
            let path = table.text(of: parent, then: isElement ? nil : String(storedUTF8: name))
            throw TroveError.tooManyPaths(collection: binding.modelName, path: path, limit: PathTable.limit - 1)
        }
        return table.add(parent, name, isElement: isElement)
    }

    /// Writes the paths that are new.
    func flush() throws {
        guard let writer, let table, storedCount < table.count else { return }
        try PathDictionary.write(table, from: storedCount, of: binding.number, writer)
        storedCount = table.count
        whenCommitted { [binding] in binding.paths?.adopt(table) }
    }

    /// Forgets what is not known to be stored, after the engine has rolled back.
    func discard() { table = nil }
}
