extension LiveObjectState {
    /// Runs `change`, which may change all properties of an object, and tells those who observe it. The lock is held.
    func observingAll<Object: LiveModel>(_ object: Object, _ change: () throws -> Void) rethrows {
        guard let registrar = observers?.registrar else { return try change() }
        let properties = Object.schema.fields.indices.compactMap { ObservedField(Object.self, $0) }
        for property in properties { property.willSet(object, registrar) }
        defer { for property in properties { property.didSet(object, registrar) } }
        try change()
    }
}
