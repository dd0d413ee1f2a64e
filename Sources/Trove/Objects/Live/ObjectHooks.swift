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
        _$live.withLock { $0.host?.noteIdle(hook, of: Self.self) }
    }
}
