/// A read of a context that runs now, and its transaction.
///
/// It is `@unchecked Sendable` because only the thread under whose identity it is kept takes it out.
struct ActiveReading: @unchecked Sendable {
    let reading: ContextReading
    let transaction: ReadTransaction
}

/// One read of a context: makes the objects of records, one for each.
///
/// It belongs to the thread that reads. It never takes the lock of the context: another thread may hold that and wait for the engine.
/// What changes with each object is not checked for exclusive access, which takes longer than the access: no code of others runs meanwhile.
final class ContextReading: _ObjectReading {
    let context: ObjectContext
    private let map: IdentityMap
    private let domain: ObjectDomain
    /// The transaction that reads, while it does.
    weak var transaction: ReadTransaction?
    /// The changes that are pending, done to the records the transaction shows; nil when it shows the store as it is.
    var pending: PendingChanges?
    /// The context's epoch when the read began.
    private let epoch: UInt64
    /// The objects that this read made.
    @exclusivity(unchecked) private var loaded: [any LiveModel] = []
    /// The objects that it met and that another read made, one which began before the context's last save.
    private var provisional: [any LiveModel] = []
    /// Those of the loaded that pending changes of other objects have changed.
    @exclusivity(unchecked) private var touched: [DerivedObject] = []
    /// The context's ``ContextState/derivation`` when the pending changes were taken.
    var derivation: UInt64 = 0
    /// Its ``ContextState/outdatedCount`` then.
    var outdatedCount: UInt64 = 0
    /// The groups that are not full yet, by model.
    @exclusivity(unchecked) private var groups: [ObjectIdentifier: FaultGroup] = [:]
    /// The one of the object that came last, the model of its objects, and how many more it takes.
    @exclusivity(unchecked) private var group: FaultGroup?
    @exclusivity(unchecked) private var groupModel: ObjectIdentifier?
    @exclusivity(unchecked) private var room = 0
    /// The places of the objects that have this group, and of which it is still to be told: it has a lock.
    @exclusivity(unchecked) private var newMembers: [UInt32] = []

    init(_ context: ObjectContext) {
        (self.context, map, domain) = (context, context.map, context.domain)
        epoch = context.epoch
    }

    /// The object of a record: the one that the context has, or else a new one.
    func object<Object: LiveModel>(_ type: Object.Type, _ record: inout RecordDecoder) throws -> Object {
        let model = ObjectIdentifier(type)
        let key = record.hasLongKey ? ObjectKey(model, try record.wholeKey()) : ObjectKey(model, record.key)
        var absence: IdentityMap.Absence?
        let found = map.find(key, &absence)
        if let present = found.object {
            let present = unsafeDowncast(present, to: type)
            if found.isProvisional { provisional.append(present) }
            return present
        }
        // One that has left the context since its changes were taken: a second object of its key would keep it from coming back.
        let change = pending?.change(of: key)
        if let change, change.before == nil, let left = pending?.storedObject(of: key) { return unsafeDowncast(left, to: type) }
        let object = try Object.newObject(from: &record)
        if let change, let before = change.before, let after = change.after, let transaction {
            // Other objects' pending changes change this one, from the record as the store has it.
            let binding = try context.core.binding(for: type)
            let image = try transaction.record(before, key: key.bytes, inLayoutOf: binding)
            let derived = try transaction.record(after, key: key.bytes, inLayoutOf: binding)
            return publish(object, key, absence, as: .changed, version: RecordVersion.of(before), image: image, derived: derived)
        }
        return publish(object, key, absence, as: .clean, version: RecordVersion.of(record))
    }

    /// Gives an object that was made to the context, or gives the one that another thread made meanwhile.
    ///
    /// - Parameters:
    ///   - image: the record as the store has it, where the object was made of another one.
    ///   - derived: that other one.
    private func publish<Object: LiveModel>(
        _ object: consuming Object, _ key: ObjectKey, _ absence: IdentityMap.Absence?, as status: LiveObjectStatus, version: UInt64, image: [UInt8]? = nil,
        derived: [UInt8]? = nil
    ) -> Object {
        let changeCount = object._$state._withUnsafeGuaranteedRef { live in
            live.join(group(of: key.model), as: status, version: version)
            if let image { live.image = image }
            return live.changeCount
        }
        let insertion = map.insert(object, key, absence, readIn: epoch)
        // What had to give way for it ends last: its deinit is the application's, and may read.
        defer { withExtendedLifetime(insertion) {} }
        if let present = insertion.object {
            let present = unsafeDowncast(present, to: Object.self)
            // The other read may have begun before the last save.
            if insertion.isProvisional { provisional.append(present) }
            return present
        }
        newMembers.append(insertion.place)
        if newMembers.count >= room { endGroup(of: key.model) }
        loaded.append(object)
        if let derived { touched.append(DerivedObject(object: object, changeCount: changeCount, record: derived)) }
        return object
    }

