import Synchronization

/// What a context asks of a class for each of its objects, looked up once.
final class ContextModel: Sendable {
    let id: ObjectIdentifier
    /// nil for a class that the store does not have.
    let binding: ModelBinding?
    /// Whether a save may delete objects because of a change of one of this model.
    let ownsObjects: Bool
    /// Whether relationships of the model are said the other way round by others.
    let hasInverses: Bool
    /// The hooks that do nothing, as far as is known; see ``ObjectHooks``.
    let idleHooks = Atomic<UInt8>(0)
    /// The hooks that a save has begun to call of objects of the class.
    private let calledHooks = Atomic<UInt8>(0)

    init(_ type: any LiveModel.Type, _ core: StoreCore) {
        id = ObjectIdentifier(type)
        binding = core.knownBinding(for: type)
        let relationships = core.relationships(of: type.schema.name)
        ownsObjects = relationships.contains { $0.schema.deleteRule.owns }
        hasInverses = relationships.contains { $0.inverse != nil }
    }

    /// Whether a save calls a hook of the class for the first time: what it does is known afterwards.
    func isFirstCall(of hook: ObjectHooks) -> Bool {
        if calledHooks.load(ordering: .relaxed) & hook.rawValue != 0 { return false }
        calledHooks.bitwiseOr(hook.rawValue, ordering: .relaxed)
        return true
    }
}

extension ContextModel {
    /// Whether hooks of the class are known to do nothing, so that they need not be called.
    func areIdle(_ hooks: ObjectHooks) -> Bool { idleHooks.load(ordering: .relaxed) & hooks.rawValue == hooks.rawValue }
}

extension ObjectContext {
    /// Calls `body` with what is known of a class; the lock is held.
    @inline(__always)
    func withKnown<Result>(_ type: any LiveModel.Type, _ body: (ContextModel) throws -> Result) rethrows -> Result {
        try known(type)._withUnsafeGuaranteedRef(body)
    }

    /// What is known of a class; the lock is held. The context keeps it to its own end, so that it is not counted for each object.
    @inline(__always)
    func known(_ type: any LiveModel.Type) -> Unmanaged<ContextModel> {
        if let last = lastModel, last.id == ObjectIdentifier(type) { return last.model }
        return lookUp(type)
    }

    private func lookUp(_ type: any LiveModel.Type) -> Unmanaged<ContextModel> {
        let id = ObjectIdentifier(type)
        let model = state.models[id] ?? ContextModel(type, core)
        state.models[id] = model
        lastModel = (id, Unmanaged.passUnretained(model))
        return Unmanaged.passUnretained(model)
    }

    /// The model of a class; the lock is held.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)``.
    func binding(of type: any LiveModel.Type) throws -> ModelBinding {
        try withKnown(type) { $0.binding } ?? core.binding(for: type)
    }
}

extension ObjectContext {
    func noteIdle(_ hook: ObjectHooks, of model: any LiveModel.Type) {
        withKnown(model) { _ = $0.idleHooks.bitwiseOr(hook.rawValue, ordering: .relaxed) }
    }

    /// Calls a hook of objects, in their order. What a class has by default is called of one object and then left out, as most classes have few hooks or none.
    func call(_ hook: ObjectHooks, of objects: [any LiveModel], _ body: (any LiveModel) throws -> Void) rethrows {
        var model: ContextModel?
        // By position: an object is not counted for being asked its class.
        for position in objects.indices {
            let type = type(of: objects[position])
            if model?.id != ObjectIdentifier(type) { model = domain.withLock { withKnown(type) { $0 } } }
            if model?.areIdle(hook) != true { try body(objects[position]) }
        }
    }
}
