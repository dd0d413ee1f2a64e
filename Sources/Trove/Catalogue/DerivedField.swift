/// A value that is made of an object, as queries know it: by its name.
struct DerivedField: Sendable {
    let name: String
    let type: FieldType
    /// Reads the object of a record in the current layout and appends the value in the nested encoding.
    let encode: @Sendable (RecordView, inout ByteWriter) throws -> Void

    /// The derived values that a model's indexes name.
    ///
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)`` when one has the name of a field, or two have one name.
    static func all<Object: Model>(of model: Object.Type, layout: RecordLayout) throws -> [DerivedField] {
        var fields: [DerivedField] = []
        for derived in model.indexes.compactMap(\.derived) {
            let isField = derived.name == FieldPath.id.field || model.schema.fields.contains { $0.name == derived.name }
            if isField || derived.name.isEmpty || fields.contains(where: { $0.name == derived.name }) {
                throw TroveError.invalidIndex(
                    model: model.schema.name, index: derived.name, reason: "a derived value needs a name that no property has")
            }
            fields.append(DerivedField(name: derived.name, type: derived.type) { record, bytes in
                var decoder = RecordDecoder(record, layout: layout)
                try derived.encode(Object(from: &decoder), &bytes)
            })
        }
        return fields
    }
}
