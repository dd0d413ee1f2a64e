import Synchronization

/// Told of each object that is inserted, updated or deleted in a store, whatever causes it: a save, a deletion, a delete rule, the other side of a relationship.
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
/// The first two methods are called inside of the write transaction, on its thread; they must use neither the store nor live objects. A transaction that is taken back, as a
/// whole or to a savepoint, may have told of changes that are never committed, and one that runs anew tells of them again. What a context does only for a look, when it fetches
/// with pending changes or settles an undo group, is not told. Bags are objects of a model of Trove's own.
public protocol StoreDelegate: AnyObject, Sendable {
    /// Called before a record is written; what it throws refuses the change, as a unique index would.
    func willChange(_ change: ObjectChange) throws

    /// Called when the record has been written, in the same transaction.
    func didChange(_ change: ObjectChange)

    /// Called when a transaction was committed, with its changes in their order; an object that was changed twice is there twice.
    ///
    /// It is called on the thread that wrote, after other threads may write again. So calls for two transactions of two threads may come at the same time, and not in the order
    /// of the commits.
    func didCommit(_ changes: [ObjectChange])
}

extension StoreDelegate {
    /// Refuses nothing.
    public func willChange(_ change: ObjectChange) throws {}

    /// Does nothing.
    public func didChange(_ change: ObjectChange) {}

    /// Does nothing.
    public func didCommit(_ changes: [ObjectChange]) {}
}

/// One change of an object in a store, as a ``StoreDelegate`` is told of it.
public struct ObjectChange: Sendable {
    /// What becomes of the object.
    public enum Kind: Sendable, Hashable {
        /// There was none with its id.
        case insertion
        /// It was there, and has other values or the same.
        case update
        /// It is no longer there.
        case deletion
    }

    /// What becomes of the object.
    public let kind: Kind
    /// Which object it is.
    public let reference: AnyReference
    /// The record before the change; nil for an insertion, and for a record that is too damaged to be read or of a model that the program does not have.
    public let oldRecord: StoredRecord?
    /// The record after the change; nil for a deletion, and for a record of a model that the program does not have.
    public let newRecord: StoredRecord?
    /// The model; nil when the program does not have it.
    private let binding: ModelBinding?

    init(kind: Kind, reference: AnyReference, oldRecord: StoredRecord?, newRecord: StoredRecord?, binding: ModelBinding?) {
        self.kind = kind
        self.reference = reference
        self.oldRecord = oldRecord
        self.newRecord = newRecord
        self.binding = binding
    }

    /// The object before the change; nil when it is of another model, or there was none that can be read. One of a class is in no context.
    ///
    /// - Throws: ``TroveError`` when a value does not fit its property.
    public func old<Object: Model>(_ type: Object.Type) throws -> Object? { try object(oldRecord) }

    /// The object after the change; nil when it is of another model, or there is none. One of a class is in no context.
    ///
    /// - Throws: ``TroveError`` when a value does not fit its property.
    public func new<Object: Model>(_ type: Object.Type) throws -> Object? { try object(newRecord) }

    private func object<Object: Model>(_ record: StoredRecord?) throws -> Object? {
        guard let record, let binding, binding.type == ObjectIdentifier(Object.self) else { return nil }
        var buffer = RecordBuffer()
        try buffer.encode(record, binding.layout)
        let bytes = buffer.withBytes { _, bytes in [UInt8](copying: bytes) }
        return try binding.withDecoder(bytes, key: RecordKey(record.key)) { try Object(from: &$0) }
    }
}

/// The delegate of an open store.
final class DelegateHolder: Sendable {
    private let held = Mutex<(any StoreDelegate)?>(nil)

    var delegate: (any StoreDelegate)? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
