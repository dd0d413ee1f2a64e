/// A read of a context that runs now, and its transaction.
///
/// It is `@unchecked Sendable` because only the thread under whose identity it is kept takes it out.
struct ActiveReading: @unchecked Sendable {
    let transaction: ReadTransaction
}

/// One read of a context: makes the objects of records, one for each.
///
/// It belongs to the thread that reads. It never takes the lock of the context: another thread may hold that and wait for the engine.
final class ContextReading: _ObjectReading {
    let context: ObjectContext
    /// The transaction that reads, while it does.
    weak var transaction: ReadTransaction?
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
    func object<Object: LiveModel>(_ type: Object.Type, _ record: inout RecordDecoder) throws -> Object {
        let model = ObjectIdentifier(type)
        let key = record.hasLongKey ? ObjectKey(model, try record.wholeKey()) : ObjectKey(model, record.key)
        // The key tells the model, so the object is of its class.
        if let present = context.map.object(key) { return unsafeDowncast(present, to: Object.self) }
        let object = try Object.newObject(from: &record)
        if let transaction, let change = pending?.change(of: key), let before = change.before {
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

/// The version of a stored record, by which a save finds out whether somebody else changed it: a hash of its bytes. Never 0.
enum RecordVersion {
    static func of(_ record: [UInt8]) -> UInt64 { record.withUnsafeBytes { RecordChecksum.version(of: $0) } }

    static func of(_ record: RawSpan) -> UInt64 { record.withUnsafeBytes { RecordChecksum.version(of: $0) } }

    static func of(_ record: borrowing RecordDecoder) -> UInt64 {
        RecordChecksum.version(of: UnsafeRawBufferPointer(start: record.base, count: record.count))
    }
}

/// A record as it is in the store.
struct StoredVersion: Sendable {
    /// The record, in the current layout of its model.
    let bytes: [UInt8]
    /// The record as it is stored; nil where nobody looked.
    var storedBytes: [UInt8]?
    /// The version of the bytes that are stored.
    let version: UInt64
    /// The layout of the bytes that are stored.
    let layout: RecordLayout
}

extension ReadTransaction {
    /// A record's bytes in the current layout of its model.
    ///
    /// - Parameter key: the id's bytes.
    func record(_ bytes: [UInt8], key: [UInt8], inLayoutOf binding: ModelBinding) throws -> [UInt8] {
        if binding.layout.isLayout(of: bytes) { return bytes }
        let key = RecordKey(key)
        var buffer = RecordBuffer()
        try withDecoder(bytes.span.bytes, key: key.bytes.span.bytes, OpenModel(binding)) { try binding.normalise(&$0, &buffer) }
        return buffer.withBytes { _, record in [UInt8](copying: record) }
    }

    /// The stored records of some ids of a model, in their order; nil where there is none.
    func storedVersions(of keys: [[UInt8]], _ type: any LiveModel.Type) throws -> [StoredVersion?] {
        let model = try open(type)
        var versions = [StoredVersion?](repeating: nil, count: keys.count)
        guard let keyspace = model.keyspace else { return versions }
        let recordKeys = keys.map { RecordKey($0) }
        var watch = watch
        try reader.getMany(recordKeys.map(\.bytes), in: keyspace) { position, record in
            try watch.step()
            guard let record else { return }
            let key = recordKeys[position]
            var layout: RecordLayout?
            // Checks the record, and that it is not another id's with the same shortened key.
            try withDecoder(record, key: key.bytes.span.bytes, model, matching: key.long) { layout = $0.layout }
            guard let layout else { return }
            let bytes = [UInt8](copying: record)
            versions[position] = StoredVersion(
                bytes: try self.record(bytes, key: keys[position], inLayoutOf: model.binding), storedBytes: bytes,
                version: RecordVersion.of(bytes), layout: layout)
        }
        return versions
    }
}

extension RecordLayout {
    /// Whether a record is written in this layout.
    func isLayout(of record: [UInt8]) -> Bool {
        guard record.count >= Self.headerSize else { return false }
        return record.withUnsafeBytes { UInt16(littleEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) } == number
    }
}
