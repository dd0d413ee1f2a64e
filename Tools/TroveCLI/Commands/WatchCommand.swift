import ArgumentParser
import Foundation
import Trove
import TroveStoreTools

struct WatchCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Shows what other programs change in a store, as they do.",
        discussion: """
            A line for each object that is new, changed or gone, with the values that are others now. It looks every half second; what is changed twice between two looks is shown \
            once. Tokyo Cabinet lets one program in, so nobody can watch its stores.

            Example: trove watch music.store Song "year > 1958" --seconds 1
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model or collection; all without it.")
    var model: String?
    @Argument(help: "What is true of the records that are watched, in criteria text.")
    var criteria: String?
    @Option(parsing: .unconditional, help: "How many seconds lie between two looks.")
    var interval = 0.5
    @Option(parsing: .unconditional, help: "End after so many seconds. Without it, control-C ends it.")
    var seconds: Double?
    @Option(parsing: .unconditional, help: "End after so many changes.")
    var changes: Int?
    @OptionGroup var options: OutputOptions

    func validate() throws {
        guard interval >= 0.01, interval <= 3_600 else { throw ValidationError("--interval is from 0.01 to 3600 seconds, not \(interval)") }
        if let seconds, !(seconds >= 0) { throw ValidationError("--seconds is at least 0, not \(seconds)") }
        if let changes, changes < 1 { throw ValidationError("--changes is at least 1, not \(changes)") }
    }

    func answer(on output: Output) throws {
        try argument.read { store in try InterruptSignal.goingOn { try watch(store, on: output) } }
    }

    private func watch(_ store: ObjectStore, on output: Output) throws {
        guard store.capabilities.sharing != .oneProcess else { throw CommandError.cannotWatch(engine: store.capabilities.engine) }
        let names = try model.map { [try StoreModels(store)[$0].name] } ?? []
        var watcher = try StoreWatcher(store, names, criteria)
        if seconds == nil, changes == nil { Output.hint("watching; control-C ends it") }
        let log = ChangeLog(options, on: output)
        // At most a century: a clock traps on what it cannot count.
        let end = seconds.map { ContinuousClock.now + .seconds(min($0, 3e9)) }
        do {
            while log.count < changes ?? .max, !InterruptSignal.isStopped {
                if let end, ContinuousClock.now >= end { break }
                InterruptSignal.wait(min(interval, end.map { max(0, ContinuousClock.now.duration(to: $0) / .seconds(1)) } ?? interval))
                if InterruptSignal.isStopped { break }
                try watcher.look { if log.count < changes ?? .max { try log.add($0) } }
                // Whoever reads sees a change when it was found.
                try output.flush()
            }
        } catch is CancellationError where InterruptSignal.isStopped {
            // A signal may come in a look, and ends watching as between two.
        }
        try log.finish()
    }
}

/// Writes changes, a line each.
private final class ChangeLog {
    private(set) var count = 0
    private let output: Output
    /// What programs read; nil where people do.
    private let sheet: (any Sheet)?

    init(_ options: OutputOptions, on output: Output) {
        self.output = output
        let format = options.format(for: output)
        sheet =
            format == .table || format == .line ? nil : options.sheet(["time", "change", "model", StoredModel.idName, "values"].map { Column($0) }, on: output)
    }

    func add(_ change: StoreWatcher.Change) throws {
        count += 1
        let id = try change.model.ids.value(of: change.key)
        if let sheet {
            return try sheet.add([
                .date(Date(timeIntervalSince1970: (Date().timeIntervalSince1970 * 1_000).rounded() / 1_000)), .string(change.kind.rawValue),
                .string(change.model.name), id, change.valuesByName,
            ])
        }
        let time = Date().formatted(.dateTime.hour(.twoDigits(amPM: .omitted)).minute(.twoDigits).second(.twoDigits).locale(Locale(identifier: "en_GB")))
        let kind = change.kind.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
        var line = "\(output.terminal.dimmed(time))  \(kind)  \(TerminalText.escaped(change.model.name)) \(output.terminal.bold(try CellText.shown(id)))"
        for (name, value) in change.values { line += "  \(output.terminal.dimmed(TerminalText.escaped(name) + "="))\(try CellText.shown(value))" }
        try output.line(line)
    }

    func finish() throws { try sheet?.finish() }
}