    /// The group that takes the next object of a model.
    private func group(of model: ObjectIdentifier) -> FaultGroup {
        if let group, groupModel == model { return group }
        tellGroup()
        let group = groups[model] ?? FaultGroup(domain)
        groups[model] = group
        (self.group, groupModel, room) = (group, model, FaultGroup.maxCount - group.count)
        return group
    }

    /// Lets another group come after the one that is full.
    private func endGroup(of model: ObjectIdentifier) {
        tellGroup()
        groups[model] = nil
        (group, groupModel) = (nil, nil)
    }

    /// Tells the group of the objects that were made until now, as before anybody asks it for them.
    func tellGroup() {
        if newMembers.isEmpty { return }
        room -= newMembers.count
        group?.add(newMembers)
        newMembers = []
    }

    /// Ends the read, outside of its transaction.
    func finish() throws {
        tellGroup()
        if !loaded.isEmpty { try context.didRead(loaded, touched: touched, by: self, since: epoch) }
        if provisional.isEmpty { return }
        try context.bringUpToDate(provisional, keepingChanges: true)
        map.confirm(provisional)
    }
}

extension ReadTransaction {
    /// The read of a context that the transaction is for; nil in others.
    var contextReading: ContextReading? {
        // The only class of readings.
        reading.map { unsafeDowncast($0.takeUnretainedValue(), to: ContextReading.self) }
    }

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

    /// A stored record, checked; nil when it is another id's with the same shortened key.
    func storedVersion(_ record: RawSpan, id whole: [UInt8], _ model: OpenModel) throws -> StoredVersion? {
        let key = RecordKey(whole)
        var layout: RecordLayout?
        try withDecoder(record, key: key.bytes.span.bytes, model, matching: key.long) { layout = $0.layout }
        guard let layout else { return nil }
        let bytes = [UInt8](copying: record)
        return StoredVersion(
            bytes: try self.record(bytes, key: whole, inLayoutOf: model.binding), storedBytes: bytes, version: RecordVersion.of(bytes), layout: layout)
    }

    /// The versions of the stored records of some ids of a model, in their order; nil where there is none. The records are not looked into.
    func versions(of keys: [[UInt8]], _ type: any LiveModel.Type) throws -> [UInt64?] {
        var versions = [UInt64?](repeating: nil, count: keys.count)
        guard let keyspace = try open(type).keyspace else { return versions }
        let ids = RecordKeys(bytes: keys)
        var watch = watch
        try reader.getMany(ids.keys, in: keyspace) { position, record in
            try watch.step()
            if let record { versions[position] = RecordVersion.of(record) }
            return .next
        }
        return versions
    }

    /// The stored records of some ids of a model, in their order; nil where there is none.
    func storedVersions(of keys: [[UInt8]], _ type: any LiveModel.Type) throws -> [StoredVersion?] {
        let model = try open(type)
        var versions = [StoredVersion?](repeating: nil, count: keys.count)
        guard let keyspace = model.keyspace else { return versions }
        let ids = RecordKeys(bytes: keys)
        var watch = watch
        try reader.getMany(ids.keys, in: keyspace) { position, record in
            try watch.step()
            if let record { versions[position] = try storedVersion(record, id: keys[position], model) }
            return .next
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

extension LiveModel {
    /// The object that the reading context has of the record, or a new one; without a context, a new object in none.
    public static func _makeObject(from record: inout RecordDecoder, for reading: Unmanaged<_ObjectReading>?) throws -> Self {
        guard let reading else {
            let object = try newObject(from: &record)
            object._$state._withUnsafeGuaranteedRef { $0.isOfRecord = true }
            return object
        }
        return try reading._withUnsafeGuaranteedRef { try unsafeDowncast($0, to: ContextReading.self).object(Self.self, &record) }
    }

    /// True.
    public static var _isLive: Bool { true }

    /// The objects that were assigned to relationships of an object in no context.
    public func _heldObjects() -> [any Model] {
        ObjectDomain.detached.withLock {
            guard ObjectDomain.detached.isHome(of: live) else { return [] }
            var held: [any LiveModel] = []
            _$appendHeld(to: &held)
            return held
        }
    }

    /// Throws when the object is in a context, because a thread that holds the context's lock may wait for this transaction.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when the object is in a context.
    public func _checkBeforeWriting() throws {
        if live.domain === ObjectDomain.detached { return }
        throw TroveError.contextMisuse(
            reason: "\(Self.schema.name.withArticle) that is in a context cannot be stored by a transaction of the store; save the context")
    }

    /// Throws when the object is in a context, which would keep the object and its changes.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when the object is in a context.
    public func _checkBeforeDeleting() throws {
        if live.domain === ObjectDomain.detached { return }
        throw TroveError.contextMisuse(
            reason: "\(Self.schema.name.withArticle) that is in a context cannot be deleted by a transaction of the store; call context.delete(object) and "
                + "save the context, or, when the context is gone, delete the object by its id")
    }
}
