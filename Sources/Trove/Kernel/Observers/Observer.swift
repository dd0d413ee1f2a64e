/// One consumer that waits for commits which touch what its query reads.
///
/// It keeps no commits, only whether there was one since it last read: a slow consumer gets the newest state and never a backlog.
final class Observer: Sendable {
    /// By the stored names of the models that the query reads: a commit matters when it changed an object that passed the filter before or passes it now.
    let filters: [String: CompiledFilter]
    /// A first reading is always due.
    let wakeUp = WakeUp(isDue: true)

    private let whenSignalled: (@Sendable () -> Void)?

    /// - Parameter whenSignalled: is called when there is something to read, by the thread that committed; it must not wait.
    init(filters: [String: CompiledFilter], whenSignalled: (@Sendable () -> Void)? = nil) {
        self.filters = filters
        self.whenSignalled = whenSignalled
    }

    /// Notes that there is something to read, and wakes the consumer.
    func signal() {
        wakeUp.note()
        whenSignalled?()
    }

    /// Returns when there is something to read.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait() async throws { try await wakeUp.next() }
}
