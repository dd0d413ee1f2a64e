/// Which observers a write transaction concerns; it belongs to one transaction.
///
/// What a savepoint took back stays noted: reading once too often does no harm.
final class ChangeTracker {
    private let registry: ObserverRegistry
    /// The models the transaction has opened, with the observers that were there then.
    private var models: [String: ObservedChanges] = [:]

    init(_ registry: ObserverRegistry) {
        self.registry = registry
    }

    /// What has to be told each change of a model's records; nil when nobody observes them.
    func changes(of model: String) -> ObservedChanges? {
        let changes = models[model] ?? ObservedChanges(registry.isEmpty ? [] : registry.observers(of: model), of: model)
        models[model] = changes
        return changes.isWatching ? changes : nil
    }

    /// Wakes the observers concerned; called when the transaction is committed.
    func commit() {
        if registry.isEmpty { return }
        for (model, changes) in models {
            for observer in registry.observers(of: model) where changes.concerns(observer) { observer.signal() }
        }
    }
}
