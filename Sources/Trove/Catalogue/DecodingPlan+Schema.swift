extension DecodingPlan {
    /// How a model reads records of an older layout: by the fields' names.
    convenience init(from layout: RecordLayout, to schema: ModelSchema) {
        let document = layout.documentPosition
        let sources = schema.fields.map { field -> Source in
            if let document { return .member(position: document, name: field.name, to: field.type) }
            let position = layout.position(of: field.name) ?? field.originalName.flatMap { layout.position(of: $0) }
            guard let position else { return .missing }
            let stored = layout.fields[position].type
            if stored == field.type || (stored.optionalDepth == 0 && FieldType.optional(stored) == field.type) {
                return .same(position: position, isOptional: field.type.optionalDepth > 0)
            }
            return stored.widens(to: field.type) ? .widened(position: position, to: field.type) : .missing
        }
        self.init(sources, isUpgrade: layout.version < schema.version)
    }
}
