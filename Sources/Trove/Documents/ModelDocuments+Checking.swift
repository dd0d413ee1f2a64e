import Foundation

extension WriteTransaction {
    /// The record that a document of a model is, checked against the layout that it was read in, or else against that of new objects.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)``; what a path that could not be set throws.
    func record(of document: ModelDocument, _ model: DescribedModel) throws -> StoredRecord {
        if let mistake = document._mistake { throw mistake }
        let name = model.entry.layout.modelName
        try model.check(document)
        guard case .object(let properties) = document.value else {
            throw TroveError.invalidProperty(model: name, property: "$", reason: "takes properties by their names, and not \(document.value.kind.withArticle)")
        }
        var layout = try layout(of: document, model)
        if layout.documentPosition != nil {
            if let adopted = try adoptedRecord(of: document, in: layout, model) { return try record(adopted, with: properties, model) }
            layout = model.entry.layout
        }
        let names = model.opened.binding.presentNames(in: layout)
        let fields = layout.fields.enumerated().map { (name: names.renamed[$0] ?? $1.name, type: $1.type) }
        try check(properties, known: fields.map(\.name), name)
        let values = try fields.map { field in
            let value = try value(of: field, in: properties, name)
            try model.checkReferences(in: value, of: field.name)
            return field.type.isLazy ? try value.lazyForm() : value
        }
        var record = StoredRecord(key: try key(of: document, properties, model), layout: layout, values: values, annexes: annexes(of: layout))
        record.names = names
        return record
    }

    /// The record that a document which the model has adopted has still; nil when there is none, or it has become another.
    private func adoptedRecord(of document: ModelDocument, in layout: RecordLayout, _ model: DescribedModel) throws -> StoredRecord? {
        guard let key = document.key, let stored = try storedRecord(under: RecordKey(key).bytes, model.opened), stored.layout == layout.number else {
            return nil
        }
        return stored
    }

    /// A document that the model has adopted with these properties. What it lacks besides it lacks still: the program that has the model knows a default value.
    private func record(_ adopted: StoredRecord, with properties: StoredFields, _ model: DescribedModel) throws -> StoredRecord {
        let fields = model.entry.layout.fields.map { (name: $0.name, type: $0.type) }
        try check(properties, known: fields.map(\.name), adopted.modelName)
        var record = adopted
        for field in fields where properties.value(named: field.name) != nil || adopted[field.name] != nil {
            let value = try value(of: field, in: properties, adopted.modelName)
            try model.checkReferences(in: value, of: field.name)
            try record.set(field.name, to: value)
        }
        return record
    }

    /// Throws when a document has a property that its model does not have.
    private func check(_ properties: StoredFields, known: [String], _ model: String) throws {
        guard let unknown = properties.keys.filter({ name in !known.contains { $0.hasBytes(of: name) } }).min() else { return }
        throw TroveError.invalidProperty(
            model: model, property: unknown,
            reason: "is no property of the model" + (unknown == "id" ? ", whose ids are $id" : "")
                + NearName.advice(on: unknown, known: known, listedAs: "it has"))
    }

    /// The value of a property, as its type without the lazy layer has it.
    private func value(of field: (name: String, type: FieldType), in properties: StoredFields, _ model: String) throws -> StoredValue {
        let type = field.type.withoutLazy
        guard let value = properties.value(named: field.name), value != .null || type.isCodable else {
            guard let nothing = type.nothing else {
                throw TroveError.invalidProperty(model: model, property: field.name, reason: "is missing; it takes \(type.shownInErrors.withArticle)")
            }
            return nothing
        }
        do {
            return try value.meant(as: type).converted(to: type)
        } catch DecodingFault.unfit {
            throw TroveError.invalidProperty(
                model: model, property: field.name, reason: "takes \(type.shownInErrors.withArticle), which \(value.shownInAnswer) is not")
        }
    }

