/// The number of times that a remote engine would have to wait for an answer; see ``CountingBackend``.
public struct TripCounts: Sendable, Hashable, CustomStringConvertible {
    /// The kind of an answer.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The look-up of a keyspace's name that was not known yet, the list of names, or the drop of a keyspace.
        case keyspace
        /// The look-up of values by key: one, many in one call, or all that were announced.
        case get
        /// A page of a scan or of a cursor.
        case scan
        /// The count of entries.
        case count
        /// The question whether a key that is inserted or deleted was there, or how many entries were in a deleted range.
        case change
        /// The end of a transaction that changed something.
        case commit
        /// An operation on the whole store.
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

    /// The total and the counts by kind: `5 trips (get 3, scan 1, commit 1)`.
    public var description: String {
        let kinds = Kind.allCases.filter { self[$0] > 0 }.map { "\($0.rawValue) \(self[$0])" }
        return "\(total) trips" + (kinds.isEmpty ? "" : " (" + kinds.joined(separator: ", ") + ")")
    }
}
