import Foundation

/// What one transaction changed in a store, as the store's history has it; see ``ObjectStore/history(after:of:limit:)``.
public struct HistoryEntry: Sendable {
    /// The place behind the entry.
    public let token: HistoryToken
    /// When the transaction ran, by the clock of the program that changed the store. Clocks go wrong: the order of the entries does not depend on it.
    public let date: Date
    /// Who changed the store, as the program says by ``WriteTransaction/author``, ``ContextOptions/author``, or when it opens the store; nil when it says
    /// nothing.
    public let author: String?
    /// The changes, in the order in which they were made; an object that was changed twice is there twice. What rules, inverses and queries changed is there
    /// like all other changes.
    ///
    /// Where the store keeps only ids, the old and new objects of all changes are nil. So are those that the program can read no longer. A lazy value is that of
    /// the time, unless the object has another one by now: then it is gone, and asking for it throws ``TroveError/lazyValueGone(model:id:property:)``.
    public let changes: [ObjectChange]

    /// The ids of a model's objects that the transaction changed, by what became of them in the end: one that was inserted and deleted again is not there.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when a key is no id of the model.
    /// - Complexity: O(*n*) in the number of changes.
    public func changes<Object: Model>(of type: Object.Type) throws -> ChangedIDs<Object> { try ChangedIDs(of: changes) }
}