    /// The layout that a document's record has, or that of new objects.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)`` for a document of another version that was read in another store: only the program
    ///   that has the model can make one version of another, and it could not tell by the record that it has to.
    private func layout(of document: ModelDocument, _ model: DescribedModel) throws -> RecordLayout {
        let present = model.entry.layout
        guard let read = document.layout, !read.hasSameShape(as: present) else { return present }
        // It may have been read in another store, whose numbers say nothing here.
        if let layout = try Catalogue.entry(read.number, reader)?.layout, read.hasSameShape(as: layout) { return layout }
        // The properties of one that the model has adopted are what they were in the collection.
        guard read.version == present.version || read.documentPosition != nil else {
            throw TroveError.invalidProperty(
                model: present.modelName, property: "$model",
                reason:
                    "is of version \(read.version), as it was read in another store, and here of version \(present.version); "
                    + "upgrade it there first, with the program that has the model")
        }
        return present
    }

    /// The whole key of a document's id, or of one that is made for it.
    private func key(of document: ModelDocument, _ properties: StoredFields, _ model: DescribedModel) throws -> [UInt8] {
        if let known = try knownKey(of: document, properties, model) { return known }
        switch FieldType(model.entry.id.type) {
        case .objectID?: return ObjectID().keyBytes
        case .uuid?: return UUID().keyBytes
        default:
            let name = model.entry.layout.modelName
            throw TroveError.invalidProperty(model: name, property: "$id", reason: "is missing; it takes \(model.ids.expected)")
        }
    }

    /// The whole key of a document's id, or of that which its properties make; nil when it has neither.
    func knownKey(of document: ModelDocument, _ properties: StoredFields, _ model: DescribedModel) throws -> [UInt8]? {
        let name = model.entry.layout.modelName
        let identity = model.entry.identity
        let natural = try identity.isEmpty ? nil : naturalKey(of: properties, identity, model)
        if let known = try document.key ?? document.id.map({ try model.key(of: $0) }) {
            if let natural, natural != known {
                throw TroveError.invalidProperty(
                    model: name, property: identity[0],
                    reason:
                        "is a part of the id and differs from it, and no id changes; for another object leave the id out, and delete this one if it is to go")
            }
            return known
        }
        return natural
    }

    /// The key that a document's properties make; nil where the ids of the model are not made of properties.
    func naturalKey(of document: ModelDocument, _ model: DescribedModel) throws -> [UInt8]? {
        guard !model.entry.identity.isEmpty, case .object(let properties) = document.value else { return nil }
        return try naturalKey(of: properties, model.entry.identity, model)
    }

    /// The key that the properties of an identity make; nil where the catalogue does not tell its form.
    fileprivate func naturalKey(of properties: StoredFields, _ identity: [String], _ model: DescribedModel) throws -> [UInt8]? {
        let values = identity.map { properties.value(named: $0) ?? .null }
        return model.ids.keyBytes(of: values.count == 1 ? values[0] : .array(values))
    }
}

extension ModelDocuments where Source == WriteTransaction {
    /// The id that the properties of an object make; nil where the ids of the model are not made of properties, or these make none.
    package func identity(of properties: StoredFields) throws -> StoredValue? {
        let model = try source.describedModel(named: name)
        let identity = model.entry.identity
        guard !identity.isEmpty, let key = try source.naturalKey(of: properties, identity, model) else { return nil }
        return try model.ids.value(of: key)
    }
}

extension DescribedModel {
    /// Throws when data of a property that refers to objects of any model is no reference: the types alone do not tell it from other data.
    fileprivate func checkReferences(in value: StoredValue, of property: String) throws {
        guard let position = entry.layout.position(of: property), entry.attributes.indices.contains(position),
            let relationship = entry.attributes[position].relationship, relationship.target == nil,
            value.hasOtherDataThanReferences
        else { return }
        throw TroveError.invalidProperty(
            model: entry.layout.modelName, property: property, reason: "takes references, and has data that is none; set it to an AnyReference")
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
    /// Whether there is data in the value that is no reference to an object of some model.
    fileprivate var hasOtherDataThanReferences: Bool {
        switch self {
        case .data(let data): (try? AnyReference(storedBytes: [UInt8](data))) == nil
        case .array(let values): values.contains { $0.hasOtherDataThanReferences }
        case .object(let values): values.keys.contains { values.value(named: $0)?.hasOtherDataThanReferences == true }
        default: false
        }
    }

    /// The value as an answer to who wrote it shows it: texts in quotes, so that an empty one shows.
    fileprivate var shownInAnswer: String { if case .string = self { "'\(shownInErrors)'" } else { shownInErrors } }
}
