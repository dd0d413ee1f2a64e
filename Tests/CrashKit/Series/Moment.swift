/// The random moment at which a writing process is killed.
final class Moment {
    private let oracle: Oracle
    private let delay: Duration
    private var start: ContinuousClock.Instant?

    /// - Parameter delay: microseconds after the process has begun to write.
    init(_ oracle: Oracle, delay: Int) {
        self.oracle = oracle
        self.delay = .microseconds(delay)
    }

    func hasCome() -> Bool {
        if start == nil && oracle.isWriting { start = .now }
        return start.map { .now - $0 >= delay } ?? false
    }
}
