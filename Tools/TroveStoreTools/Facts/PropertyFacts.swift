import Trove

/// A property of a model's layout, or a path that a collection's documents have values at.
package struct PropertyFacts {
    /// The version of the layout; nil in a collection.
    package let version: Int?
    package let property: String
    /// The type in Swift's writing; of a path, the kind of its values, or each kind with how many there are of it.
    package let type: String
    /// The number of values at a path; nil for a property.
    package var count: Int?
    /// How many documents have no value at a path; nil for a property, and for elements of lists, of which a document has any number.
    package var missing: Int?
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
        let (total, attributes) = try store.read { transaction in
            (try transaction.counts()[model.name] ?? 0, try model.attributes(in: transaction))
        }
        var id = PropertyFacts(version: nil, property: StoredModel.idName, type: model.idType)
        (id.count, id.missing) = (total, 0)
        guard let attributes else { return [id, PropertyFacts(version: nil, property: "?", type: "unknown: the index is not ready, or damaged")] }
        let paths = Set(attributes.map(\.path))
        return [id] + attributes.map { attribute in
            let isElement = attribute.path.contains("[]")
            let kinds = DocumentAttribute.Kind.allCases.compactMap { kind in
                attribute.kinds[kind].map { (name: name(of: kind, at: attribute.path, paths), count: $0) }
            }
            let type = kinds.count == 1 ? kinds[0].name : kinds.map { "\($0.name) \($0.count.grouped)" }.joined(separator: ", ")
            var facts = PropertyFacts(version: nil, property: written(attribute.path), type: type)
            facts.count = attribute.count
            facts.missing = isElement ? nil : max(0, total - attribute.count)
            return facts
        }
    }

    /// The kind's name; that of a container is told by what is inside.
    private static func name(of kind: DocumentAttribute.Kind, at path: String, _ paths: Set<String>) -> String {
        guard kind == .container else { return kind.rawValue }
        let isList = paths.contains(path + "[]") || paths.contains { $0.hasPrefix(path + "[].") }
        let isObject = paths.contains { $0.hasPrefix(path + ".") }
        return isList == isObject ? isList ? "list or object" : "list" : isList ? "list" : "object"
    }

    /// A path as conditions have it: `any tags` for the elements of a list, `any lines (price)` for what is in each.
    private static func written(_ path: String) -> String {
        guard let elements = path.firstRange(of: "[]") else { return path }
        let (list, rest) = (path[..<elements.lowerBound], path[elements.upperBound...].drop { $0 == "." })
        return "any \(list)" + (rest.isEmpty ? "" : rest.hasPrefix("[]") ? " (any element\(rest.dropFirst(2)))" : " (\(written(String(rest))))")
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
