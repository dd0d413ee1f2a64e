/// Gives a property of a ``LiveModel`` accessors that take the lock of its objects. `@Model` attaches it to the properties of a class.
///
/// - Parameter field: The position of the property's field in the schema; nil when it is not stored.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro _LiveField(_ field: Int? = nil) = #externalMacro(module: "TroveMacros", type: "LiveFieldMacro")

/// Gives a relationship of a ``LiveModel`` accessors that find its objects. `@Model` attaches it to the properties of a class.
///
/// - Parameter field: The position of the property's field in the schema.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro _LiveRelationship(_ field: Int) = #externalMacro(module: "TroveMacros", type: "LiveRelationshipMacro")
