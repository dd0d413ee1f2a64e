/// An operation of a program inside a transaction. Keyspaces are named; those that are not there are created by what changes them.
public indirect enum StorageOperation: ProgramStep {
    /// Stores an entry.
    case put(keyspace: String, key: ProgramKey, value: ProgramValue)
    /// Stores an entry unless its key is there.
    case insert(keyspace: String, key: ProgramKey, value: ProgramValue)
    /// Removes an entry.
    case delete(keyspace: String, key: ProgramKey)
    /// Removes an entry without returning whether it existed.
    case remove(keyspace: String, key: ProgramKey)
    /// Stores `count` entries whose keys are four-byte numbers from `first` on, so that trees become deep.
    case fill(keyspace: String, first: Int, count: Int, size: Int)
    /// Removes the entries of a range.
    case deleteRange(keyspace: String, range: ProgramRange)
    /// Looks a keyspace up, or creates it.
    case create(keyspace: String)
    /// Removes a keyspace with its entries.
    case drop(keyspace: String)
    /// Reads a value.
    case get(keyspace: String, key: ProgramKey)
    /// Reads many values in one call.
    case getMany(keyspace: String, keys: [ProgramKey])
    /// Announces keys that later operations may need.
    case prefetch(keyspace: String, keys: [ProgramKey])
    /// Counts the entries of a keyspace.
    case count(keyspace: String)
    /// Counts the entries of a range.
    case countRange(keyspace: String, range: ProgramRange)
    /// Lists the keyspaces.
    case names
    /// Scans a range; runs the next of `meanwhile` at each entry, and stops after `limit` entries.
    case scan(keyspace: String, range: ProgramRange, descending: Bool, limit: Int, meanwhile: [StorageOperation])
    /// Scans a range with a number of expected entries. It is right or wrong, which must make no difference.
    case scanExpecting(keyspace: String, range: ProgramRange, descending: Bool, limit: Int, expected: Int, meanwhile: [StorageOperation])
    /// Scans the keys of a range, up to `limit` of them.
    case scanKeys(keyspace: String, range: ProgramRange, descending: Bool, limit: Int)
    /// Moves one cursor about.
    case walk(keyspace: String, moves: [CursorMove])
    /// Runs operations in a savepoint, which throws at its end when it is to fail.
    case savepoint(operations: [StorageOperation], fails: Bool)

    public var operationCount: Int {
        switch self {
        case .scan(_, _, _, _, let meanwhile), .scanExpecting(_, _, _, _, _, let meanwhile): 1 + meanwhile.operationCount
        case .walk(_, let moves): moves.operationCount
        case .fill(_, _, let count, _): count
        case .savepoint(let operations, _): 1 + operations.operationCount
        default: 1
        }
    }

    public var simplerForms: [[StorageOperation]] {
        switch self {
        case .put(let keyspace, let key, let value):
            return key.simplerForms.map { [.put(keyspace: keyspace, key: $0, value: value)] }
                + value.simplerForms.map { [.put(keyspace: keyspace, key: key, value: $0)] }
        case .insert(let keyspace, let key, let value):
            return key.simplerForms.map { [.insert(keyspace: keyspace, key: $0, value: value)] }
                + value.simplerForms.map { [.insert(keyspace: keyspace, key: key, value: $0)] }
        case .delete(let keyspace, let key): return key.simplerForms.map { [.delete(keyspace: keyspace, key: $0)] }
        case .remove(let keyspace, let key): return key.simplerForms.map { [.remove(keyspace: keyspace, key: $0)] }
        case .prefetch(let keyspace, let keys):
            return keys.count > 1 ? keys.map { [.prefetch(keyspace: keyspace, keys: [$0])] } : []
        case .countRange(let keyspace, let range): return range.simplerForms.map { [.countRange(keyspace: keyspace, range: $0)] }
        case .scanExpecting(let keyspace, let range, let descending, let limit, _, let meanwhile):
            return [[.scan(keyspace: keyspace, range: range, descending: descending, limit: limit, meanwhile: meanwhile)]]
        case .scanKeys(let keyspace, let range, let descending, let limit):
            return range.simplerForms.map { [.scanKeys(keyspace: keyspace, range: $0, descending: descending, limit: limit)] }
        case .get(let keyspace, let key): return key.simplerForms.map { [.get(keyspace: keyspace, key: $0)] }
        case .getMany(let keyspace, let keys): return keys.map { [.get(keyspace: keyspace, key: $0)] }
        case .deleteRange(let keyspace, let range):
            return range.simplerForms.map { [.deleteRange(keyspace: keyspace, range: $0)] }
        case .scan(let keyspace, let range, let descending, let limit, let meanwhile):
            return meanwhile.simplerLists.map {
                [.scan(keyspace: keyspace, range: range, descending: descending, limit: limit, meanwhile: $0)]
            }
                + range.simplerForms.map {
                    [.scan(keyspace: keyspace, range: $0, descending: descending, limit: limit, meanwhile: meanwhile)]
                }
        case .walk(let keyspace, let moves):
            return [changes(of: moves, in: keyspace)] + moves.simplerLists.map { [.walk(keyspace: keyspace, moves: $0)] }
        case .savepoint(let operations, let fails):
            return [operations] + operations.simplerLists.map { [.savepoint(operations: $0, fails: fails)] }
                + (fails ? [[.savepoint(operations: operations, fails: false)]] : [])
        case .fill(let keyspace, let first, let count, let size):
            return [(first, 1, size), (first, count / 2, size), (first + count / 2, count - count / 2, size), (first, count, size / 2)]
                .filter { $0.1 > 0 && ($0.1 < count || $0.2 < size) }
                .map { [.fill(keyspace: keyspace, first: $0.0, count: $0.1, size: $0.2)] }
        case .create, .drop, .count, .names: return []
        }
    }

    /// The changes of a walk without the walk. Where it deletes what it is at, this deletes what was put last, which may be something else.
    private func changes(of moves: [CursorMove], in keyspace: String) -> [StorageOperation] {
        var last = ProgramKey([0])
        return moves.compactMap { move in
            switch move {
            case .put(let key, let value):
                last = key
                return .put(keyspace: keyspace, key: key, value: value)
            case .deleteCurrent: return .delete(keyspace: keyspace, key: last)
            case .seek, .last, .next, .previous: return nil
            }
        }
    }
}
