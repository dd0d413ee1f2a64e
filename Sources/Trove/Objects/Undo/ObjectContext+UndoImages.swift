// With the lock of the domain held.
extension ObjectContext {
    /// A new object of a record, in no context.
    func detachedObject<Object: LiveModel>(_ image: [UInt8], key: [UInt8], of type: Object.Type) throws -> Object {
        try core.binding(for: type).withDecoder(image, key: RecordKey(key)) { try Object(from: &$0) }
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
