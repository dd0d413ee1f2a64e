// With the lock of the domain held.
extension LiveObjectState {
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
