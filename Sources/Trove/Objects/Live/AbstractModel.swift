import Observation

/// An object whose property accessors `@Model` or `@AbstractModel` wrote.
public protocol _LiveObject: AnyObject, Hashable, Observable, Sendable {
    /// The state that Trove keeps of the object.
    var _$live: _LiveObjectState { get }

    /// The object as its model; nil for an instance of an abstract model itself, which no store can keep.
    var _$model: (any LiveModel)? { get }
}

extension _LiveObject {
    /// Whether the two are the same object.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

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
