import Trove

/// A property of a model's layout, or a path that a collection's documents have values at.
package struct PropertyFacts {
    /// The version of the layout; nil in a collection.
    package let version: Int?
    package let property: String
    /// The type in Swift's writing; of a path, how many values of which kind there are.
    package let type: String
    /// The rules of its saves: `writeOnce`.
    package var rules: [String] = []
    /// What it refers to, with inverse and delete rule, for people to read.
    package var target: String?
    /// The name of the model that it refers to; nil for none, and for any.
    package var targetModel: String?
    /// Whether it is a relationship.
    package var isRelationship = false

    /// The id and all properties, of each layout that records have; of a collection, the paths.
    package static func all(of model: StoredModel, in store: ObjectStore) throws -> [PropertyFacts] {
        guard model.isCollection else { return try model.layouts.flatMap { try all(of: $0) } }
        let id = PropertyFacts(version: nil, property: StoredModel.idName, type: model.idType)
        return try [id] + store.documents(model.name).attributes().map { attribute in
            let kinds = DocumentAttribute.Kind.allCases.compactMap { kind in attribute.kinds[kind].map { "\($0) \(kind.rawValue)" } }
            return PropertyFacts(version: nil, property: attribute.path, type: kinds.joined(separator: ", "))
        }
    }

    /// The id and the properties of a layout.
    package static func all(of layout: StoredLayout) throws -> [PropertyFacts] {
        let id = PropertyFacts(version: layout.version, property: StoredModel.idName, type: layout.idType)
        guard case .array(let fields)? = try layout.jsonValue().value(at: "fields") else { return [id] }
        return [id] + fields.array.map { PropertyFacts($0, version: layout.version) }
    }

    private init(version: Int?, property: String, type: String) {
        self.version = version
        self.property = property
        self.type = type
    }

    /// A property as the catalogue describes it.
    private init(_ field: StoredValue, version: Int) {
        func text(_ path: String) -> String? { field.value(at: path).flatMap { if case .string(let text) = $0 { text } else { nil } } }
        self.init(version: version, property: text("name") ?? "", type: text("type") ?? "")
        if case .array(let saving)? = field.value(at: "saving") {
            rules += saving.array.compactMap { if case .string(let rule) = $0 { rule } else { nil } }
        }
        if field.value(at: "default") == .bool(true) { rules.append("default") }
        if let original = text("original") { rules.append("was \(original)") }
        guard field.value(at: "relationship") != nil else { return }
        isRelationship = true
        targetModel = text("relationship.target")
        var target = targetModel ?? "any model"
        if let inverse = text("relationship.inverse") { target.append(", inverse \(inverse)") }
        if let rule = text("relationship.deleteRule"), rule != "nullify" { target.append(", deletes: \(rule)") }
        if let rule = text("relationship.whenTargetDeleted"), rule != "nullify" { target.append(", when that is deleted: \(rule)") }
        self.target = target
    }
}
