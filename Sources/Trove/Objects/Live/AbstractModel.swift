/// A class whose properties other models inherit. ``AbstractModel()`` writes the conformance.
///
/// ```swift
/// @AbstractModel
/// class Media {
///     @Attribute(.indexed) var title: String
///     init(title: String) { self.title = title }
/// }
///
/// @Model
/// final class Song: Media {
///     var plays = 0
/// }
///
/// let found: [Media] = try context.fetchAny(Media.self).where { $0.title.hasPrefix("A") }.sorted(by: \.title).all()
/// ```
public protocol AbstractModel: _LiveObject, _InheritableClass, Identifiable where ID: StorableKey {
    /// The names under which the properties are stored, with those of its superclasses.
    static var _$properties: [(property: AnyKeyPath, name: String)] { get }
}

// How the code that `@Model` writes finds out whether a class inherits another one or only conforms to a protocol. A use of an unavailable function by
// overload resolution would be avoided, so the resolution decides on a type first, and its function is called then.

/// The type that `@Model` finds for a class that inherits none, or an abstract model.
public struct _NoSuperclass {
    /// Does nothing.
    @inlinable public func check() {}
}

/// The type that `@Model` finds for a class that inherits another.
public struct _Superclass {
    @available(
        *, unavailable,
        message: "a superclass's properties would not be stored; write '@AbstractModel' before the superclass, or declare them in the class itself"
    )
    public func check() {}
}

/// The common type of two values of different types that is no class.
public func _superclass<First, Second>(_ first: First, _ second: Second) -> _NoSuperclass { _NoSuperclass() }

/// The common type of two values of different types that is an abstract model.
public func _superclass<Common: AbstractModel>(_ first: Common, _ second: Common) -> _NoSuperclass { _NoSuperclass() }

/// The common type of two values of different types that is a class.
public func _superclass<Common: AnyObject>(_ first: Common, _ second: Common) -> _Superclass { _Superclass() }

// The calls for objects that are known by the abstract model they inherit. Of an object that is known by its own model the compiler takes the others.
extension ObjectContext {
    /// Inserts a new object into the context; see ``insert(_:)``.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` for an object of the abstract model itself, which no store can keep.
    @_disfavoredOverload
    public func insert(_ object: some AbstractModel) throws { try insert(model(of: object)) }

    /// Inserts new objects into the context.
    @_disfavoredOverload
    public func insert(_ objects: some Sequence<some AbstractModel>) throws { try insert(objects.map { try model(of: $0) }) }

    /// Marks an object as deleted; see ``delete(_:)``.
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

extension ObjectSource {
    /// A query for the objects of all models that inherit a class.
    ///
    /// ```swift
    /// let media: [Media] = try context.fetchAny(Media.self).where { $0.title.hasPrefix("A") }.sorted(by: \.title).all()
    /// ```
    public func fetchAny<Superclass: AbstractModel>(_ superclass: Superclass.Type) -> MixedFetch<Superclass, Self> {
        MixedFetch(self, .models(String(describing: Superclass.self), Superclass._$properties, where: { $0 is Superclass.Type }))
    }
}
