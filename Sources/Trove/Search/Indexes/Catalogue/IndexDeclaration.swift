/// An index that a model of the program declares, checked against the model's fields, without the model's type.
struct IndexDeclaration: Sendable {
    let schema: IndexSchema
    /// As ``IndexCatalogueEntry/types``.
    let types: [String]

    /// The indexes of a model: those it declares, and that of each of its relationships.
    ///
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``.
    static func all<Object: Model>(
        of type: Object.Type, _ binding: ModelBinding, _ relationships: [RelationshipBinding]
    ) throws -> [IndexDeclaration] {
        var names: Set<String> = []
        let schemas = try Object.indexes.map { try $0.checkedSchema() } + relationships.map(\.index)
        return try schemas.map { schema in
            let declaration = try IndexDeclaration(schema, binding)
            guard names.insert(declaration.schema.name).inserted else {
                throw TroveError.invalidIndex(
                    model: binding.schema.name, index: declaration.schema.name,
                    reason: "the model has two indexes of this name; give one another: name: \"…\"")
            }
            return declaration
        }
    }

    private init(_ schema: IndexSchema, _ binding: ModelBinding) throws {
        self.schema = schema
        types = try IndexFields(schema, in: binding).types
    }
}
