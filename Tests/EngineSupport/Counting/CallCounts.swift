import Synchronization

/// How often a ``CallCountingBackend`` was called.
public final class CallCounts: Sendable {
    /// The calls that are counted.
    public enum Call: Sendable, Hashable, CaseIterable {
        case read, commit
        /// Keys that were asked for, one by one or together.
        case get, getOfMany
        case insert
        /// Insertions that found a record.
        case refusedInsert
        case put, delete
        /// The number of all entries, which some engines find by walking.
        case count
    }

    private let counts = Mutex<[Call: Int]>([:])

    public init() {}

    public subscript(_ call: Call) -> Int { counts.withLock { $0[call] ?? 0 } }

    /// The numbers of all calls.
    public var all: [Call: Int] { Dictionary(uniqueKeysWithValues: Call.allCases.map { ($0, self[$0]) }) }

    public func note(_ call: Call, _ count: Int = 1) { counts.withLock { $0[call, default: 0] += count } }

    public func reset() { counts.withLock { $0 = [:] } }
}
