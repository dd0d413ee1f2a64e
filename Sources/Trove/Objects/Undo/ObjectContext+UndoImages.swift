// With the lock of the domain held.
extension ObjectContext {
    /// The values of a record in the current layout of a class.
    func storedRecord(_ image: [UInt8], key: [UInt8], of type: any LiveModel.Type) throws -> StoredRecord {
        let binding = try core.binding(for: type)
        var record: StoredRecord?
        try binding.withDecoder(image, key: RecordKey(key)) {
            record = StoredRecord(key: key, layout: binding.layout, values: try $0.storedValues(binding.layout))
        }
        return record.unsafelyUnwrapped  // The decoder ran its body or threw.
    }

    /// A new object of a record, in no context.
    func detachedObject<Object: LiveModel>(_ image: [UInt8], key: [UInt8], of type: Object.Type) throws -> Object {
        let binding = try core.binding(for: type)
        var object: Object?
        try binding.withDecoder(image, key: RecordKey(key)) { object = try Object(from: &$0) }
        return object.unsafelyUnwrapped  // The decoder ran its body or threw.
    }

    /// The objects that a record of a class points at, through all of its relationships.
    func targets(of image: [UInt8], key: [UInt8], _ type: any LiveModel.Type) throws -> [AnyReference] {
        let fields = type.schema.fields.indices.filter { type.schema.fields[$0].relationship != nil }
        if fields.isEmpty { return [] }
        func object<Object: LiveModel>(_ type: Object.Type) throws -> any LiveModel { try detachedObject(image, key: key, of: type) }
        let object = try object(type)
        return fields.flatMap { object._$targets(of: $0) }
    }
}
