import Foundation

extension WriteTransaction {
    /// The record that a document of a model is, checked against the layout that it was read in, or else against that of new objects.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)``; what a path that could not be set throws.
    func record(of document: ModelDocument, _ model: DescribedModel) throws -> StoredRecord {
        if let mistake = document._mistake { throw mistake }
        let layout = try entry(of: document, model).layout
        func invalid(_ property: String, _ reason: String) -> TroveError { .invalidProperty(model: layout.modelName, property: property, reason: reason) }
        guard document.modelName.isEmpty || document.modelName.hasBytes(of: layout.modelName) else { throw invalid("$model", "is \(document.modelName), another model") }
        guard case .object(let properties) = document.value else {
            throw invalid("$", "takes properties by their names, and not \(document.value.kind.withArticle)")
        }
        if let unknown = properties.keys.filter({ name in !layout.fields.contains { $0.name == name } }).min() {
            throw invalid(unknown, "is no property of the model" + NearName.advice(on: unknown, known: layout.fields.map(\.name), listedAs: "it has"))
        }
        let values = try layout.fields.map { field in
            guard let value = properties.value(named: field.name), value != .null || field.type.isCodable else {
                guard let nothing = field.type.withoutLazy.nothing else { throw invalid(field.name, "is missing; it takes \(field.type.withoutLazy.shownInErrors.withArticle)") }
                return field.type.isLazy ? try nothing.lazyForm() : nothing
            }
            do {
                return try value.meant(as: field.type.withoutLazy).converted(to: field.type)
            } catch DecodingFault.unfit {
                throw invalid(field.name, "takes \(field.type.withoutLazy.shownInErrors.withArticle), which \(value.shownInErrors) is not")
            }
        }
        let key = try key(of: document, properties, model)
        return StoredRecord(key: key, layout: layout, values: values, annexes: annexes(of: layout))
    }

    /// What the catalogue says of the layout that a document's record has.
    private func entry(of document: ModelDocument, _ model: DescribedModel) throws -> LayoutEntry {
        guard let number = document.layout, number != model.entry.layout.number, document.modelName == model.entry.layout.modelName else { return model.entry }
        // It may have been read in another store.
        guard let entry = try Catalogue.entry(number, reader), entry.layout.modelName == document.modelName else { return model.entry }
        return entry
    }

    /// The whole key of a document's id, or of one that is made for it.
    private func key(of document: ModelDocument, _ properties: StoredFields, _ model: DescribedModel) throws -> [UInt8] {
        let name = model.entry.layout.modelName
        let identity = model.entry.identity
        let natural = try identity.isEmpty ? nil : naturalKey(of: properties, identity, model)
        if let known = try document.key ?? document.id.map({ try model.key(of: $0) }) {
            if let natural, natural != known {
                throw TroveError.invalidProperty(model: name, property: identity[0], reason: "is a part of the id and differs from it, and no id changes; for another object leave the id out, and delete this one if it is to go")
            }
            return known
        }
        if let natural { return natural }
        switch FieldType(model.entry.id.type) {
        case .objectID?: return ObjectID().keyBytes
        case .uuid?: return UUID().keyBytes
        default: throw TroveError.invalidProperty(model: name, property: "$id", reason: "is missing; it takes \(model.ids.expected)")
        }
    }

    /// The key that the properties of an identity make; nil where the catalogue does not tell its form.
    private func naturalKey(of properties: StoredFields, _ identity: [String], _ model: DescribedModel) throws -> [UInt8]? {
        let values = identity.map { properties.value(named: $0) ?? .null }
        return model.ids.keyBytes(of: values.count == 1 ? values[0] : .array(values))
    }
}

extension FieldType {
    /// What a property of this type has that was not given a value: nil, or no elements; nil where it has to have one.
    fileprivate var nothing: StoredValue? {
        switch self {
        case .optional, .codable: .null
        case .array, .set: .array([])
        case .dictionary(.string, _): .object([:])
        case .dictionary: .dictionary([:])
        default: nil
        }
    }
}

extension StoredValue {
    /// The value that is meant where one of a type is expected: a text may be one of a type that has such a form, as of dates and UUIDs.
    fileprivate func meant(as type: FieldType) -> StoredValue {
        switch (type, self) {
        case (.optional(let wrapped), _): return meant(as: wrapped)
        case (.array(let element), .array(let values)), (.set(let element), .array(let values)): return .array(values.map { $0.meant(as: element) })
        case (.dictionary(.string, let member), .object(let values)): return .object(values.dictionary.mapValues { $0.meant(as: member) })
        case (_, .string(let text)):
            guard let scalar = type.scalar, scalar.hasTextForm else { return self }
            return scalar.value(text: text) ?? self
        default: return self
        }
    }
}
