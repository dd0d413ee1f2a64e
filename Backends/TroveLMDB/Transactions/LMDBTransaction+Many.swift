import CLMDB
import TroveStorage

extension LMDBTransaction {
    /// From how many keys on a cursor looks them up.
    private static let keysForCursor = 3

    /// One cursor for all keys: LMDB looks first whether a key lies in the page of the one before, as it mostly does where they ascend and lie close together.
    final func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        let cursor = keys.count < Self.keysForCursor ? nil : try openCursor(on: dbi(of: keyspace))
        defer { if let cursor { closeCursor(cursor) } }
        var position = 0
        try keys.forEach { key in
            var step = ScanStep.next
            let isFound = try get(key, in: keyspace, through: cursor?.pointer) { step = try body(position, $0) }
            if !isFound { step = try body(position, nil) }
            position += 1
            return step
        }
    }
}
