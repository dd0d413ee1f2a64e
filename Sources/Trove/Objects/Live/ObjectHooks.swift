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

extension ContextModel {
    /// Whether hooks of the class are known to do nothing, so that they need not be called.
    func areIdle(_ hooks: ObjectHooks) -> Bool { idleHooks.load(ordering: .relaxed) & hooks.rawValue == hooks.rawValue }
}

extension ObjectContext {
    func noteIdle(_ hook: ObjectHooks, of model: any LiveModel.Type) { known(model).idleHooks.bitwiseOr(hook.rawValue, ordering: .relaxed) }

    /// Calls a hook of objects, in their order. What a class has by default is called of one object and then left out, as most classes have few hooks or none.
    func call(_ hook: ObjectHooks, of objects: [any LiveModel], _ body: (any LiveModel) throws -> Void) rethrows {
        var model: ContextModel?
        for object in objects {
            let type = type(of: object)
            if model?.id != ObjectIdentifier(type) { model = domain.withLock { known(type) } }
            if model?.areIdle(hook) != true { try body(object) }
        }
    }
}
