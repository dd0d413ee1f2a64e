import TroveBackendKit
import TroveStorage

/// A write transaction of a sealed store.
final class SealedWriter: SealedReader, StorageWriter {
    let session: SealingSession
    private var cursors = CursorNumbers()
    /// How many savepoints run.
    private var depth = 0
    /// Whether there is something to commit. An undone savepoint takes it back, unlike the number of ``changes``, by which cursors find their places again.
    private var isToBeWritten = false

    init(_ session: SealingSession) {
        self.session = session
        super.init(session.reader)
    }

    override func note(_ error: StorageError) -> StorageError { transaction.poison(with: error) }

    /// Takes note that the contents are about to change.
    func noteChange() {
        changes += 1
        isToBeWritten = true
    }

    // MARK: Keyspaces

    func createKeyspace(named name: String) throws -> Keyspace {
        try transaction.check()
        try transaction.checkName(name)
        let name = Array(name.utf8)
        if let position = try position(of: name) { return handle(position) }
        noteChange()
        try engineCall { try describe(.empty, name) }
        return handle(contents.opened.add(name, SealedTree()))
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        let position = try position(of: keyspace)
        noteChange()
        try engineCall {
            _ = try contents.opened[position].tree.removeAll(with: session)
            try contents.opened[position].name.withUnsafeBytes { try contents.catalogue.remove($0, with: session) }
        }
        contents.opened.drop(position)
    }

    /// Writes into the catalogue where a keyspace's tree is.
    private func describe(_ tree: SealedTree.Descriptor, _ name: [UInt8]) throws {
        try name.withUnsafeBytes { name in
            try tree.bytes.withUnsafeBytes { try contents.catalogue.put(name, LeafValue(payload: $0, isLarge: false), with: session) }
        }
    }

    // MARK: Entries

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        let position = try position(of: keyspace)
        try transaction.checkKey(key)
        try transaction.checkValue(value)
        try store(key, value, at: position)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let position = try position(of: keyspace)
        try transaction.checkKey(key)
        try transaction.checkValue(value)
        if try has(key, at: position) { return false }
        try store(key, value, at: position)
        return true
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let position = try position(of: keyspace)
        try transaction.checkKey(key)
        guard try has(key, at: position) else { return false }
        noteChange()
        contents.opened[position].isChanged = true
        try engineCall { try key.withUnsafeBytes { try contents.opened[position].tree.remove($0, with: session) } }
        try makeRoom()
        return true
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        let position = try position(of: keyspace)
        if range.isEmpty { return 0 }
        noteChange()
        contents.opened[position].isChanged = true
        let count = try engineCall { try contents.opened[position].tree.removeRange(from: range.lower, upTo: range.upper, with: session) }
        try makeRoom()
        return count
    }

    private func has(_ key: RawSpan, at position: Int) throws -> Bool {
        try engineCall { try key.withUnsafeBytes { try contents.opened[position].tree.find($0, in: source) != nil } }
    }

    private func store(_ key: RawSpan, _ value: RawSpan, at position: Int) throws {
        noteChange()
        contents.opened[position].isChanged = true
        try engineCall {
            try key.withUnsafeBytes { key in
                try value.withUnsafeBytes { value in
                    if EntryList.headerSize + key.count + value.count <= session.nodeSize / 2 {
                        try contents.opened[position].tree.put(key, LeafValue(payload: value, isLarge: false), with: session)
                    } else {
                        try session.write(value).bytes.withUnsafeBytes {
                            try contents.opened[position].tree.put(key, LeafValue(payload: $0, isLarge: true), with: session)
                        }
                    }
                }
            }
        }
        try makeRoom()
    }

    // MARK: Savepoints

    func savepoint(_ body: () throws -> Void) throws {
        try transaction.check()
        let before = (contents: contents, session: session.mark, isToBeWritten: isToBeWritten, cursor: cursors.last)
        depth += 1
        defer { depth -= 1 }
        do {
            try body()
        } catch {
            // The body may have kept the writer beyond the transaction; then there is nothing to undo.
            guard transaction.isActive else { throw error }
            changes += 1
            isToBeWritten = before.isToBeWritten
            contents.catalogue = before.contents.catalogue
            contents.opened.restore(before.contents.opened)
            cursors.undo(after: before.cursor)
            try undo(to: before.session)
            throw error
        }
    }

    /// Takes back what the savepoint wrote into the wrapped engine.
    private func undo(to mark: SealingSession.Mark) throws {
        guard transaction.poison != nil else { return try engineCall { try session.undo(to: mark) } }
        // A node that cannot be opened leaves the wrapped engine's transaction well, which then begins a savepoint; a call of its own that failed does not.
        guard (try? session.writer.savepoint { try session.undo(to: mark) }) != nil else { return }
        transaction.recover()
    }

    override func registerCursor() -> Int { cursors.register() }

    override func checkCursor(_ number: Int) throws {
        if cursors.isUndone(number) { throw transaction.goneKeyspace }
    }

    // MARK: The end

    /// Seals and writes the changed nodes when they take too much memory. Inside a savepoint they stay, as undoing it needs what was before.
    private func makeRoom() throws {
        guard session.dirtyCount > source.engine.options.transactionMemory / session.nodeSize, depth == 0 else { return }
        try engineCall {
            try sealTrees()
            try session.flush()
        }
    }

    private func sealTrees() throws {
        for position in contents.opened.indices where contents.opened[position].isChanged && !contents.opened[position].isGone {
            let descriptor = try contents.opened[position].tree.seal(with: session)
            try describe(descriptor, contents.opened[position].name)
            contents.opened[position].isChanged = false
        }
        _ = try contents.catalogue.seal(with: session)
    }

    /// Writes all that was changed, and the root that makes it the newest state; nil when nothing was changed.
    ///
    /// - Parameter ring: the keys to be named in the root; nil for those of the state before.
    func commit(keys ring: KeyRing? = nil) throws -> (snapshot: Snapshot, sealed: [UInt8])? {
        try transaction.check()
        guard isToBeWritten || ring != nil else { return nil }
        return try engineCall {
            try sealTrees()
            try session.flush()
            let ring = ring ?? source.snapshot.ring
            var root = source.snapshot.root
            root.commit += 1
            root.nextNumber = session.nextNumber
            root.keyDigest = ring.digest
            root.catalogue = contents.catalogue.sealed
            root.sealedCounts = session.sealedCounts
            do { try root.validate() } catch { throw source.malformed("its root has counts that are not those of its values") }
            let (tag, sealed) = try session.commit(root)
            return (Snapshot(root: root, tag: tag, ring: ring), sealed)
        }
    }
}
