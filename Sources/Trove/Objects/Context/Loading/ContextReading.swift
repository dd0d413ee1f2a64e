/// One read of a context: makes the objects of records, one for each.
///
/// It belongs to the thread that reads. It never takes the lock of the context: another thread may hold that and wait for the engine.
final class ContextReading {
    let context: ObjectContext
    /// The changes that are pending, done to the records the transaction shows; nil when it shows the store as it is.
    var pending: PendingChanges?
    /// The context's epoch when the read began.
    private let epoch: UInt64
    /// The objects that this read made.
    private var loaded: [any LiveModel] = []
    /// Those of them that pending changes of other objects have changed.
    private var touched: [any LiveModel] = []
    private var groups: [ObjectIdentifier: FaultGroup] = [:]

    init(_ context: ObjectContext) {
        self.context = context
        epoch = context.epoch
    }

    /// The object of a record: the one that the context has, or else a new one.
    func object<Object: LiveModel>(_ type: Object.Type, _ record: inout RecordDecoder, _ transaction: ReadTransaction) throws -> Object {
        let model = ObjectIdentifier(type)
        let key = record.hasLongKey ? ObjectKey(model, try record.wholeKey()) : ObjectKey(model, record.key)
        // The key tells the model, so the object is of its class.
        if let present = context.map.object(key) { return unsafeDowncast(present, to: Object.self) }
        if let change = pending?.change(of: key), let before = change.before {
            return try object(type, key, before: before, &record, transaction)
        }
        let object: Object = try transaction.newObject(&record)
        return publish(object, key, version: RecordVersion.of(record))
    }

    /// The object of a record that pending changes of other objects change: it is changed too, from the record as the store has it.
    private func object<Object: LiveModel>(
        _ type: Object.Type, _ key: ObjectKey, before: [UInt8], _ record: inout RecordDecoder, _ transaction: ReadTransaction
    ) throws -> Object {
        let object: Object = try transaction.newObject(&record)
        object._$live.image = before
        object._$live.status = .changed
        let present = publish(object, key, version: RecordVersion.of(before))
        if present === object { touched.append(object) }
        return present
    }

    private func publish<Object: LiveModel>(_ object: Object, _ key: ObjectKey, version: UInt64) -> Object {
        let state = object._$live
        state.version = version
        state.join(context.domain, group: group(for: object))
        let present = unsafeDowncast(context.map.insert(object, key), to: Object.self)
        if present === object { loaded.append(object) }
        return present
    }

    /// A group that has the object in it.
    private func group<Object: LiveModel>(for object: Object) -> FaultGroup {
        let model = ObjectIdentifier(Object.self)
        if let group = groups[model], group.add(object) { return group }
        let group = FaultGroup()
        _ = group.add(object)
        groups[model] = group
        return group
    }

    /// Ends the read, outside of its transaction.
    func finish() throws {
        if loaded.isEmpty { return }
        try context.didRead(loaded, touched: touched, since: epoch)
    }
}
