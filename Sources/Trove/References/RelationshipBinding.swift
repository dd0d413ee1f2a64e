/// A relationship of a model, as one open store has it.
///
/// What it is the inverse of is found by ``StoreCore/inverse(of:)``: two bindings that held each other would never be freed.
final class RelationshipBinding: Sendable {
    /// The model that has the field.
    let model: ModelBinding
    /// The position of the field in the model's schema and layout.
    let field: Int
    /// The name of the field.
    let name: String
    let schema: StoredRelationship
    /// The model it points at; nil when it may be any.
    let target: ModelBinding?
    /// The model and the position of the field that say the same the other way round.
    let inverse: (model: String, field: Int)?
    /// Reads the field's value from records.
    let reader: FieldReader
    /// The schema of the index of what points where.
    let index: IndexSchema

    /// How its references stand in the index.
    let references: ReferencePart

    /// The members of the field's value that are references; nil when the value itself is one.
    var part: CollectionPart? { schema.shape.part }

    /// - Throws: ``TroveError/invalidRelationship(model:field:reason:)``.
    init(
        _ model: ModelBinding, field: Int, _ schema: StoredRelationship, target: ModelBinding?, inverse: (model: String, field: Int)?
    ) throws {
        let declared = model.schema.fields[field]
        self.model = model
        self.field = field
        self.schema = schema
        self.target = target
        self.inverse = inverse
        references = ReferencePart(target)
        name = declared.name
        let path = FieldPath(field: name)
        reader = try FieldReader(path, in: model)
        index = IndexSchema("references of \(name)", parts: [IndexPart(path, indexesValues: schema.shape == .keyed)])
        guard target?.idType?.optionalDepth ?? 0 == 0 else {
            throw Self.invalid(model, name, "the ids of \(target?.schema.name ?? "") may be nil, and nothing can refer to nil; use another id")
        }
        if schema.shape == .requiredOne, schema.targetDeleteRule == .nullify {
            throw Self.invalid(
                model, name, "it cannot become nil when its target is deleted; make it optional, or use another rule than nullify")
        }
    }

    /// The type of one stored reference to a model, or to any.
    static func referenceType(_ target: ModelBinding?) -> FieldType { target?.idType?.unwrapped ?? .data }

    static func invalid(_ model: ModelBinding, _ field: String, _ reason: String) -> TroveError {
        .invalidRelationship(model: model.schema.name, field: field, reason: reason)
    }

    /// Whether it may point at objects of a model.
    func mayPoint(at modelName: String) -> Bool { target.map { $0.schema.name.hasBytes(of: modelName) } ?? true }
}

extension RelationshipShape {
    /// The members of a value that are references; nil when the value itself is one.
    var part: CollectionPart? {
        switch self {
        case .optionalOne, .requiredOne: nil
        case .ordered, .set: .elements
        case .keyed: .values
        }
    }
}
