import Synchronization

/// The observers of an open store.
final class ObserverRegistry: Sendable {
    private let observers = Mutex<[ObjectIdentifier: Observer]>([:])
    /// Those of the other stores on the same engine, and its own.
    private let group: ObserverGroup
    /// What looks for commits that only others know of; of a store that is asked to.
    private let link = Mutex(Link())
    private let mayWakeInVain = Atomic(false)

    private struct Link {
        weak var watch: OtherProcessWatch?
    }

    /// - Parameter engine: what the stores have in common that are to hear of each other's commits.
    init(on engine: any AnyObject & Sendable) {
        group = ObserverGroup.group(of: engine)
        group.add(self)
    }

    /// Whether nobody observes a store on the engine.
    var isEmpty: Bool { group.isEmpty }

    /// Whether somebody observes this store.
    var hasOwn: Bool { observers.withLock { !$0.isEmpty } }

    func add(_ observer: Observer) {
        observers.withLock { observers in
            if observers.updateValue(observer, forKey: ObjectIdentifier(observer)) == nil { group.count(1) }
        }
        watch?.wake()
    }

    func remove(_ observer: Observer) {
        observers.withLock { observers in
            if observers.removeValue(forKey: ObjectIdentifier(observer)) != nil { group.count(-1) }
        }
    }

    /// The observers of a model.
    func observers(of model: String) -> [Observer] {
        observers.withLock { observers in observers.values.filter { $0.filter(of: model) != nil } }
    }

    /// The observers of a model in the other stores on the engine.
    func othersObservers(of model: String) -> [Observer] { group.others(than: self).flatMap { $0.observers(of: model) } }

    /// Wakes those who follow the history, also in the other stores on the engine.
    func signalHistory() {
        if isEmpty { return }
        for observer in observers(of: HistorySpace.keyspaceName) + othersObservers(of: HistorySpace.keyspaceName) { observer.signal() }
    }

    /// Wakes everyone, so that they find out what became of the store.
    func signalAll() {
        for observer in observers.withLock({ Array($0.values) }) { observer.signal() }
    }

    /// Whether observers may be woken though nothing has changed, and have to compare what they read.
    var wakesInVain: Bool { mayWakeInVain.load(ordering: .acquiring) }

    /// Lets observers compare what they read from now on.
    func expectUnknownCommits() { mayWakeInVain.store(true, ordering: .releasing) }

    /// Wakes everyone, so that they find out whether anything has changed.
    func noteUnknownCommits() {
        expectUnknownCommits()
        for observer in observers.withLock({ Array($0.values) }) { observer.noteUnknownCommits() }
    }

    /// Wakes the observers of models in the other stores on the engine, so that they find out whether anything has changed.
    func noteUnknownCommitsToOthers(of models: some Sequence<String>) {
        for other in group.others(than: self) {
            other.expectUnknownCommits()
            for observer in models.flatMap({ other.observers(of: $0) }) { observer.noteUnknownCommits() }
        }
    }

    private var watch: OtherProcessWatch? { link.withLock { $0.watch } }

    /// Lets a watch know who begins to observe, and that other stores on the engine have committed.
    func connect(_ watch: OtherProcessWatch) {
        link.withLock { $0.watch = watch }
        group.countWatch(1)
    }

    func disconnect() { group.countWatch(-1) }

    /// Tells the watches of the other stores on the engine that this one has committed.
    func noteCommit() {
        if group.hasNoWatch { return }
        for other in group.others(than: self) { other.watch?.noteNeighbourCommit() }
    }
}

/// The observers of all stores that are open on one engine in this process.
private final class ObserverGroup: Sendable {
    private struct Member {
        weak var registry: ObserverRegistry?
    }

    private static let groups = EngineTable<ObserverGroup>()

    private let members = Mutex<[Member]>([])
    /// The number of observers, so that transactions of stores without any pay for one load.
    private let observerCount = Atomic<Int>(0)
    /// The same of watches.
    private let watchCount = Atomic<Int>(0)

    static func group(of engine: any AnyObject & Sendable) -> ObserverGroup { groups.value(of: engine) { ObserverGroup() } }

    var isEmpty: Bool { observerCount.load(ordering: .sequentiallyConsistent) == 0 }

    var hasNoWatch: Bool { watchCount.load(ordering: .sequentiallyConsistent) == 0 }

    func countWatch(_ change: Int) { watchCount.add(change, ordering: .sequentiallyConsistent) }

    func count(_ change: Int) { observerCount.add(change, ordering: .sequentiallyConsistent) }

    func add(_ registry: ObserverRegistry) {
        members.withLock { members in
            members.removeAll { $0.registry == nil }
            members.append(Member(registry: registry))
        }
    }

    func others(than registry: ObserverRegistry) -> [ObserverRegistry] {
        members.withLock { members in members.count == 1 ? [] : members.compactMap(\.registry).filter { $0 !== registry } }
    }
}
