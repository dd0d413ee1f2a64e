import Observation

/// An object whose property accessors `@Model` or `@AbstractModel` wrote.
public protocol _LiveObject: AnyObject, Hashable, Observable, Sendable {
    /// The state that Trove keeps of the object, which lives as long as it. It is given without a reference count: counting costs more
    /// than most of what is asked of the state.
    var _$state: Unmanaged<_LiveObjectState> { get }

    /// The object as its model; nil for an instance of an abstract model itself, which no store can keep.
    var _$model: (any LiveModel)? { get }
}

extension _LiveObject {
    /// The state that Trove keeps of the object.
    @inlinable @inline(__always) var live: _LiveObjectState { _$state.takeUnretainedValue() }

    /// Whether the two are the same object.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A model whose objects are instances of a class: they know the context they are in, and their relationships give objects.
///
/// `@Model` writes the conformance of a `final class`; see ``Model(_:version:)``. The methods whose names begin with `_$` are what
/// it writes, and only called by Trove.
///
/// Two objects are equal when they are the same one. A context has one object for each record.
///
/// Properties may be read and written from any thread. Each access is atomic, also one that changes a property in place, such as
/// `song.plays += 1`; several together are not.
public protocol LiveModel: _LiveObject, Model {
    /// Sets every stored property from a record, or none when it throws.
    func _$load(from record: inout RecordDecoder) throws

    /// Writes every stored property in the order of the schema.
    func _$encode(into record: inout RecordEncoder) throws

    /// Changes a relationship as the change of its other side requires.
    func _$change(_ change: _RelationshipChange, of field: Int) throws

    /// Whether the change has an effect.
    func _$needs(_ change: _RelationshipChange, of field: Int) throws -> Bool

    /// The objects that a relationship refers to, in order and with repetitions.
    func _$targets(of field: Int) -> [AnyReference]

    /// Appends the objects that are held by the relationships of an object without a context.
    func _$appendHeld(to objects: inout [any LiveModel])

    /// Releases the objects that the relationships hold, because a context holds them from now on.
    func _$releaseHeld()

    /// Reads a lazy property into memory.
    func _$loadLazily(_ field: Int) throws

    // MARK: Hooks

    /// Checks the object before a save of its context; an error that it throws fails the save. It must not change the object. What writes records past
    /// contexts, and what a save changes besides its objects, asks a copy where the class is a ``ValidatedModel`` too.
    func validate() throws

    /// Called after the object was read from the store, or read again.
    func didLoad()

    /// Called before a save writes the object, and may still change it; an error that it throws fails the save.
    func willSave() throws

    /// Called after a save wrote the object.
    func didSave()

    /// Called before a save deletes the object; an error that it throws fails the save. Of what delete rules delete with it a ``StoreDelegate`` is told.
    func willDelete() throws

    /// Called after a save deleted the object's record.
    func didDelete()
}

extension LiveModel {
    /// The object itself.
    @inlinable public var _$model: (any LiveModel)? { self }

    /// Writes the fields while no other thread changes them.
    public func encode(into record: inout RecordEncoder) throws {
        let domain = _$state._withUnsafeGuaranteedRef { $0.lock() }
        defer { domain._withUnsafeGuaranteedRef { $0.lock.unlock() } }
        try _$encode(into: &record)
    }

    // Those of a model without lazy properties and relationships.

    public func _$loadLazily(_ field: Int) throws {}

    public func _$needs(_ change: _RelationshipChange, of field: Int) throws -> Bool { false }

    public func _$change(_ change: _RelationshipChange, of field: Int) throws {}

    public func _$targets(of field: Int) -> [AnyReference] { [] }

    public func _$appendHeld(to objects: inout [any LiveModel]) {}

    public func _$releaseHeld() {}

    /// Does nothing.
    public func validate() throws { noteIdle(.validate) }

    /// Does nothing.
    public func didLoad() { noteIdle(.didLoad) }

    /// Does nothing.
    public func willSave() throws { noteIdle(.willSave) }

    /// Does nothing.
    public func didSave() { noteIdle(.didSave) }

    /// Does nothing.
    public func willDelete() throws { noteIdle(.willDelete) }

    /// Does nothing.
    public func didDelete() { noteIdle(.didDelete) }
}

/// Hooks of a ``LiveModel``.
struct ObjectHooks: OptionSet {
    let rawValue: UInt8

    static let validate = ObjectHooks(rawValue: 1)
    static let didLoad = ObjectHooks(rawValue: 2)
    static let willSave = ObjectHooks(rawValue: 4)
    static let didSave = ObjectHooks(rawValue: 8)
    static let willDelete = ObjectHooks(rawValue: 16)
    static let didDelete = ObjectHooks(rawValue: 32)
}

extension LiveModel {
    /// Notes that a hook of the class does nothing: it is the one that every class has by default, which calls this.
    func noteIdle(_ hook: ObjectHooks) {
        live.withLock { $0.host?.noteIdle(hook, of: Self.self) }
    }
}
