import Dispatch
import Synchronization
import TroveBackendKit

/// Is told that there were commits of which this store does not know what they changed.
protocol UnknownCommitListener: Sendable {
    /// Whether somebody wants to know as soon as it is found.
    var isWaiting: Bool { get }

    /// Makes a note for later.
    ///
    /// - Returns: what the caller lets go when it holds no lock: the last reference to it may be this one, and its deinit the application's.
    func noteUnknownCommits() -> [any AnyObject & Sendable]
}

/// Looks whether other processes have committed, as long as somebody waits for commits, and tells the store's observers and contexts.
///
/// A look that fails finds nothing; whoever reads meets what is wrong.
final class OtherProcessWatch: Sendable {
    private struct Looks {
        var last: CommitLook
        /// How often others had committed by then; nil before the first.
        var othersCount: UInt64?
    }

    private struct State {
        /// Whether another store on the same engine has committed.
        var hasNeighbourCommit = false
        var isPlanned = false
        var isStopped = false
    }

    private static let shortestInterval = Duration.milliseconds(1)
    /// How long one waits for another look. Who is in a read must not wait for the whole of it: it may wait for the end of that read.
    private static let turnPatience = DispatchTimeInterval.milliseconds(100)

    /// The time between looks; nil when nobody asked for them.
    private let interval: Duration?
    /// Whether other processes can commit, and somebody asked for looks.
    private let looksForOthers: Bool
    private let observers: ObserverRegistry
    private let attachments: StoreAttachments
    private let commits: OwnCommits
    /// Had by who looks and tells, so that who looks next finds it told. What is told only makes notes.
    private let turn = DispatchSemaphore(value: 1)
    /// Who has the turn uses it.
    private let looks: Mutex<Looks>
    private let state = Mutex(State())
    private let queue: DispatchQueue?

    /// Takes the first look where looks are asked for: what is committed from then on is found.
    init(_ backend: any StorageBackend, every interval: Duration?, _ observers: ObserverRegistry, _ attachments: StoreAttachments) throws {
        self.interval = interval.map { max($0, Self.shortestInterval) }
        looksForOthers = interval != nil && backend.capabilities.sharing != .oneProcess
        (self.observers, self.attachments) = (observers, attachments)
        // What an engine does not tell of its own commits counts as another process's.
        commits = (backend.sharedEngine as? any OwnCommitTelling)?.ownCommits ?? OwnCommits()
        looks = Mutex(Looks(last: CommitLook(backend)))
        queue = interval.map { _ in DispatchQueue(label: "trove.other-processes") }
        if interval != nil {
            observers.expectUnknownCommits()
            observers.connect(self)
        }
        if looksForOthers { _ = try looks.withLock { try haveOthersCommitted(&$0) } }
    }

    deinit { if interval != nil { observers.disconnect() } }

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
    /// - Returns: whether contexts know of all commits until now; false while another look waits for the engine.
    /// - Throws: what reading throws; ``StorageError/closed(_:)`` for a closed store that other processes may have.
    @discardableResult
    func look() throws -> Bool {
        guard interval != nil else { return true }
        var told: [any AnyObject & Sendable] = []
        defer { withExtendedLifetime(told) {} }
        guard turn.wait(timeout: .now() + Self.turnPatience) == .success else { return false }
        defer { turn.signal() }
        try looks.withLock { looks in
            let isNeighbours = state.withLock { state in
                defer { state.hasNeighbourCommit = false }
                return state.hasNeighbourCommit
            }
            if isNeighbours { told = tellListeners() }
            if looksForOthers, try haveOthersCommitted(&looks) { told += tellAll() }
        }
        return true
    }

    /// Wakes all observers, who compare what they read, and lets contexts look at what they have.
    func tell() { _ = tellAll() }

    private func tellAll() -> [any AnyObject & Sendable] {
        observers.noteUnknownCommits()
        return tellListeners()
    }

    private func tellListeners() -> [any AnyObject & Sendable] { listeners.flatMap { $0.noteUnknownCommits() } }

    private func haveOthersCommitted(_ looks: inout Looks) throws -> Bool {
        let mark = commits.beginLook()
        var look = looks.last
        let isNew = try look.hasNews()
        let (count, isJudged) = commits.judge(look.state, isNew: isNew, since: mark)
        // What was not judged is to be found again.
        if isJudged { looks.last = look }
        defer { looks.othersCount = count }
        return looks.othersCount.map { $0 < count } ?? false
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
