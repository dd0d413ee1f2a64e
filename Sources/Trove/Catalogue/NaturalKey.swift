/// The fields that a model's ids are made of, so far as their values can be sought in the records' keys.
struct NaturalKey: Sendable {
    /// One of the fields.
    struct Part: Sendable {
        let path: FieldPath
        /// The field's type, which is that of the key's part.
        let type: FieldType
    }

    /// In the order in which the key has them, from its beginning on.
    let parts: [Part]
    /// Whether the key has nothing behind them.
    let isWhole: Bool

    /// - Parameter id: the type of the ids.
    /// - Returns: nil where the schema names no identity, or keys have an encoding of the id's own.
    /// - Throws: ``TroveError/schemaMismatch(model:reason:)`` when the identity is not one of fields, or the id is not made of as many.
    init?(_ schema: ModelSchema, id: any StorableKey.Type) throws {
        let names = schema.identity
        if names.isEmpty { return nil }
        let types = names.count == 1 ? [FieldType(ofID: id)] : id.keyParts.map { FieldType(ofID: $0.type) }
        guard types.count == names.count else {
            throw TroveError.schemaMismatch(
                model: schema.name, reason: "its identity has \(names.count) fields, but its id has \(types.count) parts; name the fields of the parts, in their order")
        }
        var parts: [Part] = []
        for (name, type) in zip(names, types) {
            guard let field = schema.fields.first(where: { $0.name.hasBytes(of: name) }) else {
                throw TroveError.schemaMismatch(model: schema.name, reason: "its identity names '\(name)', which is not one of its fields")
            }
            if field.isEncrypted { throw TroveError.invalidEncryption(model: schema.name, property: name, reason: "ids are made of it, and ids are in the clear; give the model another id") }
            guard parts.count < names.count, let type, type == field.type, type.optionalDepth < 2, type.unwrapped.scalar != nil else { break }
            parts.append(Part(path: FieldPath(field: name), type: type))
        }
        if parts.isEmpty { return nil }
        self.parts = parts
        isWhole = parts.count == names.count
    }

    /// Whether a field is one of those that ids are made of.
    func hasField(_ path: FieldPath) -> Bool { parts.contains { $0.path == path } }
}
