import FlyingSocks
import Foundation
import Synchronization
import Trove

/// A page in the browser that shows an open store: its models, objects, indexes and plans, and, when that is allowed, changes it by its rules.
///
/// ```swift
/// let inspector = Inspector(store)
/// let address = try await inspector.start()
/// print(address.startURL)                  // opens the page once, then it needs a cookie that only this browser has
/// …
/// await inspector.stop()
/// ```
///
/// It listens on the loopback interface or on a socket file, unless it is told to do otherwise, and answers only a browser that was started by the
/// address that ``start()`` returns: no other page, program or user of the machine. Nothing is changed unless ``Options/allowsWrites`` says so.
/// `docs/inspector.md` has the pages, `docs/security.md` what it is safe against.
///
/// The inspector reads in short transactions of its own and holds none while a browser reads slowly.
public final class Inspector: Sendable {
    /// Where the inspector listens.
    public enum Endpoint: Sendable, Hashable {
        /// A port of the loopback interface, 127.0.0.1; 0 for one that is free.
        case loopback(port: UInt16)
        /// A socket file, which only the user may open (mode 0600). There must be nothing at the path.
        case socketFile(String)
        /// An address of the machine as digits, `192.168.1.5` or `fe80::1`, and a port; none that stands for all, as `0.0.0.0` does. Whoever is on the network
        /// reads what is shown, and the cookie with it: a tunnel to the loopback interface is better.
        case network(host: String, port: UInt16)
    }

    /// How a store is shown.
    public struct Options: Sendable {
        /// Where to listen.
        public var endpoint: Endpoint
        /// Whether objects may be changed.
        public var allowsWrites: Bool

        /// - Parameters:
        ///   - endpoint: where to listen; a free port of the loopback interface by default.
        ///   - allowsWrites: whether objects may be changed; no by default. The store has to be open for writing then.
        public init(endpoint: Endpoint = .loopback(port: 0), allowsWrites: Bool = false) {
            self.endpoint = endpoint
            self.allowsWrites = allowsWrites
        }
    }

    /// Where a started inspector is found.
    public struct Address: Sendable, Hashable {
        /// The URL that opens the pages in one browser, once.
        public let startURL: String
        /// The socket file; nil on a network.
        public let socketPath: String?
    }

    private struct Running: Sendable {
        let socket: ListeningSocket
        let site: InspectorSite
        let task: Task<Void, any Error>
    }

    private enum State: Sendable {
        case stopped
        case starting(Task<Running, any Error>)
        case running(Running)
    }

    private let store: ObjectStore
    private let options: Options
    private let limits: InspectorLimits
    /// Is called when a start has begun: tests stop it there.
    private let willListen: @Sendable () async throws -> Void
    private let state = Mutex<State>(.stopped)

    /// An inspector of an open store, which does not listen yet.
    ///
    /// The store stays the application's, which closes it. The inspector keeps the object as long as it lives itself, but does not use it when ``stop()`` has
    /// returned.
    public convenience init(_ store: ObjectStore, options: Options = Options()) { self.init(store, options: options, limits: InspectorLimits()) }

    init(_ store: ObjectStore, options: Options, limits: InspectorLimits, willListen: @escaping @Sendable () async throws -> Void = {}) {
        self.store = store
        self.options = options
        self.limits = limits
        self.willListen = willListen
    }

    deinit {
        if case .running(let running) = state.withLock({ $0 }) { running.task.cancel() }
    }

