import CTokyoCabinet
import TroveStorage

/// A write transaction. It has the store alone.
///
/// The library's transaction begins with the first change, so a body that changes nothing costs nothing.
final class TokyoCabinetWriter: TokyoCabinetReader, StorageWriter {
    /// The largest number of keyspaces, so that the directory stays small enough to be read at open.
    private static let maxKeyspaces = Engine.capabilities.maxKeyspaces

    private let durability: Durability
    private var hasBegun = false
    /// What the changes inside savepoints have replaced, oldest first. Empty outside of savepoints.
    private var undoEntries: [UndoEntry] = []
    private var savepointDepth = 0
    /// The tickets given inside savepoints that were undone.
    private var undoneTickets: [ClosedRange<Int>] = []
    private var isUndoing = false

    init(engine: Engine, durability: Durability) {
        self.durability = durability
        super.init(engine: engine)
    }

    // MARK: The transaction's end

    /// Throws when an error that the body has swallowed forbids the commit.
    func checkBeforeCommit() throws { try state.check() }

    func commit() throws {
        guard hasBegun else { return }
        hasBegun = false
        do { try engine.commit(directory, durability) } catch let error as StorageError { throw state.poison(with: error) }
    }

    func rollBack() throws {
        guard hasBegun else { return }
        hasBegun = false
        engine.rollBack()
    }

    /// Begins the library's transaction before the first change.
    @inline(__always)
    private func begin() throws {
        if hasBegun { return }
        do { try engine.begin(durability) } catch let error as StorageError { throw state.poison(with: error) }
        hasBegun = true
    }

