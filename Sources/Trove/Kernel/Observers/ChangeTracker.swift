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
        if let changes = models[model] { return changes.isWatching ? changes : nil }
        let changes =
            registry.isEmpty ? ObservedChanges() : ObservedChanges(registry.observers(of: model), others: registry.othersObservers(of: model), of: model)
        models[model] = changes
        return changes.isWatching ? changes : nil
    }

    /// Wakes the observers concerned; called when the transaction is committed.
    func commit() {
        registry.noteCommit()
        if registry.isEmpty { return }
        for (model, changes) in models {
            for observer in registry.observers(of: model) + registry.othersObservers(of: model) where changes.concerns(observer) { observer.signal() }
        }
    }

    /// Lets the other stores on the engine look after a commit whose outcome nobody knows. Nobody is concerned: one who saves after each result would go on
    /// for ever on a disk with errors.
    func mayHaveCommitted() {
        registry.noteCommit()
        if !registry.isEmpty { registry.noteUnknownCommitsToOthers(of: models.keys) }
    }
}

/// Which of a model's observers the changes of one write transaction concern.
final class ObservedChanges: ChangeListener {
    private let observers: [Observer]
    /// The observers' filters; nil for one that any change concerns.
    private let filters: [CompiledFilter?]
    private var concerned: Set<Int> = []
    /// Those that the change noted last concerns.
    private var noted: [Int] = []

    init() { (observers, filters) = ([], []) }

    /// - Parameter others: observers of other stores on the same engine. Their filters are made for the models as these stores have them,
    ///   and do not understand this one's records.
    init(_ observers: [Observer], others: [Observer], of model: String) {
        self.observers = observers + others
        filters = observers.map { $0.filter(of: model) } + others.map { _ in nil }
    }

    var isWatching: Bool { !observers.isEmpty }

    func note(_ change: RecordTransition) {
        noted.removeAll(keepingCapacity: true)
        // What nobody can read may have passed any filter.
        if change.isOldUnreadable { return noted = Array(observers.indices) }
        let (old, new) = (change.old, change.new)
        for index in observers.indices where !concerned.contains(index) {
            guard let filter = filters[index] else {
                noted.append(index)
                continue
            }
            do {
                let passed = try old.map { try filter.matches($0) } ?? false
                if try passed || new.map({ try filter.matches($0) }) ?? false { noted.append(index) }
            } catch {
                // Whoever observes finds out when reading; it is not the writer's matter.
                noted.append(index)
            }
        }
    }

    func noteRemovalOfAll(in records: Keyspace) { concerned = Set(observers.indices) }

    /// Notes that searches for words find others, though no record changed: a matter of those who hear of every change.
    func noteChangeOfWords() { concerned.formUnion(observers.indices.filter { !observers[$0].isExact }) }

    func accept() {
        concerned.formUnion(noted)
        noted.removeAll(keepingCapacity: true)
    }

    func undo() { noted.removeAll(keepingCapacity: true) }

    /// Whether an observer has to read again: one that came while the transaction ran may have read the state before it.
    func concerns(_ observer: Observer) -> Bool {
        observers.firstIndex { $0 === observer }.map(concerned.contains) ?? true
    }
}
