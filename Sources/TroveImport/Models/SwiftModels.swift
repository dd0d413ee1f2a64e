import Trove

/// The models that take in what a source has, and what they refer to of each other.
struct SwiftModels {
    private(set) var models: [SwiftModel] = []
    private let form: ImportDescription.ModelForm
    /// The collections that become models, by their names.
    private let collections: [String: ImportDescription.Collection]
    /// The collections whose objects are numbered together, by the name for these numbers.
    private let spaces: [String: [String]]
    /// The names of types, by the collections.
    private var types: [String: String] = [:]
    /// The names of properties, by the collections and the attributes.
    private var properties: [String: [String: String]] = [:]
    /// The types of ids that are none of Trove's own, by the collections.
    private var idTypes: [String: String] = [:]

    init(_ description: ImportDescription, _ form: ImportDescription.ModelForm) {
        self.form = form
        // What other collections are special cases of, and has no objects itself, is no model.
        let taken = description.collections.filter { $0.count > 0 || !$0.hasSubcollections }
        collections = Dictionary(taken.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        spaces = Dictionary(grouping: taken.map(\.name)) { [collections] in collections[$0]?.space ?? "" }
        for collection in taken {
            types[collection.name] = SwiftName.free(SwiftName.type(collection.name), among: Set(types.values))
            if description.kind.hasKeysAsIDs { idTypes[collection.name] = Self.idType(of: collection) }
        }
        for collection in taken { properties[collection.name] = names(in: collection) }
        models = taken.map(model)
    }

    /// The type of the ids of a model whose ids are the keys of the source; nil for keys that no id is.
    private static func idType(of collection: ImportDescription.Collection) -> String? {
        guard let key = collection.key, let attribute = key.attribute else { return nil }
        switch key.kind {
        case "integer": return "Int"
        case "text":
            guard let found = collection.attributes.first(where: { $0.name == attribute }), let type = found.scalarType else { return "String" }
            return type == "UUID" ? type : "String"
        default: return nil
        }
    }

    /// The names of properties: what refers to one object goes without `id` at the end, and `id` is the key alone.
    private func names(in collection: ImportDescription.Collection) -> [String: String] {
        // The key keeps its name on the way to the id, and an import takes no other attribute under that.
        var (names, taken): ([String: String], Set<String>) = ([:], ["id"])
        if idTypes[collection.name] != nil, let key = collection.key?.attribute { taken.insert(key) }
        for attribute in ordered(collection) {
            var name = attribute.isToOne ? SwiftName.reference(attribute.name) : SwiftName.property(attribute.name)
            if name == "id" { name = "identifier" }
            name = SwiftName.free(name, among: taken)
            taken.insert(name)
            names[attribute.name] = name
        }
        return names
    }

    /// The attributes that become properties, in the order of the source where it has one.
    private func ordered(_ collection: ImportDescription.Collection) -> [ImportDescription.Attribute] {
        let key = idTypes[collection.name] == nil ? nil : collection.key?.attribute
        return collection.attributes.filter { $0.name != key }
            .sorted { ($0.declaration?.position ?? .max, $0.name) < ($1.declaration?.position ?? .max, $1.name) }
    }

    private func model(_ collection: ImportDescription.Collection) -> SwiftModel {
        var model = SwiftModel(
            collection: collection.name, name: types[collection.name] ?? "", form: form, idType: idTypes[collection.name])
        for attribute in ordered(collection) {
            if let property = property(attribute, of: collection) {
                model.properties.append(property)
            } else {
                model.notes.append(
                    "\(SwiftName.literal(attribute.name)) is no property: objects of several models lead back by it, which store.referencing finds.")
            }
        }
        for index in collection.indexes where index.isUnique { add(index, to: &model) }
        for index in collection.indexes where !index.isUnique { add(index, to: &model) }
        return model
    }

    /// - Returns: nil for a relationship to many of which the source has the other side alone, which no property of one type leads back to.
    private func property(_ attribute: ImportDescription.Attribute, of collection: ImportDescription.Collection) -> SwiftModel.Property? {
        var property = SwiftModel.Property(
            attribute: attribute.name, name: properties[collection.name]?[attribute.name] ?? attribute.name, type: "StoredValue",
            isOptional: attribute.isOptional(among: collection.count))
        guard let form = attribute.reference else {
            if let type = attribute.scalarType {
                (property.type, property.isIndexable) = (type, true)
            } else if let type = attribute.elementType {
                property.type = "[\(type)]"
            }
            return property
        }
        guard let target = target(of: attribute), let type = types[target], attribute.hasKeys(of: idTypes[target]) else {
            if attribute.kinds.isEmpty, form != .one { return nil }
            lead(&property, form, attribute)
            return property
        }
        relate(&property, form, to: type, of: target, attribute, collection)
        return property
    }

    /// Makes a property ids of objects that may be of several models, or values where the keys of some are no ids of the model, as an empty text is no number.
    private func lead(_ property: inout SwiftModel.Property, _ form: ReferenceForm, _ attribute: ImportDescription.Attribute) {
        let targets = attribute.targets.union(attribute.declaration?.target.map { [$0] } ?? [])
        if !targets.isEmpty { property.comment = "Leads to \(targets.sorted().map { SwiftName.literal($0) }.joined(separator: ", "))." }
        let hasOtherIDs = idTypes.keys.contains { attribute.targets.contains(collections[$0]?.space ?? "") }
        if hasOtherIDs { return }
        property.type = form.type(of: "ObjectID")
        property.initialValue = form.initialValue
        if form != .one { property.isOptional = false }
    }

    private func relate(
        _ property: inout SwiftModel.Property, _ form: ReferenceForm, to type: String, of target: String, _ attribute: ImportDescription.Attribute,
        _ collection: ImportDescription.Collection
    ) {
        property.type = form.type(of: self.form == .classes ? type : "Reference<\(type)>")
        var arguments: [String] = []
        if let rule = attribute.declaration?.deleteRule, rule != .nullify { arguments.append("deleteRule: .\(rule.rawValue)") }
        let inverse = inverse(of: attribute, of: collection, in: target)
        if let inverse { arguments.append("inverse: \(SwiftName.literal(inverse))") }
        switch form {
        case .one:
            // A live object has none until it is loaded, and what an inverse takes out is nil.
            if self.form == .classes || inverse != nil { property.isOptional = true }
            property.isIndexable = self.form == .structs
        case .many, .set, .named: (property.isOptional, property.initialValue) = (false, form.initialValue)
        }
        if self.form == .classes || !arguments.isEmpty { property.relationship = arguments }
    }

    /// The collection that an attribute leads to; nil where it may be several.
    private func target(of attribute: ImportDescription.Attribute) -> String? {
        if let declared = attribute.declaration?.target { return collections[declared].flatMap { $0.hasSubcollections ? nil : $0.name } }
        guard attribute.targets.count == 1, let space = attribute.targets.first, let found = spaces[space], found.count == 1 else { return nil }
        return found[0]
    }

    /// The name of the property of the other model that leads back, where both lead to one model.
    private func inverse(of attribute: ImportDescription.Attribute, of collection: ImportDescription.Collection, in target: String) -> String? {
        guard let declared = attribute.declaration?.inverse, declared.hasPrefix(target + "."), let other = collections[target] else { return nil }
        let name = String(declared.dropFirst(target.count + 1))
        guard let back = other.attributes.first(where: { $0.name == name }), back.reference != nil, self.target(of: back) == collection.name else { return nil }
        return properties[target]?[name]
    }

    /// Adds an index, after those that are unique: one of the same properties serves queries too, and the macros take no other beside it, nor a property twice.
    private func add(_ index: ImportDescription.Index, to model: inout SwiftModel) {
        let places = index.attributes.compactMap { attribute in model.properties.firstIndex { $0.attribute == attribute && $0.isIndexable } }
        guard places.count == index.attributes.count, Set(places).count == places.count else { return }
        guard places.count == 1 else {
            let names = places.map { model.properties[$0].name }
            if !model.indexes.contains(where: { $0.properties == names }) { model.indexes.append((names, index.isUnique)) }
            return
        }
        // A reference has an index of its own.
        let isReference = model.properties[places[0]].type.hasPrefix("Reference<")
        if !index.isUnique, isReference || !model.properties[places[0]].options.isEmpty { return }
        model.properties[places[0]].options = index.isUnique ? [".unique"] : [".indexed"]
    }
}

extension ImportKind {
    /// Whether references of the format lead to models whose ids are its keys.
    fileprivate var hasKeysAsIDs: Bool {
        switch self {
        case .sqlite, .csv, .json, .jsonLines: true
        default: false
        }
    }
}

/// How an attribute refers to others.
private enum ReferenceForm {
    case one, many, set, named

