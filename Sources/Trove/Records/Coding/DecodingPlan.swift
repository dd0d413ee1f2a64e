/// Where the fields of a model's schema are found in records of an older layout.
@usableFromInline final class DecodingPlan: Sendable {
    @usableFromInline enum Source: Sendable, Hashable {
        /// The field at this position of the record's layout, of the same type but for optional layers.
        case same(position: Int, isOptional: Bool)
        /// The field at this position, whose values are converted to a wider type.
        case widened(position: Int, to: FieldType)
        /// The record has no such field.
        case missing
    }

    @usableFromInline let sources: [Source]
    /// Whether the layout is of an earlier version of the model.
    let isUpgrade: Bool

    init(from layout: RecordLayout, to schema: ModelSchema) {
        isUpgrade = layout.version < schema.version
        sources = schema.fields.map { field in
            let position = layout.position(of: field.name) ?? field.originalName.flatMap { layout.position(of: $0) }
            guard let position else { return .missing }
            let stored = layout.fields[position].type
            if stored == field.type || (stored.optionalDepth == 0 && FieldType.optional(stored) == field.type) {
                return .same(position: position, isOptional: field.type.optionalDepth > 0)
            }
            return stored.widens(to: field.type) ? .widened(position: position, to: field.type) : .missing
        }
    }
}
