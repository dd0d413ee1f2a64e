import Synchronization

/// A query's results over time: the present one at once, then one after each commit that concerned the query.
///
/// A commit concerns the query when it changed an object that passed its filter before or passes it now. A filter that searches the words of a collection's
/// documents is asked again after every change of these and of the full text, one for dangling references to objects of any model after every commit; they
/// give a result when it is another one than before.
///
/// Between two results any number of commits may lie: who is slow gets the newest state. Each result is read in one snapshot, on a reader thread.
///
/// The sequence ends only by an error: that of a reading, ``StorageError/closed(_:)`` when the store is closed, or `CancellationError`. Commits of
/// other processes are noticed where the store was opened with ``OtherProcessObservation/every(_:)``, and give a result when it is another one than before;
/// otherwise what they changed comes with the next result.
public struct ObservedSequence<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = any Error

    let store: ObjectStore
    /// Makes the observer of the query; throws what is wrong with it.
    let makeObserver: @Sendable (StoreCore) throws -> Observer
    /// Makes a reader, which may remember what it read before. It returns nil when there is nothing new to tell, and is told whether a commit is known to
    /// concern the query: otherwise the result may be the one before.
    let makeReader: @Sendable () -> @Sendable (_ transaction: ReadTransaction, _ isConcerned: Bool) throws -> Element?

    /// Begins to observe: the iterator's first result is the present one.
    ///
    /// Each iterator observes for itself, as long as it lives.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, makeObserver: makeObserver, read: makeReader())
    }

    /// Waits for commits and reads.
    public struct Iterator: AsyncIteratorProtocol {
        let store: ObjectStore
        let makeObserver: @Sendable (StoreCore) throws -> Observer
        let read: @Sendable (_ transaction: ReadTransaction, _ isConcerned: Bool) throws -> Element?
        private var registration: ObserverRegistration?

        init(
            store: ObjectStore, makeObserver: @escaping @Sendable (StoreCore) throws -> Observer,
            read: @escaping @Sendable (_ transaction: ReadTransaction, _ isConcerned: Bool) throws -> Element?
        ) {
            self.store = store
            self.makeObserver = makeObserver
            self.read = read
        }

        /// The present result at first, then the result after the next commits that concern the query; never nil.
        ///
        /// After an error of a reading the next call reads again.
        ///
        /// - Throws: what reading throws; ``StorageError/closed(_:)`` when the store is closed; `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> Element? {
            // Registered before the first reading, so that no commit falls between the two.
            let registration = if let registration { registration } else { try await register() }
            self.registration = registration
            while true {
                try await registration.observer.wait()
                let (read, isConcerned) = (read, registration.observer.takeConcern())
                do {
                    if let element = try await store.read({ try read($0, isConcerned) }) { return element }
                } catch {
                    // What could not be read is still to be told, to who asks again.
                    registration.observer.signalConcern()
                    throw error
                }
            }
        }

        private func register() async throws -> ObserverRegistration {
            let (makeObserver, core) = (makeObserver, store.core)
            // What the query reads is known by a look at the store.
            let observer = try await store.readPool.run { try makeObserver(core) }
            return ObserverRegistration(observer, core.observers)
        }
    }
}

/// Keeps an observer registered as long as its iterator lives.
final class ObserverRegistration: Sendable {
    let observer: Observer
    private let registry: ObserverRegistry

    init(_ observer: Observer, _ registry: ObserverRegistry) {
        self.observer = observer
        self.registry = registry
        registry.add(observer)
    }

    deinit { registry.remove(observer) }
}
