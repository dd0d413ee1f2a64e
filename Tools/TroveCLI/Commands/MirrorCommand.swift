import ArgumentParser
import Foundation
import Trove
import TroveMirror
import TroveStoreTools

struct MirrorCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror", abstract: "Brings a directory of readable files and a store into step, in both directions.",
        discussion: """
            Each object has a JSON file. What one side changed since the last time goes to the other; where both changed one property, the store's value stays and the file's \
            version is put beside the file.

            Example: trove mirror music.store songs --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The directory; it is made where there is none.", completion: .directory)
    var directory: String
    @Flag(help: "Go on: look for changes every half second, until control-C ends it.")
    var watch = false
    @Option(parsing: .unconditional, help: "With --watch, end after so many seconds.")
    var seconds: Double?
    @Flag(help: "Delete objects also when the files of more than half of them are gone.")
    var allowDeletions = false
    @OptionGroup var permission: WriteFlag

    private static let interval = 0.5

    func validate() throws {
        if seconds != nil, !watch { throw ValidationError("--seconds goes with --watch, which goes on until then") }
        if let seconds, !(seconds >= 0) { throw ValidationError("--seconds is at least 0, not \(seconds)") }
    }

    func answer(on output: Output) throws {
        let isComplete = try permission.change(argument, command: "mirror") { store in
            let mirror = try StoreMirror(store, at: URL(filePath: directory))
            let last = try watch ? InterruptSignal.goingOn { try follow(mirror, on: output) } : run(mirror, after: nil, on: output)
            return last.problems.isEmpty && last.conflicts.isEmpty
        }
        if !isComplete { throw ExitStatus.negative }
    }

    /// Synchronizes again and again until the time is over or a signal comes; returns the last report.
    private func follow(_ mirror: StoreMirror, on output: Output) throws -> MirrorReport {
        var last = try run(mirror, after: nil, on: output)
        // At most a century: a clock traps on what it cannot count.
        let end = seconds.map { ContinuousClock.now + .seconds(min($0, 3e9)) }
        do {
            while !InterruptSignal.isStopped, end.map({ ContinuousClock.now < $0 }) ?? true {
                InterruptSignal.wait(Self.interval)
                if InterruptSignal.isStopped { break }
                last = try run(mirror, after: last, on: output)
            }
        } catch is CancellationError where InterruptSignal.isStopped {
            // A run that a signal stops is done again the next time, as one that a program's end stops.
        }
        return last
    }

    /// Synchronizes, and tells what happened; a problem or a conflict that stays is told once.
    private func run(_ mirror: StoreMirror, after last: MirrorReport?, on output: Output) throws -> MirrorReport {
        let report = try mirror.synchronize(allowingDeletions: allowDeletions)
        if report.isNews(after: last) { try tell(report, on: output) }
        return report
    }

    private func tell(_ report: MirrorReport, on output: Output) throws {
        for line in report.description.split(separator: "\n") { try output.line(TerminalText.escaped(String(line))) }
        try output.flush()
    }
}
