/// An index that a model of the program declares, checked against the model's fields, without the model's type.
struct IndexDeclaration: Sendable {
    let schema: IndexSchema
    /// As ``IndexCatalogueEntry/types``.
    let types: [String]

    /// The indexes of a model.
    ///
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``.
    static func all<Object: Model>(of type: Object.Type, _ binding: ModelBinding) throws -> [IndexDeclaration] {
        var names: Set<String> = []
        return try Object.indexes.map { index in
            let declaration = try IndexDeclaration(index, binding)
            guard names.insert(declaration.schema.name).inserted else {
                throw TroveError.invalidIndex(
                    model: binding.schema.name, index: declaration.schema.name,
                    reason: "the model has two indexes of this name; give one another: name: \"…\"")
            }
            return declaration
        }
    }

    private init<Object: Model>(_ index: Index<Object>, _ binding: ModelBinding) throws {
        schema = try index.checkedSchema()
        types = try IndexFields(schema, in: binding).types
    }
}
