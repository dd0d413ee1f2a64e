import Foundation
import Trove

/// A model that rows become objects of.
struct ImportedModel {
    let name: String
    private let fields: Set<String>
    /// The properties that are decimals, which SQLite stores as doubles.
    private let decimals: [String]
    private let idType: String

    init(_ layout: StoredLayout) {
        name = layout.modelName
        fields = Set(layout.fields.map(\.name))
        decimals = layout.fields.filter { $0.type.unwrapped == .decimal }.map(\.name)
        idType = layout.idType
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

    /// The row as an object. Its key is the id, and no property, unless the model has one of that name.
    func document(_ content: StoredValue, _ row: SourceRow) -> ModelDocument {
        var values: [String: StoredValue] = [:]
        if case .object(let fields) = content { values = fields.dictionary }
        if !fields.contains("id") { values["id"] = nil }
        for name in decimals {
            // As the number is written: 5.5 is 5.5, and not the nearest number of base 2.
            if case .double(let number)? = values[name], let decimal = Decimal(wholeText: "\(number)") { values[name] = .decimal(decimal) }
        }
        return ModelDocument(values, id: idValue(row.id, row.modelKey ?? row.id.key))
    }
}
