// The calls for objects that are known by the abstract model they inherit. Of an object that is known by its own model the compiler takes the others.
extension ObjectContext {
    /// Inserts a new object into the context; see ``insert(_:)-swift.method``.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` for an object of the abstract model itself, which no store can keep.
    @_disfavoredOverload
    public func insert(_ object: some AbstractModel) throws { try insert(model(of: object)) }

    /// Inserts new objects into the context.
    @_disfavoredOverload
    public func insert(_ objects: some Sequence<some AbstractModel>) throws { try insert(objects.map { try model(of: $0) }) }

    /// Marks an object as deleted; see ``delete(_:)-swift.method``.
    @_disfavoredOverload
    public func delete(_ object: some AbstractModel) throws { try delete(model(of: object)) }

    /// Marks objects as deleted.
    @_disfavoredOverload
    public func delete(_ objects: some Sequence<some AbstractModel>) throws { try delete(objects.map { try model(of: $0) }) }

    /// Reads an object again from the store; see ``refresh(_:keepingChanges:)``.
    @_disfavoredOverload
    public func refresh(_ object: some AbstractModel, keepingChanges: Bool = true) throws { try refresh(model(of: object), keepingChanges: keepingChanges) }

    private func model<Object: AbstractModel>(of object: Object) throws -> any LiveModel {
        if let model = object._$model { return model }
        throw TroveError.contextMisuse(reason: "an object of the abstract model \(Object.self) itself cannot be stored; create one of a model that inherits it")
    }
}
