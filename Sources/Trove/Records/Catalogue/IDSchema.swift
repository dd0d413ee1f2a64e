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
