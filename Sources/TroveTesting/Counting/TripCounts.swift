/// How often a remote engine would have had to wait for an answer; see ``CountingBackend``.
public struct TripCounts: Sendable, Hashable, CustomStringConvertible {
    /// What was waited for.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A name of a keyspace that was not known yet, the list of names, or a keyspace that is dropped.
        case keyspace
        /// Values by key, one by one, many in one call, or all that were announced.
        case get
        /// A page of a scan or of a cursor.
        case scan
        /// A number of entries.
        case count
        /// Whether a key was there that is inserted or deleted, or how many were in a range that is deleted.
        case change
        /// The end of a transaction that has changed something.
        case commit
        /// Something done to the whole store.
        case store
    }

    private var counts: [Kind: Int] = [:]

    /// No trips.
    public init() {}

    /// The trips of one kind.
    public subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

    /// The trips of all kinds.
    public var total: Int { counts.values.reduce(0, +) }

    mutating func add(_ kind: Kind, _ count: Int = 1) { counts[kind, default: 0] += count }

    /// The total, and the kinds there were: `5 trips (get 3, scan 1, commit 1)`.
    public var description: String {
        let kinds = Kind.allCases.filter { self[$0] > 0 }.map { "\($0.rawValue) \(self[$0])" }
        return "\(total) trips" + (kinds.isEmpty ? "" : " (" + kinds.joined(separator: ", ") + ")")
    }
}
