import DequeModule
import Synchronization

/// One reader of a store's commits, with those that wait for it.
final class CommitReader: Sendable {
    private struct State {
        var waiting: Deque<StoreCommit> = []
        var isEnded = false
    }

    /// Which one of the store's readers it is, in the order in which they came.
    let number: Int
    private let models: Set<String>?
    private let limit: Int
    private let state = Mutex(State())
    private let wakeUp = WakeUp(isDue: false)

    init(number: Int, of models: Set<String>?, limit: Int) {
        self.number = number
        self.models = models
        self.limit = max(1, limit)
    }

    /// Whether it is told of a model's changes.
    func reads(_ model: String) -> Bool { models?.contains(model) ?? true }

    /// Those of a commit's changes that it is told.
    func own(of changes: [ObjectChange]) -> [ObjectChange] { models == nil ? changes : changes.filter { reads($0.reference.modelName) } }

    /// Adds a commit with changes of its own, without waking it; returns the commit that had to go for it.
    func append(_ changes: [ObjectChange]) -> StoreCommit? { append(StoreCommit(changes: changes, missedCommits: 0)) }

    /// Notes that it missed a commit, without waking it; returns the one that had to go for that.
    func appendMissed() -> StoreCommit? { append(StoreCommit(changes: [], missedCommits: 1)) }

    private func append(_ commit: StoreCommit) -> StoreCommit? {
        state.withLock { state in
            if state.isEnded { return nil }
            var commit = commit
            if let last = state.waiting.last, last.changes.isEmpty {
                // One notice stands for several commits.
                commit.missedCommits += last.missedCommits
                state.waiting.removeLast()
            }
            var dropped: StoreCommit?
            // A notice alone is none of the commits that wait.
            if !commit.changes.isEmpty, state.waiting.count >= limit, let first = state.waiting.popFirst() {
                // A notice is always the last, so this is a commit.
                let missed = first.missedCommits + 1
                if state.waiting.isEmpty { commit.missedCommits += missed } else { state.waiting[0].missedCommits += missed }
                dropped = first
            }
            state.waiting.append(commit)
            return dropped
        }
    }

    /// Lets it end when it has read what waits for it, without waking it.
    func end() { state.withLock { $0.isEnded = true } }

    /// Lets it look at what was added.
    func wake() { wakeUp.note() }

    /// The next commit; nil at the end, and when the task is cancelled.
    func next() async -> StoreCommit? {
        while !Task.isCancelled {
            let (commit, isEnded, hasMore) = state.withLock { ($0.waiting.popFirst(), $0.isEnded, !$0.waiting.isEmpty) }
            // Another task may wait whose waking this one has taken.
            if isEnded || commit != nil && hasMore { wakeUp.note() }
            if commit != nil || isEnded { return commit }
            do { try await wakeUp.next() } catch { return nil }
        }
        wakeUp.note()
        return nil
    }
}

/// Lets a reader be told of commits for as long as it lives.
final class CommitRegistration: Sendable {
    let reader: CommitReader
    private let audience: StoreAudience

    init(in audience: StoreAudience, of models: Set<String>?, limit: Int) {
        self.audience = audience
        reader = audience.addReader(of: models, limit: limit)
    }

    deinit { audience.remove(reader) }
}
