import Synchronization

/// The observers of an open store.
final class ObserverRegistry: Sendable {
    private let observers = Mutex<[ObjectIdentifier: Observer]>([:])
    /// The number of observers, so that transactions of a store without any pay for one load.
    private let count = Atomic<Int>(0)

    var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

    func add(_ observer: Observer) {
        observers.withLock { observers in
            observers[ObjectIdentifier(observer)] = observer
            count.store(observers.count, ordering: .sequentiallyConsistent)
        }
    }

    func remove(_ observer: Observer) {
        observers.withLock { observers in
            observers[ObjectIdentifier(observer)] = nil
            count.store(observers.count, ordering: .sequentiallyConsistent)
        }
    }

    /// The observers of a model.
    func observers(of model: String) -> [Observer] {
        observers.withLock { observers in observers.values.filter { $0.filters[model] != nil } }
    }

    /// Wakes everyone, so that they find out what became of the store.
    func signalAll() {
        for observer in observers.withLock({ Array($0.values) }) { observer.signal() }
    }
}
