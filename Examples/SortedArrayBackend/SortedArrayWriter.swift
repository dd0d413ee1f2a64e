import TroveBackendKit
import TroveStorage

/// A write transaction: a version of the store that nobody else sees until it is committed.
final class SortedArrayWriter: SortedArrayReader, StorageWriter {
    /// Cursors are numbered, so that those of an undone savepoint are known.
    private var cursors = CursorNumbers()

    // MARK: Keyspaces

    func createKeyspace(named name: String) throws -> Keyspace {
        try transaction.check()
        try transaction.checkName(name)
        if let number = contents.number(named: name) { return handle(on: number) }
        changes += 1
        let number = engine.makeNumber()
        contents.add(named: Array(name.utf8), number: number)
        return handle(on: number)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        let number = try number(of: keyspace)
        changes += 1
        contents.drop(number)
    }

    // MARK: Entries

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        let number = try number(of: keyspace)
        try transaction.checkKey(key)
        try transaction.checkValue(value)
        changes += 1
        contents.change(number) { $0.put(key, value) }
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let entries = try entries(of: keyspace)
        try transaction.checkKey(key)
        try transaction.checkValue(value)
        if entries.place(of: key) != nil { return false }
        try put(key, value, in: keyspace)
        return true
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let number = try number(of: keyspace)
        try transaction.checkKey(key)
        guard let place = contents.keyspaces[number]?.place(of: key) else { return false }
        changes += 1
        contents.change(number) { $0.remove(place..<place + 1) }
        return true
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        let number = try number(of: keyspace)
        let positions = try entries(of: keyspace).positions(in: range)
        if positions.isEmpty { return 0 }
        changes += 1
        contents.change(number) { $0.remove(positions) }
        return positions.count
    }

    // MARK: Savepoints

    func savepoint(_ body: () throws -> Void) throws {
        try transaction.check()
        let before = (contents: contents, cursor: cursors.last)
        do {
            try body()
        } catch {
            // The body may have kept the writer beyond the transaction; then there is nothing to undo.
            guard transaction.isActive else { throw error }
            changes += 1
            // Keyspaces created since are not in it, so that their handles lead nowhere; those dropped since are again.
            contents = before.contents
            cursors.undo(after: before.cursor)
            // Nothing is left of the call that failed inside, if one did: `check` has let the savepoint begin unpoisoned.
            transaction.recover()
            throw error
        }
    }

    override func registerCursor() -> Int { cursors.register() }

    override func checkCursor(_ number: Int) throws {
        if cursors.isUndone(number) { throw transaction.goneKeyspace }
    }
}
