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
