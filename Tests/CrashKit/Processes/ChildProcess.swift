import Foundation
import SyncRecorder

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A child made by `fork` that runs beside others.
final class ChildProcess {
    private let child: pid_t
    private let output: Int32
    private var report: [UInt8] = []

    /// Runs `body` in a child; see ``ForkedProcess/run(patience:killWhen:_:)``.
    init(_ body: (_ send: (String) -> Void) throws -> Void) throws {
        var pipeEnds: [Int32] = [0, 0]
        guard recorder_pipe(&pipeEnds) else { throw ContentsError("there is no pipe: \(String(cString: strerror(errno)))") }
        fflush(nil)
        child = recorder_fork()
        guard child >= 0 else { throw ContentsError("there is no process: \(String(cString: strerror(errno)))") }
        if child == 0 { ForkedProcess.runChild(pipeEnds[1], body) }
        close(pipeEnds[1])
        output = pipeEnds[0]
    }

    deinit { close(output) }

    func kill() { _ = signal(SIGKILL) }

    private func signal(_ number: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.kill(child, number)
        #elseif canImport(Musl)
        Musl.kill(child, number)
        #else
        Darwin.kill(child, number)
        #endif
    }

    /// How the child ended; nil while it runs. Asked again and again, so that what it says finds room.
    func poll() -> ForkedProcess.End? {
        var status: Int32 = 0
        // Before the last look at the pipe, so that nothing said before the end is missed.
        let hasEnded = waitpid(child, &status, WNOHANG) == child
        var state = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        while Self.isReady(&state) {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &buffer, buffer.count)
            if count <= 0 { break }
            report += buffer[..<count]
        }
        guard hasEnded else { return nil }
        let cause: ForkedProcess.End.Cause = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
        return ForkedProcess.End(cause: cause, report: String(decoding: report, as: UTF8.self))
    }

    private static func isReady(_ state: inout pollfd) -> Bool {
        #if canImport(Glibc)
        Glibc.poll(&state, 1, 0) > 0
        #elseif canImport(Musl)
        Musl.poll(&state, 1, 0) > 0
        #else
        Darwin.poll(&state, 1, 0) > 0
        #endif
    }

    /// The system calls that the child's threads are in, where the system says so.
    var whereItWaits: String {
        let directory = "/proc/\(child)/task"
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory).map { thread in
                let call = try String(contentsOfFile: "\(directory)/\(thread)/syscall", encoding: .utf8)
                return call.split(separator: "\n").first.map(String.init) ?? ""
            }.joined(separator: ", ")
        } catch {
            return "somewhere"
        }
    }
}
