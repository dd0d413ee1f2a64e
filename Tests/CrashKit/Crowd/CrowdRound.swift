import SyncRecorder
import TestSupport
import Trove

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One round of a crowd: some processes write a store, some of them are killed, and a fresh one looks at what is left.
struct CrowdRound {
    let setup: SeriesSetup
    let files: SeriesFiles
    let plan: CrowdPlan
    let round: Int
    /// Where the files are to be kept as they were before the check, which writes too.
    let keep: String?

    /// Seconds after which a process that has not ended makes no progress.
    private static let patience = 60

    /// A process and what is known of it.
    private struct Running {
        let number: Int
        let child: ChildProcess
        let killedAfter: Duration?
        var isKilled = false
        var end: ForkedProcess.End?
    }

    func run() throws -> RoundOutcome {
        files.oracle.killsAreOver = false
        let start = ContinuousClock.now
        var running = try plan.members.enumerated().map { number, member in
            let process = CrowdMember(setup: setup, files: files, number: number, window: member.window, round: UInt64(round))
            let child = try ChildProcess { _ in
                try process.run()
                _exit(0)
            }
            return Running(number: number, child: child, killedAfter: member.killedAfter.map { .microseconds($0) })
        }
        var stuck: [String] = []
        while running.contains(where: { $0.end == nil }) {
            let elapsed = ContinuousClock.now - start
            for index in running.indices where running[index].end == nil {
                if let moment = running[index].killedAfter, !running[index].isKilled, elapsed >= moment {
                    running[index].child.kill()
                    running[index].isKilled = true
                }
                if elapsed > .seconds(Self.patience) {
                    stuck.append("process \(index), \(running[index].child.whereItWaits)")
                    running[index].child.kill()
                    running[index].isKilled = true
                }
                running[index].end = running[index].child.poll()
            }
            files.oracle.killsAreOver = !running.contains { $0.killedAfter != nil && $0.end == nil }
            usleep(100)
        }
        if !stuck.isEmpty { return .failure("no progress in \(Self.patience) s: \(stuck.joined(separator: "; "))") }
        for process in running {
            // One that was to be killed may have failed before.
            guard let end = process.end, end.cause != (process.killedAfter == nil ? .exit(0) : .signal(SIGKILL)) else { continue }
            if process.killedAfter != nil, end.cause == .exit(0) { continue }
            return .failure("process \(process.number) (\(plan.members[process.number].window)) ended with \(end.cause): \(end.report)")
        }
        if let keep { try files.copyStore(to: keep) }
        return try check()
    }

    /// Looks at the store and at the backups from a process of its own.
    private func check() throws -> RoundOutcome {
        let checking = CheckingProcess(setup: setup, files: files, round: UInt64(round), isPromised: true)
        let end = try ForkedProcess.run { try checking.run($0) }
        guard end.cause == .signal(SIGKILL), let verdict = end.report.split(separator: "\n").last.flatMap({ Verdict(line: $0) }) else {
            return .failure("the checking process ended with \(end.cause): \(end.report)")
        }
        switch verdict {
        case .sound(_, let dropped, 0): return .kept(dropped: dropped)
        case .sound(let count, _, let lost): return .failure("\(lost) transactions are lost that had to be there; \(count) are there")
        case .refused(let error): return .failure("the store does not open: \(error)")
        case .damaged(let error): return .failure(error)
        }
    }
}
