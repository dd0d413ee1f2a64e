import Synchronization

/// One consumer that waits for commits which touch what its query reads.
///
/// It keeps no commits, only whether there was one since it last read: a slow consumer gets the newest state and never a backlog.
final class Observer: Sendable {
    /// What filters have in place of a model's name for those of which they have no name. No model is called so.
    static let anyModel = ""

    /// By the stored names of the models that the query reads: a commit matters when it changed an object that passed the filter before or passes it now.
    let filters: [String: CompiledFilter]
    /// Whether the filters tell what concerns the query; otherwise they let pass what may, and the results tell.
    let isExact: Bool
    /// A first reading is always due.
    let wakeUp = WakeUp(isDue: true)
    /// Whether a commit that concerns the query was heard of, and not only that there were some.
    private let isConcerned = Atomic(true)

    private let whenSignalled: (@Sendable () -> Void)?

    /// - Parameter whenSignalled: is called when there is something to read, by the thread that committed; it must not wait.
    init(filters: [String: CompiledFilter], isExact: Bool = true, whenSignalled: (@Sendable () -> Void)? = nil) {
        self.filters = filters
        self.isExact = isExact
        self.whenSignalled = whenSignalled
    }

    /// What tells which changes of a model concern the query; nil when it does not read the model.
    func filter(of model: String) -> CompiledFilter? { filters[model] ?? filters[Self.anyModel] }

    /// Notes that a change passed a filter, and wakes the consumer.
    func signal() { if isExact { signalConcern() } else { wake() } }

    /// Notes that there is something to read and to tell, and wakes the consumer.
    func signalConcern() {
        isConcerned.store(true, ordering: .releasing)
        wake()
    }

    /// Notes that there may be something to read, and wakes the consumer.
    func noteUnknownCommits() { wake() }

    private func wake() {
        wakeUp.note()
        whenSignalled?()
    }

    /// Whether there is something to tell even if the result is the one before. Asked before reading, and from then on anew.
    func takeConcern() -> Bool { isConcerned.exchange(false, ordering: .acquiringAndReleasing) }

    /// Returns when there is something to read.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait() async throws { try await wakeUp.next() }
}
