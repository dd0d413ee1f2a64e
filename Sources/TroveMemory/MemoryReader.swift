import TroveBackendKit
import TroveStorage

/// A read transaction of the memory engine, and the reading half of a write transaction.
class MemoryReader: StorageReader {
    private let engine: MemoryEngine
    final var state: MemoryState
    final var transaction: TransactionState
    final var opened = OpenKeyspaces()
    /// How often the transaction has changed the store; always 0 in a read.
    final var changes = 0

    init(of engine: MemoryEngine, state: MemoryState) {
        self.engine = engine
        self.state = state
        transaction = engine.beginTransaction()
    }

    /// Ends the transaction and lets its version of the store go, whoever still holds this object.
    final func finish() {
        transaction.finish()
        state = MemoryState()
    }

    /// The number of the version, in the engine, of which the backend has one.
    var stateStamp: StateStamp? { isWriter || !transaction.isActive ? nil : state.number.map { StateStamp(0, $0) } }

    // MARK: Keyspaces

    func keyspace(named name: String) throws -> Keyspace? {
        try transaction.check()
        return state.slot(named: name).map(handle)
    }

    func keyspaceNames() throws -> [String] {
        try transaction.check()
        var names: [String] = []
        state.names.scan(from: [], upTo: nil, order: .ascending) { node, position in
            names.append(String(decoding: node.key(position), as: UTF8.self))
            return true
        }
        return names
    }

    /// The handle on the keyspace in `slot`.
    final func handle(slot: Int) -> Keyspace {
        Keyspace(number: UInt32(opened.number(of: slot)), transaction: transaction.serial)
    }

    /// Checks the handle and gives its keyspace's slot.
    @inline(__always)
    final func slot(of keyspace: Keyspace) throws -> Int {
        try transaction.check(keyspace)
        guard let slot = opened.slot(Int(keyspace.number)) else { throw transaction.goneKeyspace }
        return slot
    }

    /// Checks the handle and gives its keyspace's tree as it is now.
    @inline(__always)
    final func tree(of keyspace: Keyspace) throws -> Tree {
        state.tree(in: try slot(of: keyspace))
    }

    // MARK: Entries

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        let tree = try tree(of: keyspace)
        try transaction.checkKey(key)
        return try tree.get(key, body)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        var range = range
        var tree = try tree(of: keyspace)
        while !range.isEmpty {
            let before = changes
            var current: [UInt8]?
            try tree.scan(from: range.lower, upTo: range.upper, order: order) { leaf, position in
                let key = leaf.key(position)
                let step = try leaf.withValue(position) { try body(key.bytes, $0) }
                if step == .stop { return false }
                // The body has changed the store: go on from this key in the tree as it is now.
                if changes != before { current = [UInt8](key) }
                return changes == before
            }
            guard let current else { return }
            range = order == .ascending
                ? KeyRange(from: current + [0], upTo: range.upper) : KeyRange(from: range.lower, upTo: current)
            tree = try self.tree(of: keyspace)
        }
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        _ = try slot(of: keyspace)
        return MemoryCursor(over: keyspace, in: self)
    }

    func count(in keyspace: Keyspace) throws -> Int {
        try tree(of: keyspace).count
    }

    func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        let tree = try tree(of: keyspace)
        if range.isEmpty { return 0 }
        return (range.upper.map(tree.count(below:)) ?? tree.count) - tree.count(below: range.lower)
    }

    /// Copies of the version share its nodes.
    final func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        try transaction.check()
        var state = state
        if isWriter { state.number = nil }
        let readers = (0..<max(0, count)).map { _ in MemoryReader(of: engine, state: state) }
        defer { for reader in readers { reader.finish() } }
        try body(readers)
    }

    // MARK: Cursors and savepoints

    /// Whether the store may change under a cursor.
    var isWriter: Bool { false }

    /// A number for a new cursor; later cursors have greater ones.
    func registerCursor() -> Int { 0 }

    /// Throws when the cursor was made in a savepoint that has been undone.
    func checkCursor(_ number: Int) throws {}
}
