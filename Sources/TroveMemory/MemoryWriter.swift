import TroveBackendKit
import TroveStorage

/// A write transaction of the memory engine.
final class MemoryWriter: MemoryReader, StorageWriter {
    private var cursors = CursorNumbers()

    // MARK: Keyspaces

    func createKeyspace(named name: String) throws -> Keyspace {
        try transaction.check()
        try transaction.checkName(name)
        if let slot = state.slot(named: name) { return handle(slot: slot) }
        changes += 1
        return handle(slot: state.create(named: name))
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        let slot = try slot(of: keyspace)
        changes += 1
        state.drop(slot)
        opened.drop(slot)
    }

    // MARK: Entries

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        let slot = try slot(of: keyspace)
        try transaction.checkKey(key)
        try transaction.checkValue(value)
        changes += 1
        state.change(in: slot) { $0.put(key, value) }
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let slot = try slot(of: keyspace)
        try transaction.checkKey(key)
        try transaction.checkValue(value)
        if state.tree(in: slot).contains(key) { return false }
        changes += 1
        state.change(in: slot) { $0.put(key, value) }
        return true
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let slot = try slot(of: keyspace)
        try transaction.checkKey(key)
        guard state.tree(in: slot).contains(key) else { return false }
        changes += 1
        state.change(in: slot) { $0.delete(key) }
        return true
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        let slot = try slot(of: keyspace)
        guard !range.isEmpty else { return 0 }
        changes += 1
        return state.change(in: slot) { $0.deleteRange(from: range.lower, upTo: range.upper) }
    }

    // MARK: Savepoints

    func savepoint(_ body: () throws -> Void) throws {
        try transaction.check()
        let before = (state: state, opened: opened, cursor: cursors.last)
        do {
            try body()
        } catch {
            // The body may have kept the writer beyond the transaction; then there is nothing to undo.
            guard transaction.isActive else { throw error }
            changes += 1
            state = before.state
            opened.undo(to: before.opened)
            cursors.undo(after: before.cursor)
            throw error
        }
    }

    override var isWriter: Bool { true }

    override func registerCursor() -> Int { cursors.register() }

    override func checkCursor(_ number: Int) throws {
        if cursors.isUndone(number) { throw transaction.goneKeyspace }
    }
}
