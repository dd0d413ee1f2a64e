import Dispatch
import Synchronization
import TroveStorage

/// The connections for reading. At most `limit` are in use at a time; threads beyond wait in order.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [Connection] = []
        var inUse = 0
        var waiters: [Waiter] = []
        var isClosed = false
    }

    /// A waiting thread and what it was given, both under the pool's lock.
    private final class Waiter: @unchecked Sendable {
        let wake = DispatchSemaphore(value: 0)
        /// Set under the lock before `wake` is signalled; a nil connection means "open one".
        var isServed = false
        var connection: Connection?
    }

    private enum Attempt {
        case use(Connection)
        case open
        case wait(Waiter)
    }

    private let state = Mutex(State())
    private let limit: Int
    private let open: @Sendable (_ timeout: Duration) throws -> Connection

    /// - Parameter open: opens a connection, whose calls wait so long for locks of other processes.
    init(limit: Int, open: @escaping @Sendable (_ timeout: Duration) throws -> Connection) {
        self.limit = limit
        self.open = open
    }

    /// A connection, to be given back with ``give(_:)``; nil after the timeout.
    ///
    /// - Parameter mayExceed: Asked when the pool is exhausted: whether the thread must not wait, because it is inside a transaction already.
    func take(timeout: Duration, mayExceed: () -> Bool) throws -> Connection? {
        var attempt = attempt(mayWait: true)
        if case .wait(let waiter) = attempt {
            let exceeds = mayExceed()
            if !exceeds { _ = waiter.wake.wait(timeout: .now() + timeout.dispatch) }
            if let served = withdraw(waiter) {
                attempt = served
            } else if exceeds {
                attempt = self.attempt(mayWait: false)
            } else {
                return nil
            }
        }
        return try connection(of: attempt, timeout: timeout)
    }

    /// The connection that an attempt got, or a new one; when that cannot be opened, its place is given back.
    private func connection(of attempt: Attempt, timeout: Duration) throws -> Connection {
        if case .use(let connection) = attempt {
            connection.wait(atMost: timeout)
            return connection
        }
        do {
            return try open(timeout)
        } catch {
            leave(with: nil)
            throw error
        }
    }

    private func attempt(mayWait: Bool) -> Attempt {
        state.withLock { state in
            if mayWait && state.inUse >= limit {
                let waiter = Waiter()
                state.waiters.append(waiter)
                return .wait(waiter)
            }
            state.inUse += 1
            return state.idle.popLast().map(Attempt.use) ?? .open
        }
    }

    /// A connection for a further thread of a read that has one already; nil when half of them are in use, as others must not wait for these, and when none can
    /// be opened: the read goes on with fewer threads.
    ///
    /// - Parameter timeout: how long its calls wait for locks of other processes.
    func takeSpare(timeout: Duration) -> Connection? {
        let attempt: Attempt? = state.withLock { state in
            guard !state.isClosed, state.waiters.isEmpty, state.inUse * 2 < limit else { return nil }
            state.inUse += 1
            return state.idle.popLast().map(Attempt.use) ?? .open
        }
        return attempt.flatMap { try? connection(of: $0, timeout: timeout) }
    }

    /// Ends a wait; nil when nothing was given to the waiter.
    private func withdraw(_ waiter: Waiter) -> Attempt? {
        state.withLock { state in
            if waiter.isServed { return waiter.connection.map(Attempt.use) ?? .open }
            state.waiters.removeAll { $0 === waiter }
            return nil
        }
    }

    /// Ends the use of a connection: the thread that has waited longest gets it.
    func give(_ connection: Connection) { leave(with: connection) }

    private func leave(with connection: Connection?) {
        let surplus: Connection? = state.withLock { state in
            if state.inUse <= limit, !state.waiters.isEmpty {
                let waiter = state.waiters.removeFirst()
                waiter.isServed = true
                waiter.connection = connection
                waiter.wake.signal()
                return nil
            }
            state.inUse -= 1
            guard let connection, !state.isClosed, state.idle.count < limit else { return connection }
            state.idle.append(connection)
            return nil
        }
        surplus?.close()
    }

    /// Closes the connections: those in use, by threads that are about to find the store closed, when they are given back.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle.removeAll() }
            return state.idle
        }
        for connection in idle { connection.close() }
    }

    /// How many connections are open.
    var count: Int { state.withLock { $0.idle.count + $0.inUse } }
}
