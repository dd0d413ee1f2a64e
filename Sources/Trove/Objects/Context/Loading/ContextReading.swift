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
    /// Those of them that pending changes of other objects have changed, with their `changeCount` before anybody else had them.
    private var touched: [(object: any LiveModel, changeCount: UInt64)] = []
    /// The context's ``ContextState/derivation`` when the pending changes were taken.
    var derivation: UInt64 = 0
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
        let object: Object = try transaction.newObject(&record)
        if let change = pending?.change(of: key), let before = change.before {
            // Other objects' pending changes change this one, from the record as the store has it.
            let binding = try context.core.binding(for: type)
            object._$live.image = try transaction.record(before, key: key.bytes, inLayoutOf: binding)
            return publish(object, key, as: .changed, version: RecordVersion.of(before))
        }
        return publish(object, key, as: .clean, version: RecordVersion.of(record))
    }

    private func publish<Object: LiveModel>(
        _ object: Object, _ key: ObjectKey, as status: LiveObjectStatus, version: UInt64
    ) -> Object {
        object._$live.join(context.domain, as: status, version: version, group: group(for: object))
        let changeCount = object._$live.changeCount
        let present = unsafeDowncast(context.map.insert(object, key), to: Object.self)
        if present === object {
            loaded.append(object)
            if status == .changed { touched.append((object, changeCount)) }
        }
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
        try context.didRead(loaded, touched: touched, derivation: derivation, since: epoch)
    }
}
