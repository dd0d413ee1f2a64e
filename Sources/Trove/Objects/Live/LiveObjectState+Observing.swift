import Observation

/// A change that those who observe an object are to be told of once the lock of its domain is given back.
///
/// It is `@unchecked Sendable` because a field's key path is a constant of its model's schema.
struct ChangeNotice: @unchecked Sendable {
    let object: any LiveModel
    let field: ObservedField
    let registrar: ObservationRegistrar

    func send() {
        field.willSet(object, registrar)
        field.didSet(object, registrar)
    }
}

// With the lock of the domain held.
extension _LiveObjectState {
    /// Runs `change`, which changes a field otherwise than by its accessors, and lets those who observe the property be told after the lock is
    /// given back.
    func observing<Object: LiveModel>(_ object: Object, field: Int, in domain: ObjectDomain, _ change: () throws -> Void) rethrows {
        notify(object, field: field, in: domain)
        try change()
    }

    /// Runs `change`, which may change all properties of an object, and lets those who observe it be told after the lock is given back.
    func observingAll<Object: LiveModel>(_ object: Object, in domain: ObjectDomain, _ change: () throws -> Void) rethrows {
        for field in Object.schema.fields.indices { notify(object, field: field, in: domain) }
        try change()
    }

    private func notify<Object: LiveModel>(_ object: Object, field: Int, in domain: ObjectDomain) {
        guard let registrar = observers?.registrar, let field = ObservedField(Object.self, field) else { return }
        domain.lock.send(ChangeNotice(object: object, field: field, registrar: registrar))
    }
}

/// Those who observe a live object. A class, because few objects have any, and the registrar's size is known to its own module only.
@usableFromInline final class ObjectObservers: Sendable {
    @usableFromInline let registrar = ObservationRegistrar()

    init() {}
}

/// A property of a live object whose changes those are told of who observe it, when it is not an accessor that changes it.
struct ObservedField {
    private let property: any ObservableProperty

    /// nil for a field without a property.
    init?(_ model: any LiveModel.Type, _ field: Int) {
        let field = model.schema.fields[field]
        guard let property = (field.observed ?? field.property) as? any ObservableProperty else { return nil }
        self.property = property
    }

    func willSet(_ object: any LiveModel, _ registrar: ObservationRegistrar) { property.willSet(object, registrar) }
    func didSet(_ object: any LiveModel, _ registrar: ObservationRegistrar) { property.didSet(object, registrar) }
}

/// A key path whose types are known again, as a registrar needs them.
private protocol ObservableProperty {
    func willSet(_ object: any LiveModel, _ registrar: ObservationRegistrar)
    func didSet(_ object: any LiveModel, _ registrar: ObservationRegistrar)
}

extension KeyPath: ObservableProperty where Root: _LiveObject {
    fileprivate func willSet(_ object: any LiveModel, _ registrar: ObservationRegistrar) {
        if let object = object as? Root { registrar.willSet(object, keyPath: self) }
    }

    fileprivate func didSet(_ object: any LiveModel, _ registrar: ObservationRegistrar) {
        if let object = object as? Root { registrar.didSet(object, keyPath: self) }
    }
}
