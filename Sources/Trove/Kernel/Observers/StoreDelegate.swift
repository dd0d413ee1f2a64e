/// An object that is told of each object inserted, updated or deleted in a store, whatever the cause: a save, a deletion, a delete rule, the other side of a
/// relationship.
///
/// ```swift
/// final class Auditor: StoreDelegate {
///     func willChange(_ change: ObjectChange) throws {
///         if change.kind == .deletion, let invoice = try change.old(Invoice.self), invoice.isPaid { throw AuditError.paid(invoice.id) }
///     }
///     func didCommit(_ changes: [ObjectChange]) { log(changes.map(\.reference)) }
/// }
/// store.delegate = Auditor()
/// ```
///
/// The first two methods are called inside of the write transaction, on its thread; they must use neither the store nor live objects. A transaction that is
/// taken back, as a whole or to a savepoint, may have told of changes that are never committed, and one that runs anew tells of them again. What a context does
/// only for a look, when it fetches with pending changes or settles an undo group, is not told. Bags are objects of a model of Trove's own.
///
/// A transaction keeps the bytes of each record that it changes, before and after, until ``didCommit(_:)`` has been told: about as much memory as these
/// records take in the store. So one that deletes all objects of a large model keeps all their records; delete them in several transactions where that is
/// too much. Records are decoded when they are asked for.
public protocol StoreDelegate: AnyObject, Sendable {
    /// Called before a record is written; an error that it throws refuses the change, as a unique index does.
    func willChange(_ change: ObjectChange) throws

    /// Called after the record was written, in the same transaction.
    func didChange(_ change: ObjectChange)

    /// Called after a transaction was committed, with its changes in order; an object that was changed twice is there twice.
    ///
    /// It is called on the thread that wrote, after other threads may write again. So calls for two transactions of two threads may come at the same time, and
    /// not in the order of the commits; those for the transactions of one thread come one after the other, in their order.
    /// ``ObjectStore/commits(bufferLimit:)`` has the order of the commits.
    ///
    /// It is outside of the transaction: it may read and write the store, set its ``ObjectStore/delegate`` and close it. A write of its own is told before it
    /// returns, so a delegate that writes each time never ends. It cannot throw, for what was committed stays. The call that wrote waits for it, and
    /// with asynchronous writes those behind it.
    ///
    /// After an asynchronous write, an operation of an ``ObjectContext`` throws ``TroveError/contextMisuse(reason:)`` here when it would have to wait for
    /// another one of the context, whose end may wait for this thread: do it in a task.
    func didCommit(_ changes: [ObjectChange])
}

extension StoreDelegate {
    /// Allows the change.
    public func willChange(_ change: ObjectChange) throws {}

    /// Does nothing.
    public func didChange(_ change: ObjectChange) {}

    /// Does nothing.
    public func didCommit(_ changes: [ObjectChange]) {}
}

/// One change of an object, as a ``StoreDelegate`` receives it.
public struct ObjectChange: Sendable {
    /// The kind of a change.
    public enum Kind: Sendable, Hashable {
        /// The object is new.
        case insertion
        /// The object was stored, and has other values or the same.
        case update
        /// The object is no longer stored.
        case deletion
    }

    /// The kind of a change.
    public let kind: Kind
    /// The reference to the object.
    public let reference: AnyReference
    private let old: RecordImage?
    private let new: RecordImage?
    /// The model; nil when the program does not have it.
    private let binding: ModelBinding?

    init(kind: Kind, reference: AnyReference, old: RecordImage?, new: RecordImage?, binding: ModelBinding?) {
        self.kind = kind
        self.reference = reference
        self.old = old
        self.new = new
        self.binding = binding
    }

    /// The record before the change; nil for an insertion, and for a record that cannot be read.
    ///
    /// It has the model's fields as the program declares them now; the record of a model that the program does not have has those it was written with, which go
    /// by their present names too. It is decoded each time it is asked for.
    public var oldRecord: StoredRecord? { old?.storedRecord(reference) }

    /// The record after the change; nil for a deletion, and for a record that cannot be read. Its fields are as ``oldRecord`` says.
    public var newRecord: StoredRecord? { new?.storedRecord(reference) }

    /// The object before the change; nil when it is of another model, or when there was none that can be read. One of a class is in no context.
    ///
    /// It is made anew each time it is asked for.
    ///
    /// - Throws: ``TroveError`` when a value does not fit its property.
    public func old<Object: Model>(_ type: Object.Type) throws -> Object? { try object(old) }

    /// The object after the change; nil when it is of another model, or when there is none that can be read. One of a class is in no context.
    ///
    /// It is made anew each time it is asked for.
    ///
    /// - Throws: ``TroveError`` when a value does not fit its property.
    public func new<Object: Model>(_ type: Object.Type) throws -> Object? { try object(new) }

    /// The change with one of its records alone, or none, for who keeps many.
    package func keeping(old keepsOld: Bool, new keepsNew: Bool) -> ObjectChange {
        ObjectChange(kind: kind, reference: reference, old: keepsOld ? old : nil, new: keepsNew ? new : nil, binding: binding)
    }

    private func object<Object: Model>(_ image: RecordImage?) throws -> Object? {
        guard let image, let binding, binding.type == ObjectIdentifier(Object.self) else { return nil }
        do {
            return try binding.withDecoder(image.bytes, key: RecordKey(reference.keyBytes), annexes: image.annexes) { try Object(from: &$0) }
        } catch TroveError.corruptRecord {
            return nil
        }
    }
}