    func type(of target: String) -> String {
        switch self {
        case .one: target
        case .many: "[\(target)]"
        case .set: "Set<\(target)>"
        case .named: "[String: \(target)]"
        }
    }

    /// What a new object has; nil for a reference to one.
    var initialValue: String? {
        switch self {
        case .one: nil
        case .many, .set: "[]"
        case .named: "[:]"
        }
    }
}

extension ImportDescription.Attribute {
    fileprivate var isToOne: Bool { reference == .one }

    /// Whether all of its references have keys that are ids of a type; nil for Trove's own ids, which every key has.
    fileprivate func hasKeys(of idType: String?) -> Bool {
        guard let idType else { return true }
        return keyTypes.isSubset(of: idType == "String" ? ["String", "UUID"] : [idType])
    }

    /// How it refers to others; nil for what does not, or has other values too.
    fileprivate var reference: ReferenceForm? {
        let kinds = Set(kinds.keys).subtracting(["nil"])
        switch kinds {
        case ["reference"]: return .one
        case ["references"]: return declaration.map { $0.isOrdered } ?? true ? .many : .set
        case ["references by name"]: return .named
        case []:
            guard let declaration, declaration.target != nil else { return nil }
            return declaration.type != "to many" ? .one : declaration.isOrdered ? .many : .set
        default: return nil
        }
    }
}
