import TroveBackendKit
import TroveStorage

/// A read transaction of a sealed store, and the reading half of a write transaction.
class SealedReader: StorageReader {
    /// The keyspaces as they are in the transaction.
    struct Contents {
        var catalogue: SealedTree
        var opened = OpenKeyspaces()
    }

    final let source: SnapshotReader
    final var contents: Contents
    final var transaction: TransactionState
    /// How often the transaction has changed the store; always 0 in a read.
    final var changes = 0

    init(_ source: SnapshotReader) {
        self.source = source
        transaction = TransactionState(
            engine: source.engine.place.engine, path: source.engine.place.path, maxKeySize: StorageLimits.maxKeySize, maxValueSize: StorageLimits.maxValueSize)
        contents = Contents(catalogue: SealedTree(source.snapshot.root.catalogue))
    }

    /// Ends the transaction and lets its nodes go, whoever still holds this object.
    final func finish() {
        transaction.finish()
        contents = Contents(catalogue: SealedTree())
    }

    /// Takes note that an engine call failed.
    func note(_ error: StorageError) -> StorageError { error }

    /// Runs what reads or writes the wrapped engine.
    @inline(__always)
    final func engineCall<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as StorageError { throw note(error) }
    }

    // MARK: Keyspaces

    final func keyspace(named name: String) throws -> Keyspace? {
        try transaction.check()
        return try position(of: Array(name.utf8)).map(handle)
    }

    final func keyspaceNames() throws -> [String] {
        try transaction.check()
        var names: [String] = []
        try engineCall {
            var spot = try contents.catalogue.seek([], in: source)
            while let found = spot {
                for position in 0..<found.page.entries.count { names.append(String(decoding: found.page.entries.key(position), as: UTF8.self)) }
                spot = try found.high.flatMap { try contents.catalogue.seek(from: $0, in: source) }
            }
        }
        return names
    }

    /// The position of the keyspace with a name, opened when it was not yet.
    final func position(of name: [UInt8]) throws -> Int? {
        if let position = contents.opened.position(of: name) { return position }
        if isCatalogueUnchanged, let tree = source.snapshot.tree(name) { return contents.opened.add(name, SealedTree(tree)) }
        return try engineCall {
            guard let (page, position) = try name.withUnsafeBytes({ try contents.catalogue.find($0, in: source) }) else { return nil }
            let descriptor: SealedTree.Descriptor
            do { descriptor = try SealedTree.Descriptor(page.entries.payload(position)) } catch { throw source.malformed("a keyspace has no tree") }
            if isCatalogueUnchanged { source.snapshot.note(descriptor, name) }
            return contents.opened.add(name, SealedTree(descriptor))
        }
    }

    private var isCatalogueUnchanged: Bool { contents.catalogue.dirty == nil && contents.catalogue.sealed == source.snapshot.root.catalogue }

    final func handle(_ position: Int) -> Keyspace { Keyspace(number: UInt32(position), transaction: transaction.serial) }

    /// Checks the handle and gives its keyspace's position.
    @inline(__always)
    final func position(of keyspace: Keyspace) throws -> Int {
        try transaction.check(keyspace)
        let position = Int(keyspace.number)
        guard position < contents.opened.count, !contents.opened[position].isGone else { throw transaction.goneKeyspace }
        return position
    }

    /// Checks the handle and gives its keyspace's tree as it is now.
    @inline(__always)
    final func tree(of keyspace: Keyspace) throws -> SealedTree { contents.opened[try position(of: keyspace)].tree }

    // MARK: Entries

    final func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        let tree = try tree(of: keyspace)
        try transaction.checkKey(key)
        guard let (page, position) = try engineCall({ try key.withUnsafeBytes { try tree.find($0, in: source) } }) else { return false }
        try withValue(page, position, body)
        return true
    }

    /// Calls `body` with a value. The bytes are those of the page that the caller holds, or of a copy, so what `body` changes leaves them alone.
    final func withValue<Result>(_ page: Page, _ position: Int, _ body: (RawSpan) throws -> Result) throws -> Result {
        if page.entries.isLarge(position) {
            let bytes = try engineCall {
                let value: LargeValue?
                do { value = try page.largeValue(position) } catch { throw source.malformed("a pointer to a large value is none") }
                return try value.map(source.bytes) ?? []
            }
            return try body(bytes.span.bytes)
        }
        let bytes = page.entries.bytes
        return try body(bytes.span.bytes.extracting(page.entries.payloadRange(position)))
    }

    /// Calls `body` with a key of a page.
    final func withKey<Result>(_ page: Page, _ position: Int, _ body: (RawSpan) throws -> Result) rethrows -> Result {
        let bytes = page.entries.bytes
        return try body(bytes.span.bytes.extracting(page.entries.keyRange(position)))
    }

    final func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        _ = try position(of: keyspace)
        return SealedCursor(over: keyspace, in: self)
    }

    /// The wrapped engine's, whose state has this one in it.
    final var stateStamp: StateStamp? { source.inner.stateStamp }

    final func count(in keyspace: Keyspace) throws -> Int { try tree(of: keyspace).count }

    final func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        let tree = try tree(of: keyspace)
        if range.isEmpty { return 0 }
        return try engineCall {
            try (range.upper.map { try tree.count(below: $0, in: source) } ?? tree.count) - tree.count(below: range.lower, in: source)
        }
    }

    /// The wrapped engine's readers, until the transaction has changed nodes in memory, which these would not see.
    final func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        try transaction.check()
        try source.inner.withConcurrentReaders(upTo: changes == 0 ? count : 0) { inner in
            let readers = try inner.map { SealedReader(try SnapshotReader($0, in: source.engine)) }
            defer { for reader in readers { reader.finish() } }
            try body(readers)
        }
    }

    // MARK: Cursors and savepoints

    /// A number for a new cursor; later cursors have greater ones.
    func registerCursor() -> Int { 0 }

    /// Throws when the cursor was made in a savepoint that has been undone.
    func checkCursor(_ number: Int) throws {}
}
