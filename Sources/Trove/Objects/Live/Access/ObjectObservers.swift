import Observation

/// Those who observe a live object. A class, because few objects have any, and the registrar's size is known to its own module only.
@usableFromInline final class ObjectObservers: Sendable {
    @usableFromInline let registrar = ObservationRegistrar()

    init() {}
}
