import Foundation
import Trove

extension ImportSource {
    /// Reads the whole source and tells what is in it; stores nothing.
    ///
    /// - Throws: ``ImportError``.
    public func describe() throws -> ImportDescription {
        var collections: [String: FoundCollection] = [:]
        var bags: [ImportDescription.Bag] = []
        var faults = FaultList()
        for (name, declared) in reader.declarations { collections[name] = FoundCollection(declared) }
        try reader.forEach { event in
            switch event {
            case .fault(let fault), .loss(let fault): faults.note(fault)
            case .bag(let bag): bags.append(.init(name: bag.name, memberCount: bag.members.count))
            case .row(let row): collections[row.collection, default: FoundCollection(SourceDeclaration(space: row.id.space))].note(row)
            }
        }
        var description = ImportDescription(kind: kind)
        description.collections = collections.sorted { $0.key < $1.key }.map { $1.collection(named: $0) }
        description.bags = bags
        (description.faults, description.faultCount) = (faults.first, faults.count)
        return description
    }
}

/// What was found of a collection.
private struct FoundCollection {
    private let declared: SourceDeclaration
    private var count = 0
    private var attributes: [String: ImportDescription.Attribute] = [:]
    /// The key of the rows; nil before the first.
    private var key: ImportDescription.Key?

    init(_ declared: SourceDeclaration) {
        self.declared = declared
        for (name, declaration) in declared.attributes { attributes[name, default: .init(name)].declaration = declaration }
    }

    mutating func note(_ row: SourceRow) {
        count += 1
        let found = ImportDescription.Key(attribute: row.keyAttribute, kind: (row.modelKey ?? row.id.key).kindName)
        if let key, key != found {
            self.key = .init(attribute: key.attribute == found.attribute ? key.attribute : nil, kind: key.kind == found.kind ? key.kind : nil)
        } else {
            key = found
        }
        switch row.content {
        case .values(let values): for (name, value) in values { attributes[name, default: .init(name)].note(.plain(value)) }
        case .attributes(let values): for (name, value) in values { attributes[name, default: .init(name)].note(value) }
        }
    }

    func collection(named name: String) -> ImportDescription.Collection {
        ImportDescription.Collection(
            name: name, count: count, attributes: attributes.values.sorted { $0.name < $1.name }, key: key ?? declared.key, indexes: declared.indexes,
            space: declared.space, hasSubcollections: declared.hasSubcollections)
    }
}

extension SourceKey {
    /// The kind in one word; nil for a key of several parts.
    fileprivate var kindName: String? {
        switch self {
        case .int: "integer"
        case .text: "text"
        case .values(let values): values.count == 1 ? values[0].kindName : nil
        }
    }

    /// The type of an id that the key would be.
    fileprivate var idType: String {
        switch self {
        case .int: "Int"
        case .text(let text): text.utf8.count == 36 && UUID(uuidString: text) != nil ? "UUID" : "String"
        case .values: "ObjectID"
        }
    }
}

extension ImportDescription.Attribute {
    mutating func note(_ value: SourceValue) {
        switch value {
        case .plain(let value):
            kinds[value.kindName, default: 0] += 1
            if case .array(let elements) = value { for element in elements { elementKinds[element.kindName, default: 0] += 1 } }
        case .reference(let reference):
            kinds["reference", default: 0] += 1
            targets.insert(reference.space)
            keyTypes.insert(reference.key.idType)
        case .references(let references):
            kinds["references", default: 0] += 1
            for reference in references { targets.insert(reference.space) }
        case .named(let references):
            kinds["references by name", default: 0] += 1
            for reference in references.values { targets.insert(reference.space) }
        case .list(let values):
            kinds["array", default: 0] += 1
            for value in values { note(element: value) }
        case .members(let values):
            kinds["object", default: 0] += 1
            for value in values.values { note(targetOf: value) }
        }
    }

    private mutating func note(element value: SourceValue) {
        switch value {
        case .plain(let value): elementKinds[value.kindName, default: 0] += 1
        case .reference: elementKinds["reference", default: 0] += 1
        default: elementKinds["object", default: 0] += 1
        }
        note(targetOf: value)
    }

    private mutating func note(targetOf value: SourceValue) {
        if case .reference(let reference) = value { targets.insert(reference.space) }
    }
}

extension StoredValue {
    /// The kind in one word.
    var kindName: String {
        switch self {
        case .null: "nil"
        case .bool: "Bool"
        case .int: "integer"
        // No Int has it, and no id of one.
        case .uint(let number): number > UInt64(Int64.max) ? "large integer" : "integer"
        case .int128, .uint128: "large integer"
        case .float, .double: "Double"
        case .decimal: "Decimal"
        case .string: "text"
        case .data: "data"
        case .url: "URL"
        case .date: "date"
        case .duration: "duration"
        case .uuid: "UUID"
        case .objectID: "ObjectID"
        case .geoPoint: "GeoPoint"
        case .array: "array"
        case .object, .dictionary: "object"
        }
    }
}
