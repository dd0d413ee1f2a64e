/// New objects whose unique values somebody may have already.
extension ObjectContext {
    /// Inserts a new object, or gives its properties to the object that has its id or its values in a unique index. Returns the object of this context.
    ///
    /// ```swift
    /// let song = try context.upsert(Song(isrc: "USSM15900113", title: "So What"))
    /// song.album = album                          // the stored song, or the new one
    /// try context.save()
    /// ```
    ///
    /// It finds what a fetch of the context finds: inserted objects, and none that is deleted here and not saved. The object that is there keeps its id.
    /// Properties that are equal are not changed, so when all are, the save writes nothing. The given object then stays in no context.
    ///
    /// Relationships of the given object are assigned with all that this means: other sides follow, new objects are inserted, and an owner lets go of
    /// what it had. A relationship that is empty leaves the one that is there, since a new object has nothing in those that nobody has set; name it in
    /// `updating` to empty it. Properties marked ``AttributeOption/writeOnce`` and ``AttributeOption/keepIfNil`` and dates of saves keep by their
    /// rules. Nil is no unique value.
    ///
    /// It is one step to undo. Another context may store an object with the same values meanwhile: then the save throws
    /// ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, or does as ``ContextOptions/uniqueConflicts`` says.
    ///
    /// - Parameters:
    ///   - object: an object in no context; one of this context is returned as it is.
    ///   - properties: those that an object which is there takes over; nil for all.
    /// - Throws: ``TroveError/ambiguousUpsert(model:id:match:otherID:otherMatch:)`` when two objects have values of it; what
    ///   ``insert(_:)`` throws; ``TroveError/contextMisuse(reason:)`` inside a read or transaction, or when an id that is made of
    ///   properties would change; ``TroveError/unsupportedKeyPath(model:keyPath:)``; what reading throws. Then nothing is changed.
    /// - Complexity: O(log *n*) for each unique index, and a look at each pending object. Where deletions are pending, or the index is of a
    ///   relationship, it takes the time of a fetch, which writes all pending changes; so give many objects to the call that takes several.
    @discardableResult
    public func upsert<Object: LiveModel>(_ object: Object, updating properties: [PartialKeyPath<Object> & Sendable]? = nil) throws -> Object {
        try upsert(CollectionOfOne(object), updating: properties)[0]
    }

    /// Inserts new objects, or gives their properties to the objects that have their ids or unique values, all looked up together; see
    /// ``upsert(_:updating:)-(Object,_)``.
    ///
    /// The last of several with the same values wins. All are one step to undo.
    ///
    /// - Returns: for each the object of this context, in their order.
    /// - Throws: as that, at the first object that cannot be; those before it stay.
    @discardableResult
    public func upsert<Object: LiveModel>(
        _ objects: some Sequence<Object>, updating properties: [PartialKeyPath<Object> & Sendable]? = nil
    ) throws -> [Object] {
        try checkNoTransaction("upsert objects")
        let fields = try properties.map { try Set($0.map { try Self.fieldName($0) }) }
        return try domain.withLock {
            try checkNoChangeUnderWay()
            return try undoGroup {
                try unify(Array(objects)) { given, present in
                    try checkTargets(of: given)
                    try takeOver(fields, of: given, into: present)
                }
            }
        }
    }

    /// The object that has the id of a new one, or its values in a unique index, as it is; the new one itself, inserted, when there is none.
    ///
    /// ```swift
    /// let artist = try context.fetchOrInsert(Artist(name: "Bill Evans"))
    /// ```
    ///
    /// For objects that are found by other conditions there is ``Fetch/firstOrInsert(_:)``.
    ///
    /// - Parameter object: an object in no context; one of this context is returned as it is.
    /// - Throws: as ``upsert(_:updating:)``.
    /// - Complexity: as of that.
    @discardableResult
    public func fetchOrInsert<Object: LiveModel>(_ object: Object) throws -> Object {
        try checkNoTransaction("insert an object that may be there")
        return try domain.withLock { try unify([object]) { _, _ in }[0] }
    }

    /// For each new object the one that has its id or unique values, all looked up together, or the new one itself, inserted; see
    /// ``fetchOrInsert(_:)-(Object)``. All insertions are one step to undo.
    ///
    /// - Throws: as that, at the first object that cannot be; those before it stay.
    @discardableResult
    public func fetchOrInsert<Object: LiveModel>(_ objects: some Sequence<Object>) throws -> [Object] {
        try checkNoTransaction("insert objects that may be there")
        return try domain.withLock { try undoGroup { try unify(Array(objects)) { _, _ in } } }
    }

    fileprivate static func fieldName<Object: LiveModel>(_ property: PartialKeyPath<Object>) throws -> String {
        let path = try Object.path(property)
        guard path.isOfWholeField, Object.schema.fields.contains(where: { $0.name == path.field }) else {
            throw TroveError.unsupportedKeyPath(model: Object.schema.name, keyPath: property.shownInErrors)
        }
        return path.field
    }
}

/// The asynchronous twins, which look objects up on a reader thread and throw what these throw.
extension ObjectContext {
    /// Inserts a new object, or gives its properties to the object that has its id or unique values. Returns the object of this context.
    @discardableResult
    public func upsert<Object: LiveModel>(_ object: Object, updating properties: [PartialKeyPath<Object> & Sendable]? = nil) async throws -> Object {
        try await _onReader { try self.upsert(object, updating: properties) }
    }

    /// Inserts new objects, or gives their properties to the objects that have their ids or unique values. Returns the objects of this context.
    @discardableResult
    public func upsert<Object: LiveModel>(
        _ objects: some Sequence<Object> & Sendable, updating properties: [PartialKeyPath<Object> & Sendable]? = nil
    ) async throws -> [Object] {
        try await _onReader { try self.upsert(objects, updating: properties) }
    }

    /// The object that has the id or unique values of a new one, as it is; the new one itself, inserted, when there is none.
    @discardableResult
    public func fetchOrInsert<Object: LiveModel>(_ object: Object) async throws -> Object { try await _onReader { try self.fetchOrInsert(object) } }

    /// For each new object the one that has its id or unique values, or the new one itself, inserted.
    @discardableResult
    public func fetchOrInsert<Object: LiveModel>(_ objects: some Sequence<Object> & Sendable) async throws -> [Object] {
        try await _onReader { try self.fetchOrInsert(objects) }
    }
}
