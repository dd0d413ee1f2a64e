extension LiveObjectState {
    /// Runs `change`, which changes a field otherwise than by its accessors, and tells those who observe the property. The lock is held.
    func observing<Object: LiveModel>(_ object: Object, field: Int, _ change: () throws -> Void) rethrows {
        guard let registrar = observers?.registrar, let property = ObservedField(Object.self, field) else { return try change() }
        property.willSet(object, registrar)
        defer { property.didSet(object, registrar) }
        try change()
    }
}
