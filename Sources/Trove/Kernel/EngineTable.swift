import Synchronization

/// What all stores that are open on one engine in this process have in common, by the engine; it keeps neither.
final class EngineTable<Value: AnyObject & Sendable>: Sendable {
    private struct Entry {
        weak var engine: (any AnyObject & Sendable)?
        weak var value: Value?
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// What an engine has; what `make` makes when it has nothing.
    func value(of engine: any AnyObject & Sendable, _ make: () -> Value) -> Value {
        entries.withLock { entries in
            if let entry = entries[ObjectIdentifier(engine)], entry.engine != nil, let value = entry.value { return value }
            let value = make()
            entries = entries.filter { $0.value.value != nil && $0.value.engine != nil }
            entries[ObjectIdentifier(engine)] = Entry(engine: engine, value: value)
            return value
        }
    }
}
