import TroveBackendKit
import TroveStorage

/// A read transaction, and the reading half of a write transaction: one version of the store.
class SortedArrayReader: StorageReader {
    let engine: SortedArrayEngine
    final var contents: Contents
    final var transaction: TransactionState
    /// How often the transaction has changed the store; always 0 in a read.
    final var changes = 0
    /// The keyspaces that the transaction has handles on, by the numbers of the handles.
    private var opened: [UInt64] = []

    init(_ contents: Contents, in engine: SortedArrayEngine) {
        self.contents = contents
        self.engine = engine
        transaction = engine.beginTransaction()
    }

    /// Ends the transaction and lets its version go, whoever still holds this object.
    final func finish() {
        transaction.finish()
        contents = Contents()
    }

    // MARK: Keyspaces

    func keyspace(named name: String) throws -> Keyspace? {
        try transaction.check()
        return contents.number(named: name).map(handle)
    }

    func keyspaceNames() throws -> [String] {
        try transaction.check()
        return contents.names.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The handle on a keyspace: the same one each time.
    final func handle(on number: UInt64) -> Keyspace {
        let position = opened.firstIndex(of: number) ?? opened.count
        if position == opened.count { opened.append(number) }
        return Keyspace(number: UInt32(position), transaction: transaction.serial)
    }

    /// Checks the handle and gives its keyspace's number.
    final func number(of keyspace: Keyspace) throws -> UInt64 {
        try transaction.check(keyspace)
        let number = opened[Int(keyspace.number)]
        guard contents.keyspaces[number] != nil else { throw transaction.goneKeyspace }
        return number
    }

    /// Checks the handle and gives its keyspace's entries as they are now.
    final func entries(of keyspace: Keyspace) throws -> SortedArray {
        try transaction.check(keyspace)
        guard let entries = contents.keyspaces[opened[Int(keyspace.number)]] else { throw transaction.goneKeyspace }
        return entries
    }

    // MARK: Entries

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        let entries = try entries(of: keyspace)
        try transaction.checkKey(key)
        guard let place = entries.place(of: key) else { return false }
        // A copy of the value that shares its storage: what `body` changes leaves these bytes alone.
        let value = entries.values[place]
        try body(value.span.bytes)
        return true
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        var range = range
        while true {
            let before = changes
            let entries = try entries(of: keyspace)
            let positions = entries.positions(in: range)
            var current: [UInt8]?
            for step in 0..<positions.count {
                let position = order == .ascending ? positions.lowerBound + step : positions.upperBound - 1 - step
                let (key, value) = (entries.keys[position], entries.values[position])
                if try body(key.span.bytes, value.span.bytes) == .stop { return }
                // The body has changed the store: go on from this key in the entries as they are then.
                if changes != before {
                    current = key
                    break
                }
            }
            guard let current else { return }
            range = order == .ascending
                ? KeyRange(from: current + [0], upTo: range.upper) : KeyRange(from: range.lower, upTo: current)
        }
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        _ = try number(of: keyspace)
        return SortedArrayCursor(over: keyspace, in: self)
    }

    func count(in keyspace: Keyspace) throws -> Int { try entries(of: keyspace).count }

    // MARK: What a writer has besides

    /// A number for a new cursor.
    func registerCursor() -> Int { 0 }

    /// Throws when the cursor was made under a savepoint that was undone.
    func checkCursor(_ number: Int) throws {}
}
