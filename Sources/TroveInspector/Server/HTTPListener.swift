import FlyingSocks
import Foundation
import Synchronization

/// Accepts connections, reads a request of each, writes the answer, and closes it.
final class HTTPListener: Sendable {
    typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse
    /// What is answered to a request that cannot be read.
    typealias RefusalPage = @Sendable (HTTPRefusal) -> HTTPResponse

    private let socket: Socket
    private let limits: InspectorLimits
    private let refusalPage: RefusalPage
    private let handle: Handler
    private let connections = Mutex(0)

    /// - Parameter socket: one that listens.
    init(_ socket: Socket, _ limits: InspectorLimits, refusalPage: @escaping RefusalPage, handle: @escaping Handler) {
        self.socket = socket
        self.limits = limits
        self.refusalPage = refusalPage
        self.handle = handle
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter pool: one that was prepared and is not run by anybody else.
    func run(_ pool: some AsyncSocketPool) async throws {
        let listening = try AsyncSocket(socket: socket, pool: pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask {
                await withDiscardingTaskGroup { group in
                    while !Task.isCancelled {
                        do {
                            let connection = try await listening.accept()
                            guard self.enter() else {
                                try connection.close()
                                continue
                            }
                            group.addTask {
                                await self.serve(connection)
                                self.leave()
                            }
                        } catch is CancellationError {
                            break
                        } catch {
                            // One that went before it was accepted, or too many open files: others come later.
                            do { try await Task.sleep(for: .milliseconds(50)) } catch { break }
                        }
                    }
                    group.cancelAll()
                }
            }
            // Whichever ends first ends both: the pool when it fails, or the two together when the task is cancelled.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func enter() -> Bool {
        connections.withLock { count in
            guard count < limits.connections else { return false }
            count += 1
            return true
        }
    }

    private func leave() { connections.withLock { $0 -= 1 } }

    // MARK: - One connection

    private func serve(_ connection: AsyncSocket) async {
        _ = fcntl(connection.socket.file.rawValue, F_SETFD, FD_CLOEXEC)
        var isRead = true
        do {
            let answer: HTTPResponse
            var isHead = false
            do {
                let request = try await within(limits.requestTime) { try await self.request(from: connection) }
                isHead = request.method == .head
                answer = await handle(request)
            } catch let refusal as HTTPRefusal {
                isRead = false
                answer = refusalPage(refusal)
            } catch is TimeExceeded {
                isRead = false
                answer = refusalPage(HTTPRefusal(408, "the request did not come within \(limits.requestTime)"))
            }
            try await write(answer, isHead: isHead, to: connection)
            if !isRead { await drain(connection) }
        } catch {
            // The other side has gone, or takes too long to read: nobody is there to be told.
        }
        do { try connection.close() } catch { assertionFailure("a socket that cannot be closed: \(error)") }
    }

    private func request(from connection: AsyncSocket) async throws -> HTTPRequest {
        var reader = RequestReader(limits)
        while true {
            if let request = try reader.add(try await connection.read(atMost: reader.wanted)) { return request }
        }
    }

    private func write(_ answer: HTTPResponse, isHead: Bool, to connection: AsyncSocket) async throws {
        let head = Data(answer.head())
        if isHead { return try await send(head, to: connection) }
        switch answer.body {
        case .bytes(let bytes): try await send(head + Data(bytes), to: connection)
        case .pieces(let size, let next):
            try await send(head, to: connection)
            var offset = 0
            while offset < size {
                let piece = try await next(offset)
                guard !piece.isEmpty else { throw SocketError.disconnected }
                try await send(Data(piece), to: connection)
                offset += piece.count
            }
        case .events(let run):
            try await send(head, to: connection)
            try await run { text in try await self.send(Data(text.utf8), to: connection) }
        }
    }

    /// Writes all of it, a piece within the time that a reader may take for one.
    private func send(_ data: Data, to connection: AsyncSocket) async throws {
        var rest = data[...]
        while !rest.isEmpty {
            let piece = Data(rest.prefix(1 << 16))
            try await within(limits.pieceTime) { try await connection.write(piece) }
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Reads what is still under way, for a moment: closing with bytes unread would take the answer from who sent them.
    private func drain(_ connection: AsyncSocket) async {
        _ = shutdown(connection.socket.file.rawValue, Int32(SHUT_WR))
        do {
            try await within(.milliseconds(500)) {
                var rest = 1 << 20
                while rest > 0 { rest -= try await connection.read(atMost: 4_096).count }
            }
        } catch {
            // It has ended, or time is up.
        }
    }
}

/// Something took longer than it may.
struct TimeExceeded: Error {}

/// Runs `body`, and cancels it after a time.
///
/// - Throws: ``TimeExceeded``.
func within<Result: Sendable>(_ time: Duration, _ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: time)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let result = first else { throw TimeExceeded() }
        return result
    }
}
