import Foundation
import ProbeKit
import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A running probe: a process of its own, in which a store may crash, hang, be locked out or be killed.
///
/// `@unchecked Sendable`: between `init` and `deinit` everything is used on `queue` only, whose threads may block, unlike those of tasks;
/// but for `program`, which is Sendable.
final class ProbeProcess: @unchecked Sendable {
    private let queue = DispatchQueue(label: "probe")
    private let program: ChildProgram
    private let input = Pipe()
    private let output = Pipe()
    private var buffer: [UInt8] = []

    /// Starts a probe.
    ///
    /// - Parameter launcher: A command that the probe's path is appended to, to be started instead.
    init(launcher: [String] = []) throws {
        _ = Self.ignoresBrokenPipes
        let command = launcher + [try ProgramBesideTests.named("StoreProbe").path]
        program = try ChildProgram(
            URL(fileURLWithPath: command[0]), Array(command.dropFirst()), input: input.fileHandleForReading.fileDescriptor,
            output: output.fileHandleForWriting.fileDescriptor)
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }

    /// Sends a request and waits for its reply.
    ///
    /// - Throws: ``ProbeEnd`` when the process ends or hangs instead; it is gone then.
    @discardableResult
    func ask(_ request: ProbeRequest, patience: Duration = .seconds(120)) async throws -> ProbeReply {
        try await onQueue {
            try self.write(request)
            return try self.nextReply(patience)
        }
    }

    /// Sends a request and throws when the probe replies with a fault.
    @discardableResult
    func require(_ request: ProbeRequest) async throws -> ProbeReply {
        let reply = try await ask(request)
        if let fault = reply.fault { throw UnexpectedFault(request: "\(request)", fault: fault) }
        return reply
    }

    /// Sends a request that has many replies and returns all of them: those with a number, then one without.
    func askAll(_ request: ProbeRequest) async throws -> [ProbeReply] {
        try await onQueue {
            try self.write(request)
            var replies: [ProbeReply] = []
            repeat { replies.append(try self.nextReply(.seconds(120))) } while replies[replies.count - 1].number != nil
            return replies
        }
    }

    /// Sends a request that has many replies, calls `body` with each until it returns false, kills the process and returns the
    /// replies that were on their way.
    func killDuring(_ request: ProbeRequest, when body: @escaping @Sendable (ProbeReply) -> Bool) async throws -> [ProbeReply] {
        try await onQueue {
            try self.write(request)
            var replies: [ProbeReply] = []
            repeat { replies.append(try self.nextReply(.seconds(120))) } while !body(replies[replies.count - 1])
            self.program.kill()
            do {
                while true { replies.append(try self.nextReply(.seconds(120))) }
            } catch ProbeEnd.signal(SIGKILL) {
                return replies
            }
        }
    }

    /// Kills the process and waits for its end, also while a request waits for its reply.
    func stop() async throws {
        program.kill()
        try await onQueue { _ = self.program.waitForEnd() }
    }

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    // MARK: Lines

    private func write(_ request: ProbeRequest) throws {
        var line = try JSONEncoder().encode(request)
        line.append(UInt8(ascii: "\n"))
        do {
            try input.fileHandleForWriting.write(contentsOf: line)
        } catch {
            throw end()
        }
    }

    private func nextReply(_ patience: Duration) throws -> ProbeReply {
        let deadline = ContinuousClock.now + patience
        while true {
            if let index = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(buffer[..<index])
                buffer.removeSubrange(...index)
                return try JSONDecoder().decode(ProbeReply.self, from: line)
            }
            try receive(until: deadline)
        }
    }

    private func receive(until deadline: ContinuousClock.Instant) throws {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let remaining = (deadline - .now).components.seconds
        guard remaining >= 0 else {
            program.kill()
            program.waitForEnd()
            throw ProbeEnd.hang
        }
        // Looking at the clock once a second is often enough.
        guard poll(&state, 1, 1_000) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0 && errno == EINTR { return }
        guard count > 0 else { throw end() }
        buffer += bytes[..<count]
    }

    /// How the process, which has closed its output, came to its end.
    private func end() -> ProbeEnd {
        switch program.waitForEnd() {
        case .exit(let status): .exit(status)
        case .signal(let number): .signal(number)
        }
    }

    // MARK: Starting

    /// Writing to a process that has crashed must be an error, not the end of the tests.
    private static let ignoresBrokenPipes: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return true
    }()
}

/// A request that should have been carried out was not.
struct UnexpectedFault: Error, CustomStringConvertible {
    let request: String
    let fault: ProbeFault

    var description: String { "\(request): \(fault)" }
}
