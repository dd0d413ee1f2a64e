import SyncRecorder

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A child made by `fork`, without starting a program anew: a round takes milliseconds.
///
/// This process has one thread and uses neither Dispatch nor tasks, so the child may use both.
enum ForkedProcess {
    /// How a child ended, and what it said.
    struct End {
        enum Cause: Equatable {
            case signal(Int32)
            case exit(Int32)
            case hang
        }

        let cause: Cause
        let report: String
    }

    /// The status of a child that has met an error, and says so in its report.
    static let failureStatus: Int32 = 3

    /// Runs `body` in a child and waits for its end.
    ///
    /// - Parameters:
    ///   - patience: seconds after which the child is killed for hanging.
    ///   - isTime: called again and again; the child is killed when it returns true.
    ///   - body: gets a function that sends a line to the parent. When it returns, the child ends as if it were killed.
    static func run(patience: Int = 120, killWhen isTime: (() -> Bool)? = nil, _ body: (_ send: (String) -> Void) throws -> Void) throws -> End {
        var pipeEnds: [Int32] = [0, 0]
        guard recorder_pipe(&pipeEnds) else { throw ContentsError("there is no pipe: \(String(cString: strerror(errno)))") }
        fflush(nil)
        let child = recorder_fork()
        guard child >= 0 else { throw ContentsError("there is no process: \(String(cString: strerror(errno)))") }
        if child == 0 { runChild(pipeEnds[1], body) }
        close(pipeEnds[1])
        defer { close(pipeEnds[0]) }
        var report: [UInt8] = []
        var isHanging = false
        var hasKilled = false
        let deadline = ContinuousClock.now + .seconds(patience)
        while true {
            if !isHanging && .now > deadline {
                isHanging = true
                _ = kill(child, SIGKILL)
            }
            if let isTime, !hasKilled, isTime() {
                _ = kill(child, SIGKILL)
                hasKilled = true
            }
            var state = pollfd(fd: pipeEnds[0], events: Int16(POLLIN), revents: 0)
            let isPolling = isTime != nil && !hasKilled
            let ready = poll(&state, 1, isPolling ? 0 : 1_000)
            if ready > 0 {
                var buffer = [UInt8](repeating: 0, count: 4_096)
                let count = read(pipeEnds[0], &buffer, buffer.count)
                if count <= 0 { break }
                report += buffer[..<count]
            } else if isPolling {
                usleep(50)
            }
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let cause: End.Cause = isHanging ? .hang : status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
        return End(cause: cause, report: String(decoding: report, as: UTF8.self))
    }

    static func runChild(_ output: Int32, _ body: (_ send: (String) -> Void) throws -> Void) -> Never {
        func send(_ line: String) {
            let bytes = Array((line + "\n").utf8)
            _ = write(output, bytes, bytes.count)
        }
        do {
            try body(send)
        } catch {
            send("\(error)")
            _exit(failureStatus)
        }
        recorder_end_process()
    }
}
