import Foundation
import Trove

/// A model that rows become objects of.
struct ImportedModel {
    let name: String
    private let fields: Set<String>
    /// The properties that are decimals, which SQLite stores as doubles.
    private let decimals: [String]
    private let idType: String
    /// The properties that the store fills besides: relationships with an inverse, and the dates of saves.
    let derived: Set<String>

    init(_ layout: StoredLayout) {
        name = layout.modelName
        fields = Set(layout.fields.map(\.name))
        decimals = layout.fields.filter { $0.type.unwrapped == .decimal }.map(\.name)
        idType = layout.idType
        derived = layout.derivedFields
    }

    /// The id of the object that a row becomes; nil when it is made of its properties.
    func idValue(_ reference: SourceReference) -> StoredValue? { idValue(reference, reference.key) }

    private func idValue(_ reference: SourceReference, _ key: SourceKey) -> StoredValue? {
        if idType == "ObjectID" { return .objectID(reference.objectID) }
        if idType.hasPrefix("(") || idType == "composite" { return nil }
        return switch key {
        case .int(let number): .int(number)
        case .text(let text): idType == "UUID" ? UUID(uuidString: text).map { .uuid($0) } ?? .string(text) : .string(text)
        case .values(let values): values.count == 1 ? values[0] : nil
        }
    }

    /// The row as an object. Its key is the id, and no property, unless the model has one of that name or the key goes by another.
    func document(_ content: StoredValue, _ row: SourceRow, isKeyRenamed: Bool) -> ModelDocument {
        var values: [String: StoredValue] = [:]
        if case .object(let fields) = content { values = fields.dictionary }
        let key = row.keyAttribute ?? "id"
        if !isKeyRenamed, !fields.contains(key) { values[key] = nil }
        for name in decimals {
            // As the number is written: 5.5 is 5.5, and not the nearest number of base 2.
            if case .double(let number)? = values[name], let decimal = Decimal(wholeText: "\(number)") { values[name] = .decimal(decimal) }
        }
        return ModelDocument(values, id: idValue(row.id, row.modelKey ?? row.id.key))
    }

    /// The object that takes the place of a stored one: what its row does not name stays, since a source that lacks a relationship says nothing of it.
    func document(_ document: ModelDocument, over stored: ModelDocument) -> ModelDocument {
        guard case .object(let own) = document.value, case .object(let others) = stored.value else { return document }
        let values = others.dictionary.filter { fields.contains($0.key) }.merging(own.dictionary) { _, own in own }
        return ModelDocument(values, id: document.id ?? stored.id)
    }
}
