/// Which observers a write transaction concerns.
///
/// It belongs to one transaction. What a savepoint took back stays noted: reading once too often does no harm.
struct ChangeTracker {
    private let registry: ObserverRegistry
    /// The observers of each model changed so far that were there when the change was made, and whether they are concerned.
    private var observers: [String: [(observer: Observer, isConcerned: Bool)]] = [:]

    init(_ registry: ObserverRegistry) {
        self.registry = registry
    }

    /// Notes that objects of a model are about to change; returns whether somebody has to look at each change.
    mutating func begin(_ model: String) -> Bool {
        if let known = observers[model] { return known.contains { !$0.isConcerned } }
        let present = registry.isEmpty ? [] : registry.observers(of: model)
        observers[model] = present.map { ($0, false) }
        return !present.isEmpty
    }

    /// Notes the change of one record; nil where it was or is not there.
    mutating func change(_ model: String, from old: RecordView?, to new: RecordView?) throws {
        for index in (observers[model] ?? []).indices {
            guard let candidate = observers[model]?[index], !candidate.isConcerned else { continue }
            let filter = candidate.observer.filter
            let passed = try old.map { try filter.matches($0) } ?? false
            observers[model]?[index].isConcerned = try passed || new.map { try filter.matches($0) } ?? false
        }
    }

    /// Notes a change of any number of records.
    mutating func changeAll(_ model: String) {
        for index in (observers[model] ?? []).indices { observers[model]?[index].isConcerned = true }
    }

    /// Wakes the observers concerned; called when the transaction is committed.
    func commit() {
        if registry.isEmpty { return }
        for (model, known) in observers {
            let concerned = Dictionary(known.map { (ObjectIdentifier($0.observer), $0.isConcerned) }, uniquingKeysWith: { first, _ in first })
            // One that came while the transaction ran may have read the state before it.
            for observer in registry.observers(of: model) where concerned[ObjectIdentifier(observer)] ?? true { observer.signal() }
        }
    }
}
