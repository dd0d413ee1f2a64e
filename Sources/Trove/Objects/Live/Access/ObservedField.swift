import Observation

/// A property of a live object whose changes those are told of who observe it, when it is not an accessor that changes it.
struct ObservedField {
    private let property: any ObservableProperty

    /// nil for a field without a property.
    init?(_ model: any LiveModel.Type, _ field: Int) {
        guard let property = model.schema.fields[field].property as? any ObservableProperty else { return nil }
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

extension KeyPath: ObservableProperty where Root: LiveModel {
    fileprivate func willSet(_ object: any LiveModel, _ registrar: ObservationRegistrar) {
        if let object = object as? Root { registrar.willSet(object, keyPath: self) }
    }

    fileprivate func didSet(_ object: any LiveModel, _ registrar: ObservationRegistrar) {
        if let object = object as? Root { registrar.didSet(object, keyPath: self) }
    }
}
