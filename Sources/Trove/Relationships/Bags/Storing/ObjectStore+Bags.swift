extension ObjectStore {
    /// Deletes the bag with this name; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(named name: String, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.deleteBag(named: name) }
    }

    /// Deletes the bag with this key; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(id: ObjectID, durability: Durability? = nil) throws -> Bool {
        try write(durability) { try $0.deleteBag(id: id) }
    }

    /// Deletes a stored bag; its members stay. Returns whether it was stored.
    @discardableResult
    public func deleteBag(_ bag: Bag, durability: Durability? = nil) throws -> Bool {
        try deleteBag(id: bag.id, durability: durability)
    }

    // MARK: Asynchronous twins

    /// The bag with this name; nil when there is none.
    public func bag(named name: String) async throws -> Bag? {
        try await read { try $0.bag(named: name) }
    }

    /// The bag with this key; nil when there is none.
    public func bag(id: ObjectID) async throws -> Bag? {
        try await read { try $0.bag(id: id) }
    }

    /// All bags, with and without names, in the order of their keys, which is that of their making.
    public func bags() async throws -> [Bag] {
        try await read { try $0.bags() }
    }

    /// The stored bags that an object is in, in the order of their keys.
    public func bags(containing object: some Model) async throws -> [Bag] { try await bags(containing: AnyReference(object)) }

    /// The stored bags that the object of a reference is in, in the order of their keys.
    public func bags<Target: Model>(containing reference: Reference<Target>) async throws -> [Bag] {
        try await bags(containing: AnyReference(reference))
    }

    /// The stored bags that the object of a reference is in, in the order of their keys.
    public func bags(containing reference: AnyReference) async throws -> [Bag] {
        try await read { try $0.bags(containing: reference) }
    }

    /// Deletes the bag with this name; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(named name: String, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.deleteBag(named: name) }
    }

    /// Deletes the bag with this key; its members stay. Returns whether there was one.
    @discardableResult
    public func deleteBag(id: ObjectID, durability: Durability? = nil) async throws -> Bool {
        try await write(durability) { try $0.deleteBag(id: id) }
    }

    /// Deletes a stored bag; its members stay. Returns whether it was stored.
    @discardableResult
    public func deleteBag(_ bag: Bag, durability: Durability? = nil) async throws -> Bool {
        try await deleteBag(id: bag.id, durability: durability)
    }
}
