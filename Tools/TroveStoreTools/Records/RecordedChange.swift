import Foundation
import Synchronization
import Trove

/// What became of an object in a transaction, whatever did that: what was asked for, an inverse, a delete rule.
package struct RecordedChange: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case inserted, changed, deleted
    }

    package let kind: Kind
    package let modelName: String
    package let id: StoredValue
    package let key: [UInt8]
    /// The record before and afterwards; nil where there was none, and where nobody asked for them.
    package let old: StoredRecord?
    package let new: StoredRecord?

    /// Whether it is a bag, which lost a member.
    package var isBag: Bool { modelName == "$bags" }

    /// Thrown to take back what was only tried.
    private struct Tried: Error {}

    /// Calls `body` in a transaction of the store and returns what became of each object that it changed, in the order in which they were first changed.
    ///
    /// - Parameters:
    ///   - keeps: whether the changes are stored. If not, all of them are taken back, and the rules have said what they say.
    ///   - withRecords: whether the changes have the records too.
    ///   - check: is asked about the changes before they are stored; when it throws, nothing is.
    package static func changing(
        _ store: ObjectStore, keeps: Bool, withRecords: Bool = false, _ body: (WriteTransaction, StoreModels) throws -> Void,
        check: ([RecordedChange]) throws -> Void = { _ in }
    ) throws -> [RecordedChange] {
        var changes: [RecordedChange] = []
        do {
            try store.write { transaction in
                let recorder = ChangeRecorder(before: transaction.delegate)
                transaction.setDelegate(recorder)
                let models = try StoreModels(transaction)
                // What follows from the changes is done when it ends.
                try transaction.savepoint { try body(transaction, models) }
                changes = try recorder.ends(models, withRecords: withRecords)
                try check(changes)
                if !keeps { throw Tried() }
            }
        } catch is Tried {}
        return changes
    }
}

/// Takes down which objects a transaction changes, beside the delegate that the store has.
private final class ChangeRecorder: StoreDelegate {
    private let changes = Mutex<[ObjectChange]>([])
    private let other: (any StoreDelegate)?

    init(before other: (any StoreDelegate)?) { self.other = other }

    func willChange(_ change: ObjectChange) throws { try other?.willChange(change) }

    func didChange(_ change: ObjectChange) {
        changes.withLock { $0.append(change) }
        other?.didChange(change)
    }

    func didCommit(_ changes: [ObjectChange]) { other?.didCommit(changes) }

    func ends(_ models: StoreModels, withRecords: Bool) throws -> [RecordedChange] {
        var order: [AnyReference] = []
        var ends: [AnyReference: (first: ObjectChange, last: ObjectChange)] = [:]
        for change in changes.withLock({ $0 }) {
            if let known = ends[change.reference] {
                ends[change.reference] = (known.first, change)
            } else {
                order.append(change.reference)
                ends[change.reference] = (change, change)
            }
        }
        return try order.compactMap { reference in
            guard let (first, last) = ends[reference], let kind = Self.kind(first, last) else { return nil }
            let (old, new) = withRecords ? (first.kind == .insertion ? nil : first.oldRecord, last.newRecord) : (nil, nil)
            return RecordedChange(
                kind: kind, modelName: reference.modelName, id: try Self.id(of: reference, models), key: reference.keyBytes, old: old, new: new)
        }
    }

    /// What became of an object; nil when it is as it was.
    private static func kind(_ first: ObjectChange, _ last: ObjectChange) -> RecordedChange.Kind? {
        switch (first.kind == .insertion, last.kind == .deletion) {
        case (true, true): nil
        case (true, false): .inserted
        case (false, true): .deleted
        case (false, false): first.oldRecord == last.newRecord ? nil : .changed
        }
    }

    private static func id(of reference: AnyReference, _ models: StoreModels) throws -> StoredValue {
        guard let model = models.all.first(where: { $0.name == reference.modelName }) else { return .data(Data(reference.keyBytes)) }
        return try model.ids.value(of: reference.keyBytes)
    }
}
