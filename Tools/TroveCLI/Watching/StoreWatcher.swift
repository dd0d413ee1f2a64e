import Foundation
import Trove
import TroveStoreTools

/// Looks at a store again and again, and tells what others changed between two looks.
///
/// A store tells of changes within the process that makes them. Between processes nothing tells what was changed, so each look reads the watched records,
/// unless nobody has committed since.
struct StoreWatcher {
    /// What became of an object between two looks.
    struct Change {
        enum Kind: String {
            case inserted
            case changed
            case deleted
        }

        let kind: Kind
        let model: StoredModel
        let key: [UInt8]
        /// Of a new object all values, of a changed one those that are others now, as far as they were kept; none of a deleted one.
        let values: [(name: String, value: StoredValue)]

        /// The values as one; nil of a deleted object.
        var valuesByName: StoredValue? { kind == .deleted ? nil : .object(RecordDifference.byName(values)) }
    }

    /// A record as it was seen.
    fileprivate struct Seen {
        let digest: Int
        /// The record; nil where so many are watched that only the digest is kept.
        let record: StoredRecord?
    }

    /// Up to so many records are kept whole, so that a change can tell what it changed.
    static let mostRecordsKept = 10_000

    private let store: ObjectStore
    private let names: [String]
    private let criteria: String?
    private var seen: [String: [[UInt8]: Seen]] = [:]
    private var commits: CommitLook

    /// Takes the first look.
    ///
    /// - Parameters:
    ///   - names: the models and collections to watch; all, also those that come later, when there are none.
    ///   - criteria: what is true of the records that are watched. One that it becomes true of is inserted, one that it is true of no more is deleted.
    init(_ store: ObjectStore, _ names: [String], _ criteria: String?) throws {
        (self.store, self.names, self.criteria) = (store, names, criteria)
        commits = store.commitLook()
        _ = try look()
    }

    /// What changed since the last look.
    mutating func look() throws -> [Change] {
        // One that cannot read is done again as a whole.
        var commits = commits
        let found = try commits.hasNews() ? store.read { try changes($0) } : []
        self.commits = commits
        return found
    }

    private mutating func changes(_ transaction: ReadTransaction) throws -> [Change] {
        var changes: [Change] = []
        for model in try StoreModels(transaction).all where names.isEmpty || names.contains(model.name) {
            let old = seen[model.name] ?? [:]
            var new: [[UInt8]: Seen] = [:]
            new.reserveCapacity(old.count)
            let fetch = transaction.fetchRecords(of: [model.name])
            try (criteria.map { fetch.matching($0) } ?? fetch).forEach { record, _ in
                let before = old[record.key]
                let now = Seen(digest: record.hashValue, record: new.count < Self.mostRecordsKept ? record : nil)
                new[record.key] = now
                guard before?.digest != now.digest else { return }
                changes.append(Change(before, record, model))
            }
            let gone = old.keys.filter { new[$0] == nil }.sorted { $0.lexicographicallyPrecedes($1) }
            changes += gone.map { Change(kind: .deleted, model: model, key: $0, values: []) }
            seen[model.name] = new
        }
        return changes
    }
}

extension StoreWatcher.Change {
    fileprivate init(_ before: StoreWatcher.Seen?, _ record: StoredRecord, _ model: StoredModel) {
        let values = RecordDifference(from: before?.record, to: record, of: model).after
        self.init(kind: before == nil ? .inserted : .changed, model: model, key: record.key, values: values)
    }
}
