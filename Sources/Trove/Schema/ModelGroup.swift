/// Models that are fetched together because they conform to one protocol. ``AbstractModel()`` makes one for a protocol: `NamedModels` for `Named`.
///
/// ```swift
/// for named in try store.fetchConforming(to: NamedModels.self).sorted(by: \.name).all() { print(named.name) }
/// ```
///
/// Of the models that a store was opened with, those that conform to the protocol are fetched.
public protocol ModelGroup: SendableMetatype {
    /// The type of the results: any object that conforms to the protocol.
    associatedtype Object

    /// The properties of the protocol, and the names under which models store them.
    static var _properties: [(property: PartialKeyPath<Object>, name: String)] { get }

    /// Whether a model belongs to the group.
    static func _includes(_ model: any Model.Type) -> Bool
}

/// A class whose stored properties are known to the models that inherit it.
public protocol _InheritableClass: AnyObject {
    /// The most derived such class among the type and its superclasses.
    static var _$abstractClass: AnyClass { get }
}
