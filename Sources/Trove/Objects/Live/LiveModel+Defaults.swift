extension LiveModel {
    /// Whether the two are the same object.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    /// By the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Writes the fields, while no other thread changes them.
    public func encode(into record: inout RecordEncoder) throws {
        let domain = _$live.lock().takeUnretainedValue()
        defer { domain.lock.unlock() }
        try _$encode(into: &record)
    }

    // Those of a model without relationships.

    public func _$needs(_ change: RelationshipChange, of field: Int) throws -> Bool { false }

    public func _$change(_ change: RelationshipChange, of field: Int) throws {}

    public func _$targets(of field: Int) -> [AnyReference] { [] }

    public func _$appendHeld(to objects: inout [any LiveModel]) {}

    public func _$releaseHeld() {}

    /// Does nothing.
    public func validate() throws {}

    /// Does nothing.
    public func didLoad() {}

    /// Does nothing.
    public func willSave() throws {}

    /// Does nothing.
    public func didSave() {}

    /// Does nothing.
    public func didDelete() {}
}
