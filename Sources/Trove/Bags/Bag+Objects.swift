extension Bag {
    // MARK: Reading members

    /// The members of one model, in the bag's order.
    ///
    /// Those of an inflated bag are in memory; of others all are read in one go. Members that were added as objects and are not saved are those objects.
    /// What was deleted by others is left out.
    ///
    /// - Throws: ``TroveError/invalidCollection(name:reason:)`` of ``Document``, since documents are read by the name of their collection: ``documents(_:)``;
    ///   ``TroveError`` when a record cannot be read.
    public func objects<Object: Model>(of type: Object.Type) throws -> [Object] {
        if type == Document.self { _ = try home.store.core.binding(for: type) }
        let (members, present) = loaded(under: Object.schema.name)
        let missing = members.filter { present[$0] == nil }
        let read = missing.isEmpty ? [:] : try home.read { try $0.objects(missing) }
        return members.compactMap { (present[$0] ?? read[$0]) as? Object }
    }

    /// The members of one model, in the bag's order, read on a reader thread.
    public func objects<Object: Model>(of type: Object.Type) async throws -> [Object] {
        try await home.store.readPool.run { try self.objects(of: type) }
    }

    /// All members, in the bag's order; see ``objects(of:)``. A member of a collection is a ``Document``.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)`` when the program lacks the model of a member, or a reference was added to a document of a collection that
    ///   nobody has made.
    public func objects() throws -> [any Model] {
        let (members, present) = loaded()
        let missing = members.filter { present[$0] == nil }
        let read = missing.isEmpty ? [:] : try home.read { try $0.objects(missing) }
        return members.compactMap { present[$0] ?? read[$0] }
    }

    /// All members, in the bag's order, read on a reader thread.
    public func objects() async throws -> [any Model] {
        try await home.store.readPool.run { try self.objects() }
    }

    /// The members under the name of a model or a collection, in the bag's order.
    func members(under name: String) -> [AnyReference] { withState { $0.current.members }.elements(under: name) }

    /// The members under a name, or all, and which of their objects are in memory.
    func loaded(under name: String? = nil) -> ([AnyReference], [AnyReference: any Model]) {
        let state = withState { $0 }
        let list = state.current.members
        let members = name.map { list.elements(under: $0) } ?? list.elements
        var present = state.objects ?? [:]
        for (member, addition) in state.additions where state.unsaved.contains(member) {
            if let object = addition.object { present[member] = object }
        }
        return (members, present)
    }

    // MARK: Inflating

    /// Whether the members' objects are in memory.
    public var isInflated: Bool { withState { $0.objects != nil } }

    /// Reads the objects of all members at once and keeps them until ``deflate()``. An inflated bag reads them anew.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)`` when the program lacks the model of a member, or a reference was added to a document of a collection that
    ///   nobody has made.
    public func inflate() throws {
        try home.read { try inflate($0) }
    }

    /// Reads the objects of all members at once and keeps them until ``deflate()``.
    public func inflate() async throws {
        try await home.store.readPool.run { try self.inflate() }
    }

    /// Releases the objects of saved members; their references stay.
    public func deflate() { withState { $0.replaceObjects(nil) } }

    func inflate(_ transaction: ReadTransaction) throws {
        let (members, added) = withState { ($0.current.members.elements, $0.unsavedDocuments) }
        // Added documents may be of a collection that nobody has made.
        let objects = try transaction.objects(members.filter { try !added.contains($0) || transaction.isStored($0) })
        // What was removed meanwhile is no member.
        withState { state in state.replaceObjects(objects.filter { state.current.members.contains($0.key) }) }
    }
}

extension Bag {
    /// A query for the stored members of one model.
    ///
    /// ```swift
    /// let long = try bag.fetch(Song.self).where { $0.seconds > 600 }.sorted(by: \.title).all()
    /// ```
    ///
    /// The members are those at the time of this call, unsaved additions and removals counted; each read sees the objects as they are stored then. Without a
    /// sort they come by their ids; ``objects(of:)`` has the bag's order. For changes by query see ``ObjectSource/fetch(_:in:)``.
    public func fetch<Object: Model>(_ type: Object.Type) -> Fetch<Object, BagSource> {
        BagSource(home: home).fetch(type, in: self)
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
        let members = bag.members(under: Object.schema.name)
        return fetch(type).changing { $0.narrow(by: try .identified(by: members.map(\.keyBytes), as: FieldType(ofID: Object.ID.self))) }
    }
}

/// The source that reads the objects of a bag: the store, or the context, that the bag belongs to.
public struct BagSource: AsyncObjectSource {
    let home: any BagHome

    /// Runs `body` on one snapshot.
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        try home.read(body)
    }

    public func _read<Result>(_ scope: _QueryScope, _ body: (ReadTransaction) throws -> Result) throws -> Result {
        try home._read(scope, body)
    }

    public var _live: (any _LiveSource)? { home._live }

    public func _onReader<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result { try await home._onReader(body) }
}