    /// Begins to listen.
    ///
    /// - Returns: where, with a token for one browser.
    /// - Throws: ``InspectorError/cannotListen(endpoint:reason:)``; ``InspectorError/alreadyStarted``; `CancellationError` when ``stop()`` is called meanwhile.
    public func start() async throws -> Address {
        let starting = try state.withLock { state in
            guard case .stopped = state else { throw InspectorError.alreadyStarted }
            let task = Task { [store, options, limits, willListen] in
                try await willListen()
                try Task.checkCancellation()
                return try await Self.listening(store, options, limits)
            }
            state = .starting(task)
            return task
        }
        let running: Running
        do {
            running = try await starting.value
        } catch {
            end(starting, as: .stopped)
            throw error
        }
        guard end(starting, as: .running(running)) else { throw CancellationError() }
        // Listening may end by itself, when the system takes it away.
        Task { [weak self] in
            _ = await running.task.result
            self?.forget(running)
        }
        return address(running.socket, running.site)
    }

    private static func listening(_ store: ObjectStore, _ options: Options, _ limits: InspectorLimits) async throws -> Running {
        let socket = try ListeningSocket(options.endpoint)
        let pool = SocketPool.make(maxEvents: 64)
        do {
            try await pool.prepare()
        } catch {
            socket.close()
            throw error
        }
        let site = InspectorSite(store, allowsWrites: options.allowsWrites, hosts: socket.hosts, limits)
        let listener = HTTPListener(
            socket.socket, limits, refusalPage: { site.answer(to: $0, isJSON: false, knowsBase: false) }, handle: { await site.answer($0) })
        let task = Task {
            defer { socket.close() }
            try await listener.run(pool)
        }
        return Running(socket: socket, site: site, task: task)
    }

    /// Puts a state in the place of a start; false when that is not the state any more.
    @discardableResult
    private func end(_ starting: Task<Running, any Error>, as next: State) -> Bool {
        state.withLock { state in
            guard case .starting(let task) = state, task == starting else { return false }
            state = next
            return true
        }
    }

    private func forget(_ running: Running) {
        state.withLock { state in
            if case .running(let now) = state, now.task == running.task { state = .stopped }
        }
    }

    /// What listens now; nil when nothing does.
    var listening: Task<Void, any Error>? {
        if case .running(let running) = state.withLock({ $0 }) { running.task } else { nil }
    }

    /// Another address with a token, for one more browser.
    ///
    /// - Throws: ``InspectorError/notStarted``.
    public func makeAddress() throws -> Address {
        guard case .running(let running) = state.withLock({ $0 }) else { throw InspectorError.notStarted }
        return address(running.socket, running.site)
    }

    private func address(_ socket: ListeningSocket, _ site: InspectorSite) -> Address {
        var path: String?
        if case .socketFile(let file) = options.endpoint { path = file }
        return Address(startURL: "http://\(socket.hosts[0])\(site.guard.startTarget())", socketPath: path)
    }

    /// Stops listening, also what is just being started, ends all connections, and returns when that is done. What was started by it cannot be used any more.
    /// An inspector that is stopped may be started again.
    public func stop() async {
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        let running: Running
        switch before {
        case .stopped: return
        case .starting(let task):
            task.cancel()
            guard case .success(let begun) = await task.result else { return }
            running = begun
        case .running(let now): running = now
        }
        running.task.cancel()
        _ = await running.task.result
    }
}

/// Why an inspector does not start.
public enum InspectorError: Error, Equatable, CustomStringConvertible {
    /// The address is in use, not this machine's, or cannot be.
    case cannotListen(endpoint: String, reason: String)
    /// It listens already.
    case alreadyStarted
    /// It does not listen.
    case notStarted

    public var description: String {
        switch self {
        case .cannotListen(let endpoint, let reason): "the inspector cannot listen on \(endpoint): \(reason)"
        case .alreadyStarted: "the inspector is started already; stop it first, or ask for another address by makeAddress()"
        case .notStarted: "the inspector is not started; call start() first"
        }
    }
}

extension Inspector.Endpoint: CustomStringConvertible {
    /// As a person would write it: `127.0.0.1:8080`, `/run/trove.socket`.
    public var description: String {
        switch self {
        case .loopback(let port): "127.0.0.1:\(port)"
        case .socketFile(let path): path
        case .network(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}
