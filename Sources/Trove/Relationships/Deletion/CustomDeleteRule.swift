/// A model with its own function for the objects that are deleted with one of its objects, beyond what a ``DeleteRule`` can say.
///
/// ```swift
/// @Model struct Customer: CustomDeleteRule {
///     var name: String
///     var isArchived = false
///
///     func alsoDeleted(in transaction: ReadTransaction) throws -> [AnyReference] {
///         guard isArchived else { throw CustomerError.stillActive(name) }                          // nothing is deleted
///         return try transaction.fetch(Draft.self).where { $0.customerName == name }.ids().map { AnyReference(Draft.self, id: $0) }
///     }
/// }
/// ```
///
/// It is asked for every object that is to be deleted, whatever deletes it: a call, a query, a relationship's rule, another such function, the end of a
/// savepoint for an orphan; structs and live objects alike. What it names is deleted with the object and judged by the same rules, so circles
/// end, and what they deny denies the whole.
///
/// A program that does not have the model cannot ask it, and deletes none of its objects: ``TroveError/needsModel(_:reason:)``. It is not asked of an object
/// that is too damaged to be read. One that the program's own code refuses to read cannot be deleted: what goes with it is not known.
public protocol CustomDeleteRule: Model {
    /// The objects that are deleted with this one. Those that are not stored, or go anyway, do no harm.
    ///
    /// It only reads. The transaction shows the store as it is before the deletion; the object is a copy as it is stored, a live object's one too, which is in
    /// no context. It may be asked several times for one deletion.
    ///
    /// - Throws: whatever is to keep the object from being deleted. Then nothing of the deletion is done, and its caller gets the error.
    func alsoDeleted(in transaction: ReadTransaction) throws -> [AnyReference]
}

extension StoreCore {
    /// Whether a model has a function that is asked when its objects are deleted.
    private func hasCustomDeleteRule(_ modelName: String) -> Bool { attachments.attachment { CustomDeleteRules(models) }.names.contains(modelName) }

    /// Whether a model may have such a function; of one that the program does not have the catalogue tells.
    func mayHaveCustomDeleteRule(_ modelName: String, in table: IndexTable) -> Bool {
        guard let entry = table.storedModel(named: modelName)?.storedEntry else { return hasCustomDeleteRule(modelName) }
        return entry.hasCustomDeleteRule != false
    }
}

/// The models of an open store that are ``CustomDeleteRule``s, looked for once: every deletion asks.
private final class CustomDeleteRules: Sendable {
    let names: Set<String>

    init(_ models: [any Model.Type]) { names = Set(models.lazy.filter { $0 is any CustomDeleteRule.Type }.map { $0.schema.name }) }
}
