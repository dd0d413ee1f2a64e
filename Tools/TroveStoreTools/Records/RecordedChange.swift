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
    package var isBag: Bool { modelName == StoreModels.bags }

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
                let recorder = ChangeRecorder(withRecords: withRecords)
                transaction.addDelegate(recorder)
                let models = try StoreModels(transaction)
                // What follows from the changes is done when it ends.
                try transaction.savepoint { try body(transaction, models) }
                changes = try recorder.ends(models)
                try check(changes)
                if !keeps { throw Tried() }
            }
        } catch is Tried {}
        return changes
    }
}

/// Takes down which objects a transaction changes.
private final class ChangeRecorder: StoreDelegate {
    /// The first and the last change of each object, of which the one tells what was before, and the other what is afterwards.
    private struct Ends {
        var order: [AnyReference] = []
        var changes: [AnyReference: (first: ObjectChange, last: ObjectChange)] = [:]
    }

    private let ends = Mutex(Ends())
    private let withRecords: Bool

    init(withRecords: Bool) { self.withRecords = withRecords }

    func didChange(_ change: ObjectChange) {
        ends.withLock { ends in
            let known = ends.changes[change.reference]?.first
            if known == nil { ends.order.append(change.reference) }
            let first = known ?? change.keeping(old: true, new: false)
            // A new object is known to be one without its record.
            ends.changes[change.reference] = (first, change.keeping(old: false, new: withRecords || first.kind != .insertion))
        }
    }

    func ends(_ models: StoreModels) throws -> [RecordedChange] {
        let ends = ends.withLock { $0 }
        return try ends.order.compactMap { reference in
            guard let (first, last) = ends.changes[reference], let kind = Self.kind(first, last) else { return nil }
            let (old, new) = withRecords ? (first.kind == .insertion ? nil : first.oldRecord, last.newRecord) : (nil, nil)
            return RecordedChange(
                kind: kind, modelName: reference.modelName, id: try models.id(of: reference), key: reference.keyBytes, old: old, new: new)
        }
    }

    /// What became of an object; nil when it is as it was.
    private static func kind(_ first: ObjectChange, _ last: ObjectChange) -> RecordedChange.Kind? {
        switch (first.kind == .insertion, last.kind == .deletion) {
        case (true, true): nil
        case (true, false): .inserted
        case (false, true): .deleted
        case (false, false): isSame(first.oldRecord, last.newRecord) ? nil : .changed
        }
    }

    /// Numbers that are none are unequal to themselves, and the two zeros equal: what is stored tells.
    private static func isSame(_ old: StoredRecord?, _ new: StoredRecord?) -> Bool {
        guard let old, let new else { return old == nil && new == nil }
        return old.isIdentical(to: new)
    }
}
