extension ReadTransaction {
    func storedBag(named name: String) throws -> StoredBag? {
        try fetch(StoredBag.self).where(.comparison(.path(FieldPath(field: "name")), .equal, .value(.string(name)))).first()
    }

    /// The stored bags that have a member, in the order of their ids.
    fileprivate func storedBags(containing member: AnyReference) throws -> [StoredBag] {
        var ids: [ObjectID] = []
        try forEachSource(of: member, in: core.bags.members) { key, _ in
            ids.append(try ObjectID(keyBytes: [UInt8](copying: key)))
        }
        return try fetch(StoredBag.self, ids: ids)
    }

    fileprivate func bag(_ stored: StoredBag) throws -> Bag { Bag(id: stored.id, BagState(stored), try bagHome) }
}

extension ObjectSource {
    /// The bag with this name; nil when there is none.
    ///
    /// It is as it is stored here, and belongs to the store, or to the context, that this is or is of.
    ///
    /// - Throws: ``TroveError/closed(path:)`` in a transaction whose ``ObjectStore`` is gone, or is being opened; what reading throws.
    public func bag(named name: String) throws -> Bag? {
        try read { transaction in try transaction.storedBag(named: name).map { try transaction.bag($0) } }
    }

    /// The bag with this id; nil when there is none.
    ///
    /// - Throws: as ``bag(named:)``.
    public func bag(id: ObjectID) throws -> Bag? {
        try read { transaction in try transaction.fetch(StoredBag.self, id: id).map { try transaction.bag($0) } }
    }

    /// All bags, with and without names, in the order of their ids: the oldest first, but for bags that were given an id.
    ///
    /// - Throws: as ``bag(named:)``.
    public func bags() throws -> [Bag] {
        try read { transaction in try transaction.fetch(StoredBag.self).all().map { try transaction.bag($0) } }
    }

    /// The bags that pass a condition.
    ///
    /// ```swift
    /// let bags = try store.bags(sortedBy: .name, limit: 20) { $0.name.hasPrefix("tonight") && $0.members.contains(song) }
    /// ```
    ///
    /// Each is as it is stored; unsaved members are not looked at. A name, and a member, are found by an index.
    ///
    /// - Parameters:
    ///   - order: the order of the bags; those with equal names are in the order of their making.
    ///   - limit: how many bags there are at most; nil for all.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` for a condition that cannot be asked, and a limit below 0.
    public func bags(
        sortedBy order: BagOrder = .making, limit: Int? = nil, where condition: (BagFields) -> some ConditionConvertible
    ) throws -> [Bag] {
        let condition = condition(BagFields()).condition
        return try read { transaction in
            let all = transaction.fetch(StoredBag.self).where { _ in condition }
            let sorted =
                switch order {
                case .making: all
                case .name: all.sorted(by: \.name)
                case .nameDescending: all.sorted(by: \.name, .descending)
                }
            return try (limit.map { sorted.limit($0) } ?? sorted).all().map { try transaction.bag($0) }
        }
    }

    /// The stored bags that contain an object, in the order of their ids.
    ///
    /// - Throws: as ``bag(named:)``.
    /// - Complexity: O(log *n* + *m*) for *m* bags.
    public func bags(containing object: some Model) throws -> [Bag] { try bags(containing: AnyReference(object)) }

    /// The stored bags that contain the object of a reference, in the order of their ids.
    public func bags<Target: Model>(containing reference: Reference<Target>) throws -> [Bag] {
        try bags(containing: AnyReference(reference))
    }

    /// The stored bags that contain a document of a collection, in the order of their ids.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* bags.
    public func bags(containing document: Document, in collection: String) throws -> [Bag] {
        try bags(containing: AnyReference(document, in: collection))
    }

    /// The stored bags that contain the object of a reference, in the order of their ids.
    public func bags(containing reference: AnyReference) throws -> [Bag] {
        try read { transaction in try transaction.storedBags(containing: reference).map { try transaction.bag($0) } }
    }
}

/// The properties of a bag that a condition can name; see ``ObjectSource/bags(sortedBy:limit:where:)``.
public struct BagFields: Sendable {
    private let fields = Fields<StoredBag>()

    /// The bag's id.
    public var id: Field<ObjectID> { fields.id }

    /// The name; nil for a bag without a name.
    public var name: Field<String?> { fields.name }

    /// The members.
    public var members: Field<[AnyReference]> { fields.members }
}

/// An order of bags.
public enum BagOrder: Sendable, Hashable {
    /// By id: the oldest first, but for bags that were given an id.
    case making
    /// By name, bags without a name first.
    case name
    /// By name descending, bags without a name last.
    case nameDescending
}
