import ArgumentParser
import Foundation
import SyncRecorder
import TestSupport
import Trove

/// The crash loop as a program: `make crash`.
package struct CrashCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "CrashLoop",
        abstract: "Kills processes that write stores, loses power, and checks what is left.",
        discussion: "A round is one crash and its check. The status is 1 when one failed.")

    @Option(help: "Rounds for each engine, level and kind of crash.") var rounds = 100
    @Option(help: "The first series' seed; each series of up to six rounds has the next one.") var seed: UInt64 = 1
    @Option(help: "An engine: sqlite, lmdb, tokyocabinet. All when there is none.") var engine: [String] = []
    @Option(help: "A level: durable, buffered, relaxed, mixed.") var level: [String] = []
    @Option(help: "A kind of crash: kill, power.") var kind: [String] = []
    @Option(help: "A window, such as opening.") var window: [String] = []
    @Option(help: "Only this number of the call or operation in the window.") var target: Int?
    @Option(help: "What happens with the call: before, after, inside.") var mode: String?
    @Option(help: "The calls of recovering to end at after that, such as 3,1.") var recovery: String?
    @Flag(help: "Ends at the first, second, third … call of each window in turn, instead of at random.") var sweep = false
    @Option(help: "In a sweep, every so manieth call.") var stride = 1
    @Option(help: "Where the stores are; the system's temporary directory when there is none.") var directory: String?
    @Option(help: "Seconds after which an engine, level and kind begins no further series; each has at least one, and each window of a sweep.") var seconds: Int?
    @Flag(help: "Several processes write each store and are killed one by one, instead of one process.") var crowd = false
    @Flag(help: "Prints each round.") var verbose = false
    @Option(help: "A directory to be made, for the files of the first round that failed as they were after the crash.") var keep: String?
    @Option(help: "Does something wrong, to see that it is found: syncs, acknowledgements, writing.") var sabotage: Sabotage?

    package init() {}

    package func validate() throws {
        guard rounds > 0 else { throw ValidationError("'--rounds' is \(rounds); it is at least 1") }
        guard stride > 0 else { throw ValidationError("'--stride' is \(stride); it is at least 1") }
    }

    package func run() throws {
        guard recorder_is_in_place() else { throw ValidationError("this build cannot take the place of system calls") }
        let files = try SeriesFiles(in: directory ?? FileManager.default.temporaryDirectory.path)
        if crowd { return try runCrowds(files) }
        var runs: [CrashRun] = []
        do {
            runs = try makeRuns(files)
            for index in runs.indices { try runs[index].run() }
        } catch {
            try files.remove()
            throw error
        }
        try files.remove()
        print("\n" + CrashTable(tallies: runs.map(\.tally)).text)
        let failures = runs.flatMap(\.tally.failures)
        for failure in failures { print("\nFAILED: \(failure.message)\n  again: \(failure.command)") }
        if !failures.isEmpty { throw ExitCode(1) }
    }

    private func runCrowds(_ files: SeriesFiles) throws {
        var runs: [CrowdRun] = []
        do {
            let windows = try chosen(window, of: CrowdWindow.allCases, \.rawValue)
            for engine in try chosen(engine, of: [Engine.sqlite, .lmdb], \.argument) {
                for level in try chosen(level.isEmpty ? ["mixed"] : level, of: CrashLevel.allCases, \.rawValue) {
                    runs.append(
                        CrowdRun(
                            SeriesSetup(engine: engine, level: level, kind: .kill, seed: seed), files, windows: windows, rounds: rounds, seconds: seconds,
                            isVerbose: verbose, sabotage: sabotage, keep: keep))
                }
            }
            for index in runs.indices { try runs[index].run() }
        } catch {
            try files.remove()
            throw error
        }
        try files.remove()
        let windows = CrowdWindow.allCases.map { window in "\(window) \(runs.reduce(0) { $0 + $1.byWindow[window, default: 0] })" }
        print("\n" + runs.map(\.summary).joined(separator: "\n") + "\nProcesses by what they did: " + windows.joined(separator: ", ") + ".")
        let failures = runs.flatMap(\.failures)
        for failure in failures { print("\nFAILED: \(failure.message)\n  again: \(failure.command)") }
        if !failures.isEmpty { throw ExitCode(1) }
    }

    private func makeRuns(_ files: SeriesFiles) throws -> [CrashRun] {
        let engines = try chosen(engine, of: Engine.persistent, \.argument)
        let levels = try chosen(level, of: CrashLevel.allCases, \.rawValue)
        let kinds = try chosen(kind, of: CrashKind.allCases) { $0 == .kill ? "kill" : "power" }
        var runs: [CrashRun] = []
        for engine in engines {
            let missing = EngineTool(engine).missing
            if !missing.isEmpty { print("KNOWN: \(missing.joined(separator: ", ")) not installed, so \(engine) is checked without; see Scripts/setup") }
            for level in levels {
                for kind in kinds {
                    runs.append(
                        try CrashRun(
                            SeriesSetup(engine: engine, level: level, kind: kind, seed: seed), files, plans(), rounds: rounds, seconds: seconds,
                            isVerbose: verbose, sabotage: sabotage, keep: keep))
                }
            }
        }
        return runs
    }

    private func plans() throws -> KillPlans {
        let windows = try chosen(window, of: KillWindow.allCases, \.rawValue)
        if sweep {
            let swept = windows.filter { $0 != .moment }
            guard !swept.isEmpty else { throw ValidationError("a sweep goes over the calls of a window, and 'moment' has none; name another") }
            return .sweep(windows: swept, stride: stride)
        }
        let modes = ["before", "after", "inside"]
        if let target {
            guard window.count == 1 else { throw ValidationError("a target is of one window; name that too") }
            guard let number = modes.firstIndex(of: mode ?? "before") else {
                throw ValidationError("there is no mode '\(mode ?? "")'; there are \(modes.joined(separator: ", "))")
            }
            var plan = KillPlan(windows[0], target: target, mode: UInt32(number))
            plan.recoveryTargets = try recovery?.split(separator: ",").map { text in
                guard let target = Int(text) else { throw ValidationError("'\(text)' is no number of a call") }
                return target
            } ?? []
            return .one(plan)
        }
        return .random(windows: windows)
    }

    private func chosen<Value>(_ names: [String], of values: [Value], _ name: (Value) -> String) throws -> [Value] {
        if names.isEmpty { return values }
        return try names.map { wanted in
            guard let value = values.first(where: { name($0) == wanted }) else {
                throw ValidationError("there is no '\(wanted)'; there are \(values.map(name).joined(separator: ", "))")
            }
            return value
        }
    }
}
