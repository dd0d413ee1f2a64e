extension RecordLayout {
    /// Whether records have the field, under its own name or its original one.
    func hasField(_ field: FieldSchema) -> Bool {
        documentPosition != nil || position(of: field.name) != nil || field.originalName.flatMap { position(of: $0) } != nil
    }
}

extension RecordLayout {
    /// Where the nested value is in records that were documents of a collection, which a model has adopted; nil of other layouts.
    var documentPosition: Int? {
        fields.count == 2 && fields[0].name == DocumentField.className ? position(of: DocumentField.root) : nil
    }
}

extension RecordBuffer {
    /// Leaves the object's record in the buffer, under the whole key that is in ``key``.
    mutating func encode(_ object: some Model, _ layout: RecordLayout) throws {
        begin(layout, isWide: false)
        try object.encode(into: &record)
        if try finish() { return }
        begin(layout, isWide: true)
        try object.encode(into: &record)
        _ = try finish()
    }

    /// Leaves the record's key and bytes in the buffer.
    mutating func encode(_ stored: StoredRecord, _ layout: RecordLayout) throws {
        key.removeAll()
        key.append(whole: stored.key)
        for isWide in [false, true] {
            begin(layout, isWide: isWide)
            for (position, (value, field)) in zip(stored.values, layout.fields).enumerated() {
                do {
                    if field.type.isLazy, case .data(let form) = value {
                        try form.withUnsafeBytes { try record.appendLazy(form: $0) { stored.provider(of: $0, position) } }
                    } else {
                        try record.encode(value, as: field.type)
                    }
                } catch DecodingFault.unfit(let reason) {
                    throw TroveError.encodingFailed(model: stored.modelName, field: field.name, reason: reason)
                }
            }
            if try finish() { return }
        }
    }
}

extension DecodingPlan {
    /// How a model reads records of an older layout: by the fields' names.
    convenience init(from layout: RecordLayout, to schema: ModelSchema) {
        let document = layout.documentPosition
        let sources = schema.fields.map { field -> Source in
            if let document { return .member(position: document, name: MemberName(present: field.name, original: field.originalName), to: field.type) }
            let position = layout.position(of: field.name) ?? field.originalName.flatMap { layout.position(of: $0) }
            guard let position else { return .missing }
            let stored = layout.fields[position].type
            if stored == field.type || (stored.optionalDepth == 0 && FieldType.optional(stored) == field.type) {
                return .same(position: position, isOptional: field.type.optionalDepth > 0)
            }
            // Else each fetch would read the values to convert them.
            if case (.lazy(let stored), .lazy(let declared)) = (stored, field.type), stored.nests(as: declared) {
                return .same(position: position, isOptional: false)
            }
            return stored.widens(to: field.type) ? .widened(position: position, to: field.type) : .missing
        }
        self.init(sources, isUpgrade: layout.version < schema.version)
    }
}
