// A path goes on from a reference to a property of what it points at, and is nil where nothing is.

extension Field {
    /// A property of the object that a reference points at: `$0.album.title`.
    ///
    /// It is nil when the object is not stored. The id is that of the reference, whether or not the object is stored.
    @_disfavoredOverload
    public subscript<Target: Model, Next>(dynamicMember property: KeyPath<Target, Next>) -> Field<Next?> where Value == Reference<Target> {
        further(property)
    }

    /// An optional property of the object that a reference points at.
    @_disfavoredOverload
    public subscript<Target: Model, Next>(dynamicMember property: KeyPath<Target, Next?>) -> Field<Next?> where Value == Reference<Target> {
        further(property)
    }

    /// A property of the object that a reference points at; nil when the reference is nil.
    public subscript<Target: Model, Next>(dynamicMember property: KeyPath<Target, Next>) -> Field<Next?> where Value == Reference<Target>? {
        further(property)
    }

    /// An optional property of the object that a reference points at; nil when the reference is nil.
    public subscript<Target: Model, Next>(dynamicMember property: KeyPath<Target, Next?>) -> Field<Next?> where Value == Reference<Target>? {
        further(property)
    }

    private func further<Target: Model, Next, Result>(_ property: KeyPath<Target, Next>) -> Field<Result> {
        Field<Result>(scope: scope, problem: problem) { () throws(TroveError) in
            let next = try Target.path(property)
            return FieldPath(field: path.field, names: path.names + [next.field] + next.names)
        }
    }
}

// An object stands for a reference to it.

extension Field {
    /// Whether the reference points at the object.
    public static func == <Target: Model>(field: Field, object: Target) -> Condition where Value == Reference<Target> {
        field.compared(.equal, to: Reference(object))
    }

    /// Whether the reference points at the object; false for nil.
    public static func == <Target: Model>(field: Field, object: Target) -> Condition where Value == Reference<Target>? {
        field.compared(.equal, to: Reference(object))
    }

    /// Whether the reference points at another object.
    public static func != <Target: Model>(field: Field, object: Target) -> Condition where Value == Reference<Target> {
        field.compared(.notEqual, to: Reference(object))
    }

    /// Whether the reference points at another object or is nil.
    public static func != <Target: Model>(field: Field, object: Target) -> Condition where Value == Reference<Target>? {
        field.compared(.notEqual, to: Reference(object))
    }
}

extension Field where Value: MemberCollection {
    /// Whether one of the references points at an object.
    public func contains<Target: Model>(_ object: Target) -> Condition where Value.Member == Reference<Target> { contains(Reference(object)) }

    /// Whether one of the references, of any models, points at an object.
    public func contains<Target: Model>(_ object: Target) -> Condition where Value.Member == AnyReference { contains(AnyReference(object)) }

    /// Whether one of the references, of any models, points at a document of a collection.
    public func contains(_ document: Document, in collection: String) -> Condition where Value.Member == AnyReference {
        contains(AnyReference(document, in: collection))
    }
}

extension Members {
    /// Whether one of the references points at an object.
    public func contains<Target: Model>(_ object: Target) -> Condition where Element == Reference<Target> { contains(Reference(object)) }

    /// Whether one of the references, of any models, points at an object.
    public func contains<Target: Model>(_ object: Target) -> Condition where Element == AnyReference { contains(AnyReference(object)) }

    /// Whether one of the references, of any models, points at a document of a collection.
    public func contains(_ document: Document, in collection: String) -> Condition where Element == AnyReference {
        contains(AnyReference(document, in: collection))
    }
}
