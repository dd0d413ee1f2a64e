extension FieldPath {
    /// The path to the property that a key path names.
    ///
    /// A property of the model goes by the schema. What comes after it, in nested values, goes by the names of Swift's properties; where a
    /// `Codable` type has other coding keys, a path has to be written as text.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)`` when the key path names something that is not stored.
    init(_ keyPath: AnyKeyPath, in schema: ModelSchema, id: AnyKeyPath) throws(TroveError) {
        if keyPath == id || Self.isID(keyPath, type(of: id).valueType) {
            self = .id
            return
        }
        if let field = schema.fields.first(where: { field in field.property.map { $0 as AnyKeyPath == keyPath } ?? false }) {
            self.init(field: field.name)
            return
        }
        // Swift tells the names of a key path's parts in its description alone: `\Song.address?.city`.
        let text = keyPath.debugDescription
        let steps = text.dropFirst().split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }
        // The root may be a nested type, of which the description has the last name only.
        guard text.first == "\\", !text.contains("<"), steps.count > 2, let field = schema.fields.first(where: { $0.name == steps[1] }) else {
            throw .unsupportedKeyPath(model: schema.name, keyPath: keyPath.shownInErrors)
        }
        self.init(field: field.name, names: Array(steps[2...]))
    }

    /// Whether a key path that was written for the type itself names its stored id: it does not equal the one that generic code makes of
    /// `Identifiable`. That of a computed id has nothing to be told by.
    private static func isID(_ keyPath: AnyKeyPath, _ id: Any.Type) -> Bool {
        type(of: keyPath).valueType == id && keyPath.debugDescription == "\\\(type(of: keyPath).rootType).id"
    }
}

extension Model {
    /// The path to a property of the model or of its nested values.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)``.
    static func path(_ keyPath: PartialKeyPath<Self>) throws(TroveError) -> FieldPath {
        try FieldPath(keyPath, in: schema, id: \Self.id)
    }
}
