// Names of their own: as overloads of `fetch` they let the compiler complain of them where a property in a fetch of one model is misspelt.
extension ObjectSource {
    /// A query for the objects of all models that conform to a protocol.
    ///
    /// ```swift
    /// @AbstractModel
    /// protocol Named { var name: String { get } }
    ///
    /// let found: [any Named] = try store.fetchConforming(to: NamedModels.self).where { $0.name == "Ada" }.all()
    /// ```
    public func fetchConforming<Models: ModelGroup>(to models: Models.Type) -> MixedFetch<Models.Object, Self> {
        MixedFetch(
            self, .models(String(describing: Models.Object.self), Models._properties.map { ($0.property, $0.name) }, where: { Models._includes($0) }))
    }

    /// A query for objects of several models, by properties that all of them store under the same name.
    ///
    /// ```swift
    /// let found: [any Model] = try store.fetchModels(Song.self, Film.self).matching("title = ? order by title", "Tosca").all()
    /// ```
    public func fetchModels<First: Model, each Other: Model>(_ first: First.Type, _ other: repeat (each Other).Type) -> MixedFetch<any Model, Self> {
        var types: [any Model.Type] = [first]
        for type in repeat each other { types.append(type) }
        let named = types
        return MixedFetch(self, ModelSelection(named.map { $0.schema.name }.joined(separator: ", "), []) { transaction in
            try named.map { try ModelSelection<any Model>.part(of: $0, in: transaction) }
        })
    }

    /// A query for the records of several models and collections by name; the program need not have the models.
    ///
    /// ```swift
    /// let records: [StoredRecord] = try store.fetchRecords(of: ["Song", "Film"]).matching("title = ?", "Tosca").all()
    /// ```
    ///
    /// A record of a model that the program has comes in the model's current layout, upgraded; one of another as it was stored, in the layout it was written in. Conditions on these see nil for what a
    /// record lacks, and use indexes where all records of the model have one layout.
    ///
    /// - Throws: when it is read, ``TroveError/unknownType(_:)`` for a name that the store has no records of.
    public func fetchRecords(of names: [String]) -> MixedFetch<StoredRecord, Self> { MixedFetch(self, .named(names)) }
}
