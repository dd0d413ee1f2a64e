import Dispatch
import Synchronization
import TroveBackendKit

/// Is told that there were commits of which this store does not know what they changed.
protocol UnknownCommitListener: Sendable {
    /// Whether somebody wants to know as soon as it is found.
    var isWaiting: Bool { get }

    func noteUnknownCommits()
}

/// Looks whether other processes have committed, as long as somebody waits for commits, and tells the store's observers and contexts.
///
/// It has no transaction of the store and no lock while it tells. A look that fails finds nothing; whoever reads meets what is wrong.
final class OtherProcessWatch: Sendable {
    private struct State {
        var look: CommitLook
        /// How often others had committed when the last look was done; nil before the first.
        var othersCount: UInt64?
        /// Whether another store on the same engine has committed.
        var hasNeighbourCommit = false
        var isPlanned = false
        var isStopped = false
    }

    private static let shortestInterval = Duration.milliseconds(1)

    /// The time between looks; nil when nobody asked for them.
    private let interval: Duration?
    /// Whether other processes can commit, and somebody asked for looks.
    private let looksForOthers: Bool
    private let backend: any StorageBackend
    private let observers: ObserverRegistry
    private let attachments: StoreAttachments
    private let commits: OwnCommits
    private let state: Mutex<State>
    private let hasTold: Atomic<Bool>
    private let queue: DispatchQueue?

    /// Takes the first look where looks are asked for: what is committed from then on is found.
    init(_ backend: any StorageBackend, every interval: Duration?, _ observers: ObserverRegistry, _ attachments: StoreAttachments) throws {
        self.interval = interval.map { max($0, Self.shortestInterval) }
        looksForOthers = interval != nil && backend.capabilities.sharing != .oneProcess
        (self.backend, self.observers, self.attachments) = (backend, observers, attachments)
        // What an engine does not tell of its own commits counts as another process's.
        commits = (backend.sharedEngine as? any OwnCommitTelling)?.ownCommits ?? OwnCommits()
        state = Mutex(State(look: CommitLook(backend)))
        hasTold = Atomic(interval != nil)
        queue = interval.map { _ in DispatchQueue(label: "trove.other-processes") }
        if interval != nil { observers.connect(self) }
        if looksForOthers { _ = try haveOthersCommitted() }
    }

    deinit { if interval != nil { observers.disconnect() } }

    /// Whether observers may be woken though nothing has changed.
    var tells: Bool { hasTold.load(ordering: .acquiring) }

    private var listeners: [any UnknownCommitListener] { attachments.unknownCommitListeners }

    /// Notes that somebody waits for commits.
    func wake() { if looksForOthers { plan() } }

    /// Notes that another store on the same engine has committed: its observers heard of it, its contexts did not.
    func noteNeighbourCommit() {
        state.withLock { $0.hasNeighbourCommit = true }
        plan()
    }

    /// Ends the looks: the store is closed.
    func stop() { state.withLock { $0.isStopped = true } }

    /// Looks now, where looks are asked for, and tells what was found.
    ///
    /// - Throws: what reading throws.
    func look() throws {
        guard interval != nil else { return }
        let isNeighbours = state.withLock { state in
            defer { state.hasNeighbourCommit = false }
            return state.hasNeighbourCommit
        }
        if isNeighbours { tellListeners() }
        if looksForOthers, try haveOthersCommitted() { tell() }
    }

    /// Wakes all observers, who compare what they read, and lets contexts look at what they have.
    func tell() {
        hasTold.store(true, ordering: .releasing)
        observers.noteUnknownCommits()
        tellListeners()
    }

    private func tellListeners() { for listener in listeners { listener.noteUnknownCommits() } }

    private func haveOthersCommitted() throws -> Bool {
        let mark = commits.beginLook()
        var look = state.withLock { $0.look }
        let isNew = try look.hasNews()
        let (count, isJudged) = commits.judge(look.state, isNew: isNew, since: mark)
        return state.withLock { state in
            // What was not judged is to be found again.
            if isJudged { state.look = look }
            defer { state.othersCount = max(count, state.othersCount ?? 0) }
            return state.othersCount.map { $0 < count } ?? false
        }
    }

    // MARK: The time

    private func plan() {
        guard let interval, let queue else { return }
        let isPlanned = state.withLock { state in
            defer { state.isPlanned = true }
            return state.isPlanned || state.isStopped
        }
        if isPlanned { return }
        queue.asyncAfter(deadline: .now() + interval.dispatchInterval) { [weak self] in self?.timeHasCome() }
    }

    private func timeHasCome() {
        state.withLock { $0.isPlanned = false }
        // Who begins to wait after this question plans the next look itself.
        guard observers.hasOwn || listeners.contains(where: \.isWaiting) else { return }
        do {
            try look()
        } catch StorageError.closed {
            return
        } catch {
            // The next look tries again.
        }
        wake()
    }
}
