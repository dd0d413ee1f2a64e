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

/// One store that is written, crashes and is checked, again and again.
struct CrashSeries {
    /// How many crashes a store meets that was not damaged by one.
    static let roundLimit = 6

    let setup: SeriesSetup
    let files: SeriesFiles
    /// Whether the engine promises that the level survives this kind of crash, so that anything else is a failure.
    let isPromised: Bool
    /// Where the files of the crash go as they are before they are checked.
    private let keep: String?

    init(_ setup: SeriesSetup, _ files: SeriesFiles, capabilities: StorageCapabilities, keep: String?) {
        self.keep = keep
        self.setup = setup
        self.files = files
        let levels = setup.level.durabilities(capabilities, setup.kind)
        let least: StorageCapabilities.Survival = setup.kind == .kill ? .processCrash : .powerLossButSuffix
        isPromised = levels.allSatisfy { capabilities.survival(of: $0) >= least }
    }

    /// Carries out one round; also whether the process outlived what it was to end in.
    func run(_ plan: KillPlan, round: Int) throws -> (RoundOutcome, hasOutlived: Bool) {
        files.oracle.isWriting = false
        files.oracle.hasOutlivedWindow = false
        recorder_disarm(files.recorder)
        let writing = WritingProcess(setup: setup, files: files, plan: plan, round: UInt64(round))
        let end = try ForkedProcess.run(killWhen: plan.window == .moment ? Moment(files.oracle, delay: plan.target).hasCome : nil) { _ in
            try writing.run()
        }
        let hasOutlived = files.oracle.hasOutlivedWindow
        recorder_disarm(files.recorder)
        guard end.cause == .signal(SIGKILL) else { return (.failure("the writing process ended with \(end.cause): \(end.report)"), false) }
        try losePower(round, 0)
        let isKept = isPromised || (round == 0 && hasOutlived && (plan.window == .synchronization || plan.window == .closing))
        if let failure = try recover(plan, round), isKept { return (.failure(failure), false) }
        let hasOutlivedAll = plan.recoveryTargets.isEmpty ? hasOutlived : files.oracle.hasOutlivedWindow
        return (try check(round, isKept), hasOutlivedAll)
    }

    private func losePower(_ round: Int, _ attempt: Int) throws {
        guard setup.kind == .powerLoss else { return try keepFiles() }
        let seed = setup.seed &* 7_919 &+ UInt64(round * 64 + attempt)
        // Disks write sectors of either size whole.
        let unit = setup.seed % 3 == 0 ? 512 : 4_096
        guard recorder_lose_power(files.recorder, files.directory, files.images, seed, unit) else {
            throw ContentsError("the files of a power loss cannot be written in \(files.directory)")
        }
        try keepFiles()
    }

    private func keepFiles() throws {
        if let keep { try files.copyStore(to: keep) }
    }

    /// Opens the store in processes that are killed while they recover it. Returns what went wrong.
    private func recover(_ plan: KillPlan, _ round: Int) throws -> String? {
        for (index, target) in plan.recoveryTargets.enumerated() {
            files.oracle.hasOutlivedWindow = false
            let end = try ForkedProcess.run { _ in
                try RecoveringProcess(setup: setup, files: files, target: target, mode: plan.mode).run()
            }
            recorder_disarm(files.recorder)
            guard end.cause == .signal(SIGKILL) else { return "the recovering process ended with \(end.cause): \(end.report)" }
            try losePower(round, index + 1)
        }
        return nil
    }

    private func check(_ round: Int, _ isKept: Bool) throws -> RoundOutcome {
        let checking = CheckingProcess(setup: setup, files: files, round: UInt64(round), isPromised: isPromised)
        let end = try ForkedProcess.run { try checking.run($0) }
        guard end.cause == .signal(SIGKILL), let verdict = end.report.split(separator: "\n").last.flatMap({ Verdict(line: $0) }) else {
            return .failure("the checking process ended with \(end.cause): \(end.report)")
        }
        guard isKept else { return .unpromised(verdict) }
        switch verdict {
        case .sound(_, let dropped, 0): return .kept(dropped: dropped)
        case .sound(let count, _, let lost): return .failure("\(lost) transactions are lost that had to be there; \(count) are there")
        case .refused(let error): return .failure("the store does not open: \(error)")
        case .damaged(let error): return .failure(error)
        }
    }
}
