extension Bag {
    /// A query for the stored members of one model.
    ///
    /// ```swift
    /// let long = try bag.fetch(Song.self).where { $0.seconds > 600 }.sorted(by: \.title).all()
    /// ```
    ///
    /// The members are those at the time of this call, unsaved additions and removals counted; each read sees the objects as they are stored then. Without a sort
    /// they come by their ids; ``objects(of:)-swift.method`` has the bag's order. For changes by query and asynchronous reads see
    /// ``ObjectSource/fetch(_:in:)``.
    public func fetch<Object: Model>(_ type: Object.Type) -> Fetch<Object, BagSource> {
        BagSource(home: home).fetch(type, in: self)
    }

    /// What passes only objects that are members now.
    fileprivate func filter<Object: Model>(_ type: Object.Type) throws -> Filter {
        let name = Object.schema.name
        return try .identified(by: members.filter { $0.modelName == name }.map(\.keyBytes), as: FieldType(ofID: Object.ID.self))
    }
}

extension ObjectSource {
    /// A query for the members of a bag that are of one model and stored here.
    ///
    /// ```swift
    /// try store.fetch(Song.self, in: bag).where { $0.rating == nil }.delete()
    /// ```
    ///
    /// The members are those at the time of this call, unsaved additions and removals counted.
    public func fetch<Object: Model>(_ type: Object.Type, in bag: Bag) -> Fetch<Object, Self> {
        fetch(type).changing { $0.narrow(by: try bag.filter(type)) }
    }
}

/// The source that reads the objects of a bag: the store, or the context, that the bag belongs to.
public struct BagSource: ObjectSource, Sendable {
    let home: any BagHome

    /// Runs `body` on one snapshot.
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        try home.read(body)
    }

    public func _read<Result>(_ scope: _QueryScope, _ body: (ReadTransaction) throws -> Result) throws -> Result {
        try home._read(scope, body)
    }
}
