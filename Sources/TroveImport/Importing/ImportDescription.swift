import Trove

/// What an import would bring.
public struct ImportDescription: Sendable, Codable {
    /// What a source declares of an attribute, as the model in a store of Core Data does.
    public struct Declaration: Sendable, Codable, Hashable {
        /// The type, in the words of the source.
        public let type: String
        /// Whether it may have no value.
        public let isOptional: Bool
        /// Whether what it refers to has an order.
        public let isOrdered: Bool
        /// The attribute by which what it refers to leads back, `Car.owner`; nil for none.
        public let inverse: String?

        init(type: String, isOptional: Bool, isOrdered: Bool = false, inverse: String? = nil) {
            self.type = type
            self.isOptional = isOptional
            self.isOrdered = isOrdered
            self.inverse = inverse
        }
    }

    /// An attribute of the objects of a collection, as their values show it.
    public struct Attribute: Sendable, Codable, Hashable {
        /// Its name in the source.
        public let name: String
        /// What the source declares of it; nil where it declares nothing.
        public internal(set) var declaration: Declaration?
        /// The kinds of its values, and how many there are of each.
        public internal(set) var kinds: [String: Int] = [:]
        /// What it refers to, when it does: the tables or classes.
        public internal(set) var targets: Set<String> = []

        init(_ name: String) { self.name = name }
    }

    /// A collection, and what its objects have.
    public struct Collection: Sendable, Codable {
        /// Its name in the source.
        public let name: String
        /// The number of objects.
        public internal(set) var count = 0
        /// The attributes by their names.
        public internal(set) var attributes: [Attribute] = []
    }

    /// A bag, and how much it contains.
    public struct Bag: Sendable, Codable, Hashable {
        /// Its name in the source; nil where it has none.
        public let name: String?
        /// The number of members that it has in the source, whether they are there or not.
        public let memberCount: Int
    }

    /// The format of the source.
    public let kind: ImportKind
    /// The collections, by their names.
    public internal(set) var collections: [Collection] = []
    /// The bags, in the order of the source.
    public internal(set) var bags: [Bag] = []
    /// The first hundred of what could not be taken.
    public internal(set) var faults: [ImportFault] = []
    /// The number of all.
    public internal(set) var faultCount = 0
}

extension ImportSource {
    /// Reads the whole source and tells what is in it; stores nothing.
    ///
    /// - Throws: ``ImportError``.
    public func describe() throws -> ImportDescription {
        var collections: [String: (count: Int, attributes: [String: ImportDescription.Attribute])] = [:]
        var bags: [ImportDescription.Bag] = []
        var faults = FaultList()
        try reader.forEach { event in
            switch event {
            case .fault(let fault), .loss(let fault): faults.note(fault)
            case .bag(let bag): bags.append(.init(name: bag.name, memberCount: bag.members.count))
            case .row(let row):
                collections[row.collection, default: (0, [:])].count += 1
                switch row.content {
                case .values(let values):
                    for (name, value) in values { collections[row.collection]?.attributes[name, default: .init(name)].note(.plain(value)) }
                case .attributes(let attributes):
                    for (name, value) in attributes { collections[row.collection]?.attributes[name, default: .init(name)].note(value) }
                }
            }
        }
        for (collection, attributes) in reader.declarations where collections[collection] != nil {
            for (name, declaration) in attributes { collections[collection]?.attributes[name, default: .init(name)].declaration = declaration }
        }
        var description = ImportDescription(kind: kind)
        description.collections = collections.sorted { $0.key < $1.key }.map { name, found in
            ImportDescription.Collection(name: name, count: found.count, attributes: found.attributes.values.sorted { $0.name < $1.name })
        }
        description.bags = bags
        (description.faults, description.faultCount) = (faults.first, faults.count)
        return description
    }
}

extension ImportDescription.Attribute {
    fileprivate mutating func note(_ value: SourceValue) {
        switch value {
        case .plain(let value): kinds[value.kindName, default: 0] += 1
        case .reference(let reference):
            kinds["reference", default: 0] += 1
            targets.insert(reference.space)
        case .references(let references):
            kinds["references", default: 0] += 1
            for reference in references { targets.insert(reference.space) }
        case .named(let references):
            kinds["references by name", default: 0] += 1
            for reference in references.values { targets.insert(reference.space) }
        case .list(let values):
            kinds["array", default: 0] += 1
            for value in values { note(targetOf: value) }
        case .members(let values):
            kinds["object", default: 0] += 1
            for value in values.values { note(targetOf: value) }
        }
    }

    private mutating func note(targetOf value: SourceValue) {
        if case .reference(let reference) = value { targets.insert(reference.space) }
    }
}

extension StoredValue {
    /// The kind in one word.
    fileprivate var kindName: String {
        switch self {
        case .null: "nil"
        case .bool: "Bool"
        case .int, .uint, .int128, .uint128: "integer"
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

extension ImportDescription: CustomStringConvertible {
    public var description: String {
        let count = bags.isEmpty ? "" : ", \(bags.count) \(bags.count == 1 ? "bag" : "bags")"
        var lines = ["\(kind.rawValue): \(collections.count) collections, \(collections.reduce(0) { $0 + $1.count }) objects\(count)"]
        for collection in collections {
            lines.append("\(collection.name): \(collection.count)")
            for attribute in collection.attributes {
                let kinds = attribute.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
                let targets = attribute.targets.isEmpty ? "" : " to \(attribute.targets.sorted().joined(separator: ", "))"
                lines.append(
                    "  \(attribute.name): "
                        + ([kinds + targets] + (attribute.declaration.map { ["\($0)"] } ?? [])).filter { !$0.isEmpty }.joined(separator: "; "))
            }
        }
        lines += bags.prefix(FaultList.maxKept).map { "\($0)" }
        if bags.count > FaultList.maxKept { lines.append("… and \(bags.count - FaultList.maxKept) more bags") }
        if faultCount > 0 { lines.append("cannot be taken: \(faultCount)") }
        lines += faults.map { "  \($0)" }
        return lines.joined(separator: "\n")
    }
}

extension ImportDescription.Bag: CustomStringConvertible {
    public var description: String { "\(name.map { "bag '\($0)'" } ?? "bag without a name"): \(memberCount) \(memberCount == 1 ? "member" : "members")" }
}

extension ImportDescription.Declaration: CustomStringConvertible {
    public var description: String {
        [type, isOptional ? "optional" : nil, isOrdered ? "ordered" : nil, inverse.map { "the inverse of \($0)" }].compactMap { $0 }.joined(separator: ", ")
    }
}
