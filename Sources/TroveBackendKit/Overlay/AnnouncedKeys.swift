import TroveStorage

/// The keys that `prefetch` announced in a transaction, and their values once they were fetched: all of them in one go, when the first is
/// needed.
///
/// A remote engine's reader has one and asks it before it asks the server. ``WriteOverlay`` has its own. Used by one thread at a time, as
/// transactions are.
public final class AnnouncedKeys {
    /// Fetches values: calls the function it is given with the position of the keyspace in the list, the position of the key there, and the
    /// value, nil where there is none.
    public typealias Fetch = (
        _ keys: [(keyspace: Keyspace, keys: [[UInt8]])], _ body: (_ keyspace: Int, _ key: Int, _ value: RawSpan?) throws -> Void
    ) throws -> Void

    /// The answer for a key.
    public enum Answer: Sendable, Hashable {
        /// The key was not announced.
        case unknown
        /// The value; nil when there is no entry with the key.
        case value([UInt8]?)
    }

    /// The most bytes kept; more are forgotten before the next fetch.
    private static let maxSize = 64 << 20

    private let fetch: Fetch
    /// The keys that were not fetched yet.
    private(set) var announced: [Keyspace: Set<[UInt8]>] = [:]
    private var fetched: [Keyspace: [[UInt8]: [UInt8]?]] = [:]
    private var size = 0

    /// - Parameter fetch: asks for the values of keys of several keyspaces, in one round trip where that can be.
    public init(fetch: @escaping Fetch) { self.fetch = fetch }

    /// Fetches with ``StorageReader/getMany(_:in:_:)``, once for each keyspace.
    public convenience init(reader: any StorageReader) {
        self.init { keys, body in
            for (position, (keyspace, keys)) in keys.enumerated() {
                try reader.getMany(keys, in: keyspace) { try body(position, $0, $1) }
            }
        }
    }

    /// Notes keys that will be needed. Empty and too long ones are passed over: no entry has them.
    public func announce(_ keys: [[UInt8]], in keyspace: Keyspace, maxKeySize: Int = StorageLimits.maxKeySize) {
        let known = fetched[keyspace] ?? [:]
        for key in keys where !key.isEmpty && key.count <= maxKeySize && known[key] == nil { announced[keyspace, default: []].insert(key) }
    }

    /// The answer for a key. When it was announced and not fetched yet, fetches all that were announced.
    public func answer(_ key: [UInt8], in keyspace: Keyspace) throws -> Answer {
        if let value = fetched[keyspace]?[key] { return .value(value) }
        guard announced[keyspace]?.contains(key) == true else { return .unknown }
        try fetchAll()
        return fetched[keyspace]?[key].map(Answer.value) ?? .unknown
    }

    /// Looks up many keys: those that are not known yet, and all that were announced, in one fetch.
    public func answers(_ keys: [[UInt8]], in keyspace: Keyspace) throws -> [[UInt8]?] {
        let known = fetched[keyspace] ?? [:]
        let missing = Set(keys.filter { known[$0] == nil })
        if missing.isEmpty { return keys.map { known[$0] ?? nil } }
        announced[keyspace, default: []].formUnion(missing)
        try fetchAll(keeping: known.isEmpty ? [] : Set(keys), of: keyspace)
        let found = fetched[keyspace] ?? [:]
        return keys.map { found[$0] ?? nil }
    }

    /// Forgets the values of keys that were changed in the store.
    public func forget(_ keys: some Sequence<[UInt8]>, in keyspace: Keyspace) {
        for key in keys {
            fetched[keyspace]?[key] = nil
            announced[keyspace]?.remove(key)
        }
    }

    /// Forgets the values of the keys of a range, which were removed in the store.
    func forget(_ range: KeyRange, in keyspace: Keyspace) { fetched[keyspace] = fetched[keyspace]?.filter { !range.contains($0.key) } }

    /// Forgets a keyspace, which was dropped.
    public func forget(_ keyspace: Keyspace) {
        fetched[keyspace] = nil
        announced[keyspace] = nil
    }

    /// Of the keys that were not fetched yet, forgets those that were not announced `earlier`: their keyspaces may have been undone since.
    func forgetAnnounced(but earlier: [Keyspace: Set<[UInt8]>]) {
        for (keyspace, keys) in announced { announced[keyspace] = earlier[keyspace].map(keys.intersection) }
    }

    private func fetchAll(keeping needed: Set<[UInt8]> = [], of keyspace: Keyspace? = nil) throws {
        if size > Self.maxSize {
            fetched = keyspace.map { [$0: (fetched[$0] ?? [:]).filter { needed.contains($0.key) }] } ?? [:]
            size = 0
        }
        let keys = announced.filter { !$0.value.isEmpty }.sorted { $0.key.number < $1.key.number }.map { keyspace, keys in
            (keyspace: keyspace, keys: keys.sorted { $0.precedes($1) })
        }
        announced = [:]
        try fetch(keys) { position, place, value in
            let (keyspace, keys) = keys[position]
            // Spans have no `map`.
            var copy: [UInt8]?
            if let value { copy = [UInt8](copying: value) }
            size += keys[place].count + (copy?.count ?? 0)
            fetched[keyspace, default: [:]][keys[place]] = .some(copy)
        }
    }
}
