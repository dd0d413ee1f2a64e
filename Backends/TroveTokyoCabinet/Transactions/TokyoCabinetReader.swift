import CTokyoCabinet
import TroveBackendKit
import TroveStorage

/// A read transaction, and what a write transaction shares with it.
///
/// Used by one thread, which is inside the engine's gate until the transaction has finished.
class TokyoCabinetReader: StorageReader {
    let engine: Engine
    final var state: TransactionState
    /// The keyspaces as this transaction sees them.
    final var directory: Directory
    /// How often something was committed before it.
    private let commitCount: UInt64
    /// How often the transaction has changed the tree; positions in it are good for one state.
    final var changes = 0
    /// Counts cursors and savepoints made, so that it can be told which came first.
    final var ticket = 0

    private let storedKey = StoredKey()
    private var spareBuffers: [EntryBuffer] = []
    private var spareBatches: [EntryBatch] = []
    /// The keyspace number that was last found to exist; 0 for none.
    final var knownNumber: UInt32 = 0

    init(engine: Engine) {
        self.engine = engine
        state = TransactionState(
            engine: Engine.name, path: engine.file.path,
            maxKeySize: StorageLimits.maxKeySize, maxValueSize: StorageLimits.maxValueSize)
        (directory, commitCount) = engine.lock { (engine.directory, engine.commitCount) }
    }

    /// The number of commits in the engine, of which the backend has one: no other process has the file, and nobody commits while somebody reads.
    var stateStamp: StateStamp? { state.isActive ? StateStamp(0, commitCount) : nil }

    /// Ends the transaction: its methods, keyspaces and cursors throw from now on.
    final func finish() { state.finish() }

    // MARK: Checks

    @inline(__always)
    final func check(_ keyspace: Keyspace) throws {
        try state.check(keyspace)
        if keyspace.number != knownNumber { try checkExists(keyspace.number) }
    }

    @inline(never)
    private func checkExists(_ number: UInt32) throws {
        guard directory.contains(number) else { throw state.goneKeyspace }
        knownNumber = number
    }

    /// Throws when what was made with this ticket was undone. Only write transactions undo.
    func checkIsKept(_ ticket: Int) throws {}

    /// The error of a failed call of the library, after which the transaction can only end.
    func failed(_ what: String) throws -> StorageError {
        try state.poison(with: engine.failure(of: engine.library, what))
    }

    /// The key for the next call; nil when no entry can have it.
    @inline(__always)
    final func stored(_ key: RawSpan, in keyspace: Keyspace) -> StoredKey? {
        storedKey.set(key, in: keyspace.number) ? storedKey : nil
    }

    // MARK: Keyspaces

    final func keyspace(named name: String) throws -> Keyspace? {
        try state.check()
        return directory.numbers[Array(name.utf8)].map { Keyspace(number: $0, transaction: state.serial) }
    }

    final func keyspaceNames() throws -> [String] {
        try state.check()
        return directory.numbers.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Entries

    final func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try check(keyspace)
        try state.checkKey(key)
        guard let key = stored(key, in: keyspace) else { return false }
        let buffer = spareBuffers.popLast() ?? EntryBuffer()
        defer { keep(buffer) }
        guard try copyValue(of: key.bytes, to: buffer) else { return false }
        try body(buffer.bytes(at: 0, buffer.count).bytes)
        return true
    }

    /// Copies the value of a stored key; false when there is none.
    @inline(__always)
    final func copyValue(of key: UnsafeRawBufferPointer, to buffer: EntryBuffer) throws -> Bool {
        let library = try engine.library
        var size: Int32 = 0
        let isThere = engine.lock {
            buffer.removeAll()
            guard let value = tcbdbget3(library, key.baseAddress!, Int32(key.count), &size) else { return false }
            buffer.append(value, Int(size))
            return true
        }
        if !isThere { try checkWasAbsent("reading an entry") }
        return isThere
    }

    /// Throws when the library's last answer was a failure, not that there is nothing.
    @inline(__always)
    final func checkWasAbsent(_ what: String) throws {
        let library = try engine.library
        if engine.lock({ library.pointee.hdb.pointee.fatal }) { throw try failed(what) }
    }

    final func count(in keyspace: Keyspace) throws -> Int {
        try check(keyspace)
        if let count = directory.count(of: keyspace.number) { return count }
        // The store was not closed, and was too large to be walked through when it was opened.
        var count = 0
        try scan(.all, in: keyspace, order: .ascending) { _, _ in
            count += 1
            return .next
        }
        directory.setCount(count, of: keyspace.number)
        remember(count, of: keyspace.number)
        return count
    }

    /// Lets later transactions know a count.
    func remember(_ count: Int, of number: UInt32) {
        engine.lock { engine.directory.setCount(count, of: number) }
    }

    // MARK: Walks

    final func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        try check(keyspace)
        return Cursor(transaction: self, keyspace: keyspace)
    }

    final func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try check(keyspace)
        if range.isEmpty { return }
        let bounds = KeyPrefix.bounds(of: range.lower, range.upper, in: keyspace.number)
        let walk = Walk(transaction: self, lower: bounds.lower, upper: bounds.upper, order: order)
        let batch = spareBatches.popLast() ?? EntryBatch()
        batch.limit = 8
        defer { spareBatches.append(batch) }
        var mayHaveMore = true
        while mayHaveMore {
            mayHaveMore = try walk.fill(batch)
            let state = changes
            var index = 0
            while index < batch.count {
                let entry = batch.entry(at: index)
                if try body(entry.key.bytes, entry.value.bytes) == .stop { return }
                if changes != state {
                    // The batch is of an older state: go on behind this key, in small steps.
                    try check(keyspace)
                    walk.restart(behind: batch.storedKey(at: index))
                    batch.limit = 1
                    mayHaveMore = true
                    break
                }
                index += 1
            }
            batch.grow()
        }
    }

    // MARK: Buffers

    final func takeBuffer() -> EntryBuffer { spareBuffers.popLast() ?? EntryBuffer() }

    final func keep(_ buffer: EntryBuffer) { spareBuffers.append(buffer) }
}
