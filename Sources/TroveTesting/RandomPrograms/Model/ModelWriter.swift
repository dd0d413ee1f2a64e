import TroveStorage

/// A transaction of the model, for reading and for writing.
final class ModelWriter: StorageWriter {
    private(set) var contents: [String: SortedModel]
    /// The names of the keyspaces that handles are on, nil for those that are gone.
    private var opened: [String?] = []

    init(_ contents: [String: SortedModel]) { self.contents = contents }

    static func details(_ message: String) -> StorageError.Details {
        StorageError.Details(engine: "model", path: "the model", message: message)
    }

    // MARK: Keyspaces

    private func handle(_ name: String) -> Keyspace {
        opened.append(name)
        return Keyspace(number: UInt32(opened.count - 1), transaction: 0)
    }

    private func name(of keyspace: Keyspace) throws -> String {
        let number = Int(keyspace.number)
        guard opened.indices.contains(number), let name = opened[number] else {
            throw StorageError.invalidKeyspace(Self.details("the keyspace is gone"))
        }
        return name
    }

    private func model(of keyspace: Keyspace) throws -> SortedModel {
        try contents[name(of: keyspace)] ?? SortedModel()
    }

    func keyspace(named name: String) throws -> Keyspace? { contents[name] == nil ? nil : handle(name) }

    func keyspaceNames() throws -> [String] { contents.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    func createKeyspace(named name: String) throws -> Keyspace {
        if contents[name] == nil { contents[name] = SortedModel() }
        return handle(name)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        let name = try name(of: keyspace)
        contents[name] = nil
        for (number, opened) in opened.enumerated() where opened == name { self.opened[number] = nil }
    }

    // MARK: Entries

    private func checked(_ key: RawSpan) throws -> [UInt8] {
        if key.byteCount == 0 { throw StorageError.emptyKey(Self.details("a key has at least one byte")) }
        return [UInt8](copying: key)
    }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        guard let value = try model(of: keyspace).value(of: checked(key)) else { return false }
        try body(value.span.bytes)
        return true
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        let key = try checked(key)
        contents[try name(of: keyspace)]?.put(key, [UInt8](copying: value))
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let key = try checked(key)
        return contents[try name(of: keyspace)]?.insert(key, [UInt8](copying: value)) ?? false
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let key = try checked(key)
        return contents[try name(of: keyspace)]?.delete(key) ?? false
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        contents[try name(of: keyspace)]?.deleteRange(range) ?? 0
    }

    func count(in keyspace: Keyspace) throws -> Int { try model(of: keyspace).entries.count }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        // The body may change the keyspace, so each step looks at it anew.
        var range = range
        while let entry = try model(of: keyspace).first(range, order: order) {
            if try body(entry.key.span.bytes, entry.value.span.bytes) == .stop { return }
            range = order == .ascending
                ? KeyRange(from: entry.key + [0], upTo: range.upper) : KeyRange(from: range.lower, upTo: entry.key)
        }
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        let name = try name(of: keyspace)
        return ModelStorageCursor { [self] in contents[name] ?? SortedModel() }
    }

    // MARK: Savepoints

    func savepoint(_ body: () throws -> Void) throws {
        let before = (contents: contents, opened: opened)
        do {
            try body()
        } catch {
            contents = before.contents
            opened = before.opened + Array(repeating: nil, count: opened.count - before.opened.count)
            throw error
        }
    }
}
