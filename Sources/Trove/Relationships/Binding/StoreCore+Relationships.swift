extension StoreCore {
    /// The relationships that a model has, in the order of its fields; none for a model that the program does not have.
    func relationships(of modelName: String) -> [RelationshipBinding] { relationships.relationships(of: modelName) }

    /// The relationships that may point at a model, those to any model among them. The program need not have the model.
    func relationships(to modelName: String) -> [RelationshipBinding] { relationships.relationships(to: modelName) }

    /// The relationship that says the same the other way round; nil when there is none.
    func inverse(of relationship: RelationshipBinding) -> RelationshipBinding? { relationships.inverse(of: relationship) }
}
