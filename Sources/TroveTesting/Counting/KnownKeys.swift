import TroveStorage

/// The keys of a transaction that an engine would know without asking, by the numbers of keyspaces.
struct KnownKeys {
    private var announced: [UInt32: Set<[UInt8]>] = [:]
    private var fetched: [UInt32: Set<[UInt8]>] = [:]
    private var written: [UInt32: Set<[UInt8]>] = [:]
    /// What was added to `written`, in order, for savepoints to undo.
    private var journal: [(keyspace: UInt32, key: [UInt8])] = []

    /// How much was written so far.
    var mark: Int { journal.count }

    mutating func announce(_ keys: [[UInt8]], _ keyspace: UInt32) {
        announced[keyspace, default: []].formUnion(keys.filter { !contains($0, keyspace) })
    }

    func contains(_ key: [UInt8], _ keyspace: UInt32) -> Bool {
        written[keyspace]?.contains(key) == true || fetched[keyspace]?.contains(key) == true
    }

    /// Whether a question about these keys has to be waited for. If one of them was announced, all that were are known from now on.
    mutating func ask(_ keys: [[UInt8]], _ keyspace: UInt32) -> Bool {
        let unknown = keys.filter { !contains($0, keyspace) }
        if unknown.contains(where: { announced[keyspace]?.contains($0) == true }) {
            fetched.merge(announced) { $0.union($1) }
            announced = [:]
        }
        return !unknown.isEmpty
    }

    mutating func write(_ key: [UInt8], _ keyspace: UInt32) {
        if written[keyspace, default: []].insert(key).inserted { journal.append((keyspace, key)) }
    }

    /// Forgets what was written since a mark.
    mutating func undo(to mark: Int) {
        while journal.count > mark {
            let (keyspace, key) = journal.removeLast()
            written[keyspace]?.remove(key)
        }
    }
}
