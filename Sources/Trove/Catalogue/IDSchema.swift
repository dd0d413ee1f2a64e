/// What the catalogue keeps of a model's ids, so that a store notices a program that would read them otherwise.
struct IDSchema: Equatable {
    struct Part: Equatable {
        let name: String
        let type: String
    }

    /// A native type's name, also for an enum with such raw values; `composite` for all others.
    let type: String
    /// The parts of a composite in their order; none when its type does not tell them.
    let parts: [Part]

    init(type: String, parts: [Part]) {
        self.type = type
        self.parts = parts
    }

    init(_ id: any StorableKey.Type) {
        type = FieldType(ofID: id)?.description ?? "composite"
        parts = id.keyParts.map { Part(name: $0.name, type: IDSchema($0.type).description) }
    }

    /// Whether ids that were stored so are what the model, with this schema, declares now.
    ///
    /// A part may have been renamed as its property was; two of one type that changed places cannot be told by their types.
    func isDeclared(by declared: IDSchema, of schema: ModelSchema) -> Bool {
        guard type == declared.type else { return false }
        if parts.isEmpty || declared.parts.isEmpty { return true }
        return parts.count == declared.parts.count
            && zip(parts, declared.parts).allSatisfy { stored, part in
                stored.type == part.type
                    && (stored.name == part.name || schema.fields.contains { $0.name == part.name && $0.originalName == stored.name })
            }
    }
}

extension IDSchema: CustomStringConvertible {
    var description: String {
        parts.isEmpty ? type : "(\(parts.map { "\($0.name): \($0.type)" }.joined(separator: ", ")))"
    }
}

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
                model: schema.name,
                reason: "its identity has \(names.count) fields, but its id has \(types.count) parts; name the fields of the parts, in their order")
        }
        var parts: [Part] = []
        for (name, type) in zip(names, types) {
            guard let field = schema.fields.first(where: { $0.name.hasBytes(of: name) }) else {
                throw TroveError.schemaMismatch(model: schema.name, reason: "its identity names '\(name)', which is not one of its fields")
            }
            if field.isEncrypted {
                throw TroveError.invalidEncryption(
                    model: schema.name, property: name, reason: "ids are made of it, and ids are in the clear; give the model another id")
            }
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
