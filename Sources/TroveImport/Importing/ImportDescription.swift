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
        /// The collection that it leads to; nil for what is no reference.
        public let target: String?
        /// What becomes of what it refers to when an object that has it is deleted; nil where the source does not tell.
        public let deleteRule: DeleteRule?
        /// Its place among those of the collection; nil where they have no order.
        let position: Int?

        init(
            type: String, isOptional: Bool, isOrdered: Bool = false, inverse: String? = nil, target: String? = nil, deleteRule: DeleteRule? = nil,
            position: Int? = nil
        ) {
            self.type = type
            self.isOptional = isOptional
            self.isOrdered = isOrdered
            self.inverse = inverse
            self.target = target
            self.deleteRule = deleteRule
            self.position = position
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
        /// The kinds of the elements of its arrays, and how many there are of each.
        public internal(set) var elementKinds: [String: Int] = [:]
        /// What it refers to, when it does: the tables or classes.
        public internal(set) var targets: Set<String> = []
        /// The types of ids that the keys of what it refers to would have.
        var keyTypes: Set<String> = []

        init(_ name: String) { self.name = name }
    }

    /// What tells the objects of a collection apart.
    public struct Key: Sendable, Codable, Hashable {
        /// The attribute that has it; nil where none or several have it, as where rows go by their numbers.
        public let attribute: String?
        /// The kind of its values, as ``Attribute/kinds`` has it; nil where they are of several kinds, or have several parts.
        public let kind: String?
    }

    /// An index that the source has.
    public struct Index: Sendable, Codable, Hashable {
        /// The attributes, in its order.
        public let attributes: [String]
        /// Whether no two objects may have the same values.
        public let isUnique: Bool
    }

    /// A collection, and what its objects have.
    public struct Collection: Sendable, Codable {
        /// Its name in the source.
        public let name: String
        /// The number of objects. A collection without any is told of where the source declares it, as a database declares tables.
        public internal(set) var count = 0
        /// The attributes by their names.
        public internal(set) var attributes: [Attribute] = []
        /// What tells its objects apart; nil for a collection without any that declares nothing.
        public internal(set) var key: Key?
        /// Its indexes, without those of other forms than Trove's: of a part of the rows, of expressions, and unique ones that compare texts in another way.
        public internal(set) var indexes: [Index] = []
        /// What numbers its objects, by whose name references lead to them.
        var space = ""
        /// Whether other collections are special cases of it, as entities below another are.
        var hasSubcollections = false
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
