// How the code that `@Model` writes finds out whether a class inherits another one or only conforms to a protocol. A use of an unavailable function by
// overload resolution would be avoided, so the resolution decides on a type first, and its function is called then.

/// What `@Model` finds of a class that inherits none.
public struct _NoSuperclass {
    /// Does nothing.
    @inlinable public func check() {}
}

/// What `@Model` finds of a class that inherits another.
public struct _Superclass {
    @available(
        *, unavailable,
        message: "a class with '@Model' has no superclass, whose properties would not be stored; declare them in the class itself, and share what they have in common by a protocol"
    )
    public func check() {}
}

/// What two values of different types have in common that is no class.
public func _superclass<First, Second>(_ first: First, _ second: Second) -> _NoSuperclass { _NoSuperclass() }

/// What two values of different types have in common that is a class.
public func _superclass<Common: AnyObject>(_ first: Common, _ second: Common) -> _Superclass { _Superclass() }
