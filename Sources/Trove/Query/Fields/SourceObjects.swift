/// The objects of one model that point at an object with one of their properties, of which a query has an aggregate.
///
/// ```swift
/// let rows = try store.fetch(Album.self).select { ($0.title, $0.referencing(Song.self, \.album).count) }.all()
/// ```
///
/// Nothing is stored for it at the object: the index of the property is asked.
public struct SourceObjects<Source: Model>: Sendable {
    private let start: FieldPath
    private let scope: ElementScope?
    private let problem: TroveError?
    private let property: Result<String, TroveError>

    /// - Parameter start: leads to the object that they point at; nil for the object of the query.
    init(_ property: PartialKeyPath<Source>, at start: FieldPath?, _ scope: ElementScope?, _ problem: TroveError?) {
        self.start = start.map { $0.appending(FieldPath.referencingField) } ?? FieldPath(field: FieldPath.referencingField)
        self.scope = scope
        self.problem = problem
        self.property = Result { () throws(TroveError) in
            let path = try Source.path(property)
            guard path.isOfWholeField else { throw .invalidQuery(reason: "\(Source.schema.name).\(path) is no relationship, so it points at nothing") }
            return path.field
        }
    }

    /// The number of objects.
    ///
    /// - Complexity: O(log *n* + *m*) for each object of the query, with *m* objects that point at it, of which none is read.
    public var count: Field<Int?> { aggregate(.count) { Field<Int>(path: .element, scope: $0.scope) } }

    private func aggregate<Value, Number>(_ aggregate: MemberAggregate, _ value: (Field<Reference<Source>>) -> Field<Value>) -> Field<Number> {
        let element = ElementScope()
        let member = value(Field(path: .element, scope: element))
        return Field(scope: scope, problem: problem ?? member.problem) { () throws(TroveError) in
            guard member.scope == element, member.path.aggregate == nil else {
                throw .invalidQuery(
                    reason: "\(aggregate.rawValue) is of one value of each \(Source.schema.name) that points at the object; name a property of that alone, without an aggregate of its own")
            }
            let names = try start.names + [Source.schema.name, property.get()] + member.path.names
            return FieldPath(field: start.field, names: names, aggregate: aggregate)
        }
    }

    /// The sum of a number of each object: `$0.referencing(Song.self, \.album).sum(\.duration)`; 0 of none.
    ///
    /// - Complexity: each object that points at one is read once for a query, many together; in a condition those of one object together.
    public func sum<Number: Summable>(_ number: (Field<Reference<Source>>) -> Field<Number?>) -> Field<Number.Sum?> { aggregate(.sum, number) }

    /// The average of a number of each object; nil of none.
    public func average<Number: Numeric & Storable>(_ number: (Field<Reference<Source>>) -> Field<Number?>) -> Field<Double?> { aggregate(.average, number) }

    /// The least value of a property of the objects; nil of none.
    public func minimum<Wrapped: Storable>(_ value: (Field<Reference<Source>>) -> Field<Wrapped?>) -> Field<Wrapped?> { aggregate(.minimum, value) }

    /// The greatest value of a property of the objects; nil of none.
    public func maximum<Wrapped: Storable>(_ value: (Field<Reference<Source>>) -> Field<Wrapped?>) -> Field<Wrapped?> { aggregate(.maximum, value) }
}

extension Fields where Object: Model {
    /// The objects of a model that point at this one with one of their properties, for an aggregate of them: `$0.referencing(Song.self, \.album).count`.
    ///
    /// It is for what ``ObjectSource/referencing(_:from:_:)`` and ``ReferencingObjects`` find, where a model does not have the other side itself. The query
    /// throws ``TroveError/unknownPath(model:path:reason:)`` when the property does not point at this model.
    public func referencing<Source: Model>(_ type: Source.Type, _ property: PartialKeyPath<Source>) -> SourceObjects<Source> {
        SourceObjects(property, at: nil, nil, nil)
    }
}

extension Field where Value: ReferenceCollection {
    /// The objects of a model that point at the object of this reference with one of their properties, for an aggregate of them; nil where the reference is. Of
    /// several references those that point at any of the objects, as often as they do.
    public func referencing<Source: Model>(_ type: Source.Type, _ property: PartialKeyPath<Source>) -> SourceObjects<Source> {
        SourceObjects(property, at: path, scope, problem)
    }
}