    // MARK: Entries

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        try check(keyspace)
        try state.checkKey(key)
        try state.checkValue(value)
        guard let key = stored(key, in: keyspace) else { return }
        try value.withUnsafeBytes { try put(key.bytes, $0, number: keyspace.number) }
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try check(keyspace)
        try state.checkKey(key)
        try state.checkValue(value)
        guard let key = stored(key, in: keyspace) else { return false }
        try begin()
        let library = try engine.library
        let isNew = value.withUnsafeBytes {
            tcbdbputkeep(library, key.pointer, key.count, $0.baseAddress ?? key.pointer, Int32($0.count))
        }
        guard isNew else {
            try checkWasAbsent("inserting an entry")
            return false
        }
        changes += 1
        if savepointDepth > 0 { undoEntries.append(UndoEntry(key: Array(key.bytes), value: nil)) }
        directory.adjustCount(by: 1, of: keyspace.number)
        return true
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try check(keyspace)
        try state.checkKey(key)
        guard let key = stored(key, in: keyspace) else { return false }
        return try delete(key.bytes, number: keyspace.number)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        try check(keyspace)
        if range.isEmpty { return 0 }
        let bounds = KeyPrefix.bounds(of: range.lower, range.upper, in: keyspace.number)
        return try deleteAll(from: bounds.lower, upTo: bounds.upper, number: keyspace.number)
    }

    private func deleteAll(from lower: [UInt8], upTo upper: [UInt8], number: UInt32) throws -> Int {
        let batch = EntryBatch()
        batch.limit = 256
        var deleted = 0
        var hasMore = true
        while hasMore {
            // A walk of its own for each batch: what was found is deleted, so it begins with the next.
            let walk = Walk(transaction: self, lower: lower, upper: upper, order: .ascending)
            hasMore = try walk.fill(batch)
            for index in 0..<batch.count where try delete(batch.storedKey(at: index), number: number) { deleted += 1 }
        }
        return deleted
    }

    // MARK: Changes of the tree

    /// Puts a stored key; keeps what it replaces when a savepoint is open.
    @inline(__always)
    private func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, number: UInt32) throws {
        try begin()
        if savepointDepth > 0 { try keepForUndo(key) }
        let library = try engine.library
        let entries = library.pointee.rnum
        guard tcbdbput(library, key.baseAddress!, Int32(key.count), value.baseAddress ?? key.baseAddress!, Int32(value.count))
        else { throw try failed("storing an entry") }
        changes += 1
        if library.pointee.rnum != entries { directory.adjustCount(by: 1, of: number) }
    }

    private func delete(_ key: UnsafeRawBufferPointer, number: UInt32) throws -> Bool {
        try begin()
        if savepointDepth > 0 { try keepForUndo(key) }
        guard tcbdbout(try engine.library, key.baseAddress!, Int32(key.count)) else {
            try checkWasAbsent("deleting an entry")
            if savepointDepth > 0 && !isUndoing { undoEntries.removeLast() }
            return false
        }
        changes += 1
        directory.adjustCount(by: -1, of: number)
        return true
    }

    private func keepForUndo(_ key: UnsafeRawBufferPointer) throws {
        if isUndoing { return }
        let buffer = takeBuffer()
        defer { keep(buffer) }
        let value = try copyValue(of: key, to: buffer) ? Array(buffer.bytes(at: 0, buffer.count)) : nil
        undoEntries.append(UndoEntry(key: Array(key), value: value))
    }

    // MARK: Keyspaces

    func createKeyspace(named name: String) throws -> Keyspace {
        try state.check()
        try state.checkName(name)
        let name = Array(name.utf8)
        if let number = directory.numbers[name] { return Keyspace(number: number, transaction: state.serial) }
        let number = directory.nextNumber
        guard directory.count < Self.maxKeyspaces, number < UInt32.max - 1 else {
            throw engine.error(
                StorageError.tooManyKeyspaces, "the store has \(directory.count) keyspaces, its maximum; drop some")
        }
        let value = Directory.value(number: number, count: 0)
        try (KeyPrefix.bytes(KeyPrefix.directory) + name).withUnsafeBytes { key in
            try value.withUnsafeBytes { try put(key, $0, number: KeyPrefix.directory) }
        }
        directory.nextNumber = number + 1
        directory.add(name, number: number, count: 0)
        return Keyspace(number: number, transaction: state.serial)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        try check(keyspace)
        guard let name = directory.name(of: keyspace.number) else { throw state.goneKeyspace }
        let bounds = KeyPrefix.bounds(of: [], nil, in: keyspace.number)
        _ = try deleteAll(from: bounds.lower, upTo: bounds.upper, number: keyspace.number)
        _ = try (KeyPrefix.bytes(KeyPrefix.directory) + name).withUnsafeBytes {
            try delete($0, number: KeyPrefix.directory)
        }
        directory.remove(name)
        knownNumber = 0
    }

    // MARK: Savepoints

    func savepoint(_ body: () throws -> Void) throws {
        try state.check()
        let undoFrom = undoEntries.count
        let oldDirectory = directory
        ticket += 1
        let firstTicket = ticket
        savepointDepth += 1
        defer {
            savepointDepth -= 1
            if savepointDepth == 0 { undoEntries.removeAll() }
        }
        do {
            try body()
        } catch {
            // After a failure only the whole transaction can be undone.
            if state.isActive && state.poison == nil { try undo(to: undoFrom, oldDirectory, firstTicket) }
            throw error
        }
    }

    private func undo(to count: Int, _ oldDirectory: Directory, _ firstTicket: Int) throws {
        isUndoing = true
        defer { isUndoing = false }
        while undoEntries.count > count, let entry = undoEntries.popLast() {
            try entry.key.withUnsafeBytes { key in
                if let value = entry.value {
                    try value.withUnsafeBytes { try put(key, $0, number: KeyPrefix.directory) }
                } else {
                    _ = try delete(key, number: KeyPrefix.directory)
                }
            }
        }
        let nextNumber = directory.nextNumber
        directory = oldDirectory
        // A number given once is not given again, or a handle of the undone keyspace would lead to the next one.
        directory.nextNumber = nextNumber
        knownNumber = 0
        undoneTickets.append(firstTicket...ticket)
        ticket += 1
    }

    /// nil: it sees what it changes.
    override var stateStamp: StateStamp? { nil }

    override func checkIsKept(_ ticket: Int) throws {
        if undoneTickets.isEmpty { return }
        if undoneTickets.contains(where: { $0.contains(ticket) }) { throw state.goneKeyspace }
    }

    /// Counts found inside the transaction are those of its own state.
    override func remember(_ count: Int, of number: UInt32) {}
}

/// What one change inside a savepoint has replaced.
struct UndoEntry {
    /// The stored key.
    let key: [UInt8]
    /// The value that was there; nil for none.
    let value: [UInt8]?
}
