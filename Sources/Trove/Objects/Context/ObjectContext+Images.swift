// All with the lock of the domain held.
extension ObjectContext {
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when this thread is changing a property of an object, whose values cannot be taken meanwhile.
    func checkNoChangeUnderWay() throws {
        guard domain.changesUnderWay > 0 else { return }
        throw TroveError.contextMisuse(
            reason: "a property is being changed in place, so the context's changes cannot be read; fetch first, then change it")
    }

    /// Whether this thread is changing a property in place; the lock need not be held.
    var isChangeUnderWay: Bool { domain.lock.isHeld && domain.changesUnderWay > 0 }

    /// The object's record as it would be stored now, in the current layout of its model.
    func encoded<Object: LiveModel>(_ object: Object) throws -> [UInt8] {
        // What the application's types do while they are encoded may ask for another record, so the buffer is taken.
        var buffer = spareBuffer.take() ?? RecordBuffer()
        try encode(object, binding(of: Object.self), &buffer)
        let record = buffer.withBytes { _, record in [UInt8](copying: record) }
        // The lazy values that a buffer has would stay in memory with it.
        if record.count <= Self.keptBufferSize, buffer.record.annexes.isEmpty { spareBuffer = consume buffer }
        return record
    }

    /// The largest record whose memory is kept for the next.
    private static var keptBufferSize: Int { 1 << 16 }

    /// Leaves the object's key and record in `buffer`.
    func encode<Object: LiveModel>(_ object: Object, _ binding: ModelBinding, _ buffer: inout RecordBuffer) throws {
        buffer.key.removeAll()
        object.id.encode(into: &buffer.key)
        do {
            try buffer.encode(object, binding.layout)
            annexes.add(buffer.record.annexes)
        } catch let fault as DecodingFault {
            throw buffer.record.error(for: fault)
        }
    }

    /// Gives an object the values of a record, and tells those who observe it.
    ///
    /// - Parameter image: a record in the current layout of the object's model.
    func assign<Object: LiveModel>(_ image: [UInt8], to object: Object) throws {
        let binding = try core.binding(for: Object.self)
        let key = RecordKey(key(of: object).bytes)
        try object.live.observingAll(object, in: domain) {
            try binding.withDecoder(image, key: key, annexes: lazyValues(of: binding)) { try object._$load(from: &$0) }
        }
        object.live.changeCount &+= 1
        tellLists(Object.self, deletes: false)
    }

    /// Makes an object as it was: the one way in which an image is applied, as an ordinary change that the next save stores.
    ///
    /// - Parameters:
    ///   - image: a record in the current layout of the object's model; nil for an object that was not there.
    ///   - heedingRules: whether the rules of a deletion are heeded though the object was never saved.
    func restore(_ object: any LiveModel, to image: [UInt8]?, heedingRules: Bool = false) throws {
        guard let image else { return try delete(object, leavingGhost: heedingRules) }
        switch object.live.status {
        // What it refers to is restored by itself.
        case .detached, .deleted, .gone: try domain.isHome(of: object.live) ? insertAgain(object) : insert(object)
        case .clean: willChange(object, field: 0)
        case .inserted, .changed: break
        }
        try assign(image, to: object)
        object.live.noteAllFields(count: type(of: object).schema.fields.count)
        countChange()
    }

    /// The key of an object's record, also where the object has been given another id than that, which a save refuses.
    func key(of object: any LiveModel) -> ObjectKey { map.key(of: object) ?? object.contextKey }

    /// The values of a record in the current layout, by their names.
    func storedRecord(_ image: [UInt8], of object: any LiveModel) throws -> StoredRecord {
        try storedRecord(image, key: key(of: object).bytes, of: type(of: object))
    }

    /// The values of a record in the current layout of a class.
    func storedRecord(_ image: [UInt8], key: [UInt8], of type: any LiveModel.Type) throws -> StoredRecord {
        let binding = try core.binding(for: type)
        return try binding.withDecoder(image, key: RecordKey(key), annexes: lazyValues(of: binding)) {
            StoredRecord(key: key, layout: binding.layout, values: try $0.storedValues(binding.layout), annexes: lazyValues(of: binding))
        }
    }

    /// The record in the current layout with these values.
    func image(_ record: StoredRecord, _ binding: ModelBinding) throws -> [UInt8] {
        var buffer = RecordBuffer()
        try buffer.encode(record, binding.layout)
        annexes.add(buffer.record.annexes)
        return buffer.withBytes { _, bytes in [UInt8](copying: bytes) }
    }
}
