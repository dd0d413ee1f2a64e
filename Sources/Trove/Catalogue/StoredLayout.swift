/// The layout of a model's records in a store: what a program without the model's type knows of it.
///
/// A model has several when its properties have changed; ``ReadTransaction/layouts()`` has them all.
public struct StoredLayout: Sendable {
    let entry: LayoutEntry

    /// The name of the model.
    public var modelName: String { entry.layout.modelName }
    /// The model's version.
    public var version: Int { entry.layout.version }
    /// The type of the ids, as Swift writes it; for ids of several values, their names and types in parentheses.
    public var idType: String { entry.id.description }
    /// The names and types of the fields, in order.
    public var fields: [(name: String, type: FieldType)] { entry.layout.fields.map { ($0.name, $0.type) } }
    /// The names of the fields that are encrypted.
    public var encryptedFields: Set<String> { entry.encryptedFields }
    /// Whether no record has the layout any longer.
    public var isRetired: Bool { entry.isRetired }
}

extension StoredLayout: JSONRepresentable {
    /// The layout as JSON: the model, its version, the id's type, and the fields with their types, rules and relationships as `docs/format.md` lists them.
    public func jsonValue() throws -> StoredValue {
        guard case .object(let fields) = entry.value else { return .null }
        var values = fields.dictionary
        values["model"] = values.removeValue(forKey: "type")
        return .object(values)
    }
}

extension StoredLayout: CustomStringConvertible {
    /// The layout in a line: `Song, version 1, id ObjectID: title String, year Int64`.
    public var description: String {
        "\(modelName), version \(version), id \(idType): " + entry.layout.fields.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    }
}
