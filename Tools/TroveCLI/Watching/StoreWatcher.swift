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
        let digest: UInt64
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
        try look { _ in }
    }

    /// Calls `body` with each change since the last look, while the store is read: however many there are, one is in memory.
    ///
    /// A look that cannot be done to its end is done again, without the models that were looked at.
    mutating func look(_ body: (Change) throws -> Void) throws {
        var commits = commits
        if try commits.hasNews() { try store.read { try look(in: $0, body) } }
        self.commits = commits
    }

    private mutating func look(in transaction: ReadTransaction, _ body: (Change) throws -> Void) throws {
        for model in try StoreModels(transaction).all where names.isEmpty || names.contains(model.name) {
            let old = seen[model.name] ?? [:]
            var new: [[UInt8]: Seen] = [:]
            new.reserveCapacity(old.count)
            let fetch = transaction.fetchDigestedRecords(of: [model.name])
            try (criteria.map { fetch.matching($0) } ?? fetch).forEach { found, _ in
                let record = found.record
                let before = old[record.key]
                new[record.key] = Seen(digest: found.digest, record: new.count < Self.mostRecordsKept ? record : nil)
                // A value that is encrypted again is stored as other bytes.
                guard before?.digest != found.digest, before?.record.map({ record.sealedFields.isEmpty && record.isIdentical(to: $0) }) != true else { return }
                try body(Change(before, record, model))
            }
            let gone = old.keys.filter { new[$0] == nil }.sorted { $0.lexicographicallyPrecedes($1) }
            for key in gone { try body(Change(kind: .deleted, model: model, key: key, values: [])) }
            seen[model.name] = new
        }
    }
}

extension StoreWatcher.Change {
    fileprivate init(_ before: StoreWatcher.Seen?, _ record: StoredRecord, _ model: StoredModel) {
        let values = RecordDifference(from: before?.record, to: record, of: model).after
        self.init(kind: before == nil ? .inserted : .changed, model: model, key: record.key, values: values)
    }
}
