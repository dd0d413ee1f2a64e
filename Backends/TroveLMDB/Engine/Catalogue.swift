import CLMDB

/// The keyspaces of one committed state, ascending by name.
///
/// An LMDB database is never deleted, because its handle is shared by all threads and a reader of an older state may be using
/// it. So keyspaces live in numbered databases, *slots*, and a database of its own maps names to them. Dropping a keyspace
/// empties its slot and makes it free for the next one.
///
/// Nothing in it changes after it was made.
final class Catalogue: @unchecked Sendable {
    let names: [[UInt8]]
    let slots: [Int]
    /// The handles of the keyspaces, as many as there are names.
    let dbis: UnsafeMutablePointer<MDB_dbi>

    var count: Int { names.count }

    init(names: [[UInt8]], slots: [Int], dbis: [MDB_dbi]) {
        self.names = names
        self.slots = slots
        self.dbis = .allocate(capacity: dbis.count)
        self.dbis.initialize(from: dbis, count: dbis.count)
    }

    deinit { dbis.deallocate() }

    /// The position of the keyspace with this name.
    func position(of name: UnsafeRawBufferPointer) -> Int? {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            let order = names[middle].withUnsafeBytes { compareBytes($0, name) }
            if order == 0 { return middle }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The name, in the main database, of the database that holds the catalogue. The number is the version of this arrangement.
    static let databaseName = databasePrefix + "1"
    static let databasePrefix = "trove.catalogue."
    static let slotPrefix = "trove.keyspace."

    static func databaseName(ofSlot slot: Int) -> String { slotPrefix + String(slot) }
}
