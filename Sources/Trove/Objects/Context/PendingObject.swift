/// An object that is inserted, changed or deleted and not saved, with what every save asks of each.
///
/// The object keeps its state and the context what is known of the class, so neither is counted. An atomic count costs more than most of the
/// questions, and there are dozens for each object.
struct PendingObject: Sendable {
    let object: any LiveModel
    private let state: Unmanaged<_LiveObjectState>
    private let model: Unmanaged<ContextModel>

    /// - Parameter model: what the context knows of the object's class, and keeps to its end.
    init(_ object: any LiveModel, _ model: Unmanaged<ContextModel>) {
        (self.object, state, self.model) = (object, object._$state, model)
    }
}

// With the lock of the domain held.
extension PendingObject {
    var status: LiveObjectStatus { state._withUnsafeGuaranteedRef { $0.status } }

    /// The object's `changeCount`.
    var changeCount: UInt64 { state._withUnsafeGuaranteedRef { $0.changeCount } }

    /// Makes the object one without changes: its record is of this version.
    func becomeClean(version: UInt64) { state._withUnsafeGuaranteedRef { $0.becomeClean(version: version) } }

    /// Notes that the context has the object no longer among its pending ones.
    func noteUnlisted() { state._withUnsafeGuaranteedRef { $0.isListed = false } }

    /// Whether hooks of the class are known to do nothing.
    func areIdle(_ hooks: ObjectHooks) -> Bool { model._withUnsafeGuaranteedRef { $0.areIdle(hooks) } }

    /// Whether a save calls a hook of the class for the first time: what it does is known afterwards.
    func isFirstCall(of hook: ObjectHooks) -> Bool { model._withUnsafeGuaranteedRef { $0.isFirstCall(of: hook) } }
}
