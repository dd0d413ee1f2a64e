/// What a save has called of an object's hooks.
struct HookMarks {
    /// Whether `willDelete` was called.
    var isDoomed = false
    /// Whether `willSave` was called.
    var isWilled = false
    /// The object's `changeCount` that was validated.
    var validated: UInt64 = .max
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
