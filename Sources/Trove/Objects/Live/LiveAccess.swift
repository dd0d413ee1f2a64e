import Observation

/// The lock of an object's domain, held while an accessor of the object runs.
///
/// The unmanaged reference is valid as long as the object is, which is the `self` of the accessor: its state keeps the domain alive.
public struct _LiveAccess {
    @usableFromInline let domain: Unmanaged<ObjectDomain>
    /// Those that observe the object; nil where nobody can.
    @usableFromInline let observers: ObjectObservers?
    /// Whether a stored property is being changed, which ``ObjectDomain/changesUnderWay`` counts.
    @usableFromInline var isCounted = false

    @inlinable @inline(__always)
    init(_ domain: Unmanaged<ObjectDomain>, _ observers: ObjectObservers?) {
        self.domain = domain
        self.observers = observers
    }

    /// Ends a read.
    @inlinable @inline(__always)
    public func end() {
        domain._withUnsafeGuaranteedRef { $0.lock.unlock() }
    }

    /// Ends a change.
    @inlinable @inline(__always)
    public func end<Owner: _LiveObject, Value>(_ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>) {
        domain._withUnsafeGuaranteedRef {
            if isCounted { $0.changesUnderWay &-= 1 }
            $0.lock.unlock()
        }
        if let observers { observers.registrar.didSet(owner, keyPath: property()) }
    }

    /// Ends a change in place, during which the caller's code ran.
    @inlinable @inline(__always)
    public func endInPlace<Owner: _LiveObject, Value>(_ owner: Owner, _ property: @autoclosure () -> KeyPath<Owner, Value>) {
        checkThread()
        end(owner, property())
    }

    /// A lock that one thread took and another gives back would let in a third one.
    @inlinable @inline(__always)
    func checkThread() {
        precondition(
            domain._withUnsafeGuaranteedRef { $0.lock.isHeld },
            "a property of a live object was passed 'inout' to an async function, which continued on another thread; pass a copy and assign it")
    }
}

/// Gives a property of a ``LiveModel`` or ``AbstractModel`` accessors that take the lock of its objects. `@Model` attaches it to the properties of a class.
///
/// - Parameters:
///   - field: The position of the property's field among those of its class; nil when it is not stored.
///   - afterSuperclass: Whether the fields of a superclass may come before.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro _LiveField(_ field: Int? = nil, afterSuperclass: Bool = false) = #externalMacro(module: "TroveMacros", type: "LiveFieldMacro")

/// Gives a lazy property of a ``LiveModel`` or ``AbstractModel`` accessors that read it when it is asked for. `@Model`
/// attaches it to the properties of a class.
///
/// - Parameters:
///   - field: The position of the property's field among those of its class.
///   - afterSuperclass: Whether the fields of a superclass may come before.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_), prefixed(_$default_))
public macro _LiveLazyField(_ field: Int, afterSuperclass: Bool = false) = #externalMacro(module: "TroveMacros", type: "LiveLazyFieldMacro")

/// Gives a relationship of a ``LiveModel`` or ``AbstractModel`` accessors that find its objects. `@Model` attaches it to the properties of a class.
///
/// - Parameters:
///   - field: The position of the property's field among those of its class.
///   - afterSuperclass: Whether the fields of a superclass may come before.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro _LiveRelationship(_ field: Int, afterSuperclass: Bool = false) = #externalMacro(module: "TroveMacros", type: "LiveRelationshipMacro")
