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
