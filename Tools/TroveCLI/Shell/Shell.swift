import ArgumentParser
import Foundation
import Trove
import TroveStoreTools

/// Runs the lines that a person gives, one after the other, on one open store.
struct Shell {
    private var session: ShellSession
    private var lineNumber = 0
    /// The names that can be completed, and the look at the commits before they were read.
    private var known: ShellVocabulary?
    private var commits: CommitLook
    private let lines: any LineSource
    private let output = Output()
    private let commands = Set(TroveCommand.configuration.subcommandNames + TroveCommand.configuration.subcommands.flatMap { $0.configuration.aliases })

    init(_ session: ShellSession, _ lines: any LineSource) {
        (self.session, self.lines) = (session, lines)
        commits = session.open.store.commitLook()
    }

    /// Runs lines until they end, or one says so. Control-C drops the line that is typed, or stops the command that runs.
    ///
    /// - Throws: the ``ExitStatus`` of the first line that fails, where no person gives them.
    mutating func run() throws {
        guard lines.isInteractive else { return try runLines() }
        try greet()
        try InterruptSignal.stopping { try runLines() }
    }

    /// Tells a person what can be typed.
    private func greet() throws {
        let models = try StoreModels(session.open.store).all
        let names = models.prefix(5).map(\.name).joined(separator: ", ") + (models.count > 5 ? ", …" : "")
        let kinds = models.isEmpty ? "nothing in it yet" : "\(StoreFacts.counted(models.count, "model")): \(names)"
        try tell(
            output.terminal.dimmed(
                TerminalText.escaped("\(session.open.store.capabilities.engine), \(kinds). .help tells what can be typed, .quit ends the shell.")))
    }

    private mutating func runLines() throws {
        let prompt = TerminalText.escaped(String(session.path.split(separator: "/").last ?? "")) + "> "
        while let (text, number) = try nextLine(prompt) {
            if !lines.isInteractive { session = session.with(line: number) }
            do {
                let models = try StoreModels(session.open.store).all.map(\.name)
                guard let line = try ShellLine(text, commands: commands, models: Set(models)) else { continue }
                guard try run(line) else { return }
            } catch let status as ExitStatus {
                throw status
            } catch {
                let status = ShellSession.$current.withValue(session) { CommandLineProgram.report(error) }
                if !lines.isInteractive, status != .success { throw status }
            }
        }
    }

    /// The next line with those that continue it, and the number of the first; nil when there is none.
    private mutating func nextLine(_ prompt: String) throws -> (text: String, number: Int)? {
        while true {
            guard var text = try nextPart(prompt) else { return nil }
            let number = lineNumber
            var isDropped = text == PlainLines.dropped
            if !isDropped, ShellLine.goesOn(text), lines.isInteractive {
                try tell(output.terminal.dimmed("the line goes on; control-C drops it" + (text.last == "\\" ? "" : ", and a quotation mark ends the text")))
            }
            while !isDropped, ShellLine.goesOn(text) {
                if text.last == "\\" { text.removeLast() }
                guard let more = try nextPart(String(repeating: " ", count: max(0, TerminalText.width(prompt) - 5)) + "...> ") else { break }
                isDropped = more == PlainLines.dropped
                text += "\n" + more
            }
            if isDropped { continue }
            lines.remember(text)
            return (text, number)
        }
    }

    private mutating func nextPart(_ prompt: String) throws -> String? {
        lineNumber += 1
        let vocabulary = try currentVocabulary()
        _ = InterruptSignal.interruption.lower()
        return try lines.next(prompt, vocabulary)
    }

    /// What can be completed. Control-C before the prompt is ignored; the shell goes on.
    mutating func currentVocabulary() throws -> ShellVocabulary {
        guard lines.isInteractive else { return ShellVocabulary() }
        return try Interruption.$current.withValue(nil) {
            // It reads the whole index of each collection, so only when somebody has committed.
            var commits = commits
            let hasNews = try commits.hasNews()
            if let known, !hasNews { return known }
            let vocabulary = try ShellVocabulary(session, commands: commands)
            (self.commits, known) = (commits, vocabulary)
            return vocabulary
        }
    }

    /// Runs a line; false when it is the last one.
    private mutating func run(_ line: ShellLine) throws -> Bool {
        switch line {
        case .setting(let name, let argument): return try set(name, argument)
        case .query(let model, let criteria): try run(["find", model] + (criteria.map { [$0] } ?? []))
        case .command(let words): try run(words)
        }
        return true
    }

    private func run(_ words: [String]) throws {
        guard !["shell", "serve"].contains(words[0]) else { throw CommandError.notALine(reason: "'\(words[0])' is begun outside of a shell") }
        let start = ContinuousClock.now
        let (status, isFailure) = ShellSession.$current.withValue(session) { CommandLineProgram.end(of: arguments(words)) }
        if session.showsTime { try tell(output.terminal.dimmed(String(format: "%.3f s", (ContinuousClock.now - start) / .seconds(1)))) }
        if !lines.isInteractive, isFailure { throw status }
    }

    /// The arguments of the program for words that do not name the store: it stands behind the command, which may be one of several in another.
    private func arguments(_ words: [String]) -> [String] {
        if ["help", "--help"].contains(words[0]) || words.contains("--help") || words.contains("-h") { return words }
        // Where no command follows, it is the one that such commands have for most purposes.
        let inner = TroveCommand.configuration.subcommand(named: words[0])?.configuration
        let depth =
            words.count > 1 && inner?.subcommand(named: words[1]) != nil || inner.map { !$0.subcommands.isEmpty && $0.defaultSubcommand == nil } == true ? 2 : 1
        return words.prefix(depth) + [session.path] + words.dropFirst(depth)
    }

    // MARK: - Settings

    /// Does what a line that begins with a point says; false when it ends the shell.
    private mutating func set(_ name: String, _ argument: String?) throws -> Bool {
        switch name {
        case "quit", "exit": return false
        case "help":
            if let argument { try run(["help"] + ShellLine.words(argument)) } else { try tell(Self.help) }
        case "models": try run(["models"] + (argument.map { [$0] } ?? []))
        case "mode":
            guard let argument else { return try tell(session.format?.rawValue ?? "for people on a terminal, jsonl in a pipe or file") }
            guard let format = OutputFormat(argument: argument) else {
                throw CommandError.notALine(reason: "'\(argument)' is no mode; there are \(OutputFormat.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            session = session.with(format: format)
        case "timing": session = session.with(showsTime: try Self.isOn(name, argument))
        case "plans": session = session.with(showsPlans: try Self.isOn(name, argument))
        default: throw CommandError.notALine(reason: "'.\(name)' is nothing that can be set; .help lists what is")
        }
        return true
    }

    private static func isOn(_ name: String, _ argument: String?) throws -> Bool {
        guard let argument, ["on", "off"].contains(argument) else { throw CommandError.notALine(reason: "say .\(name) on or .\(name) off") }
        return argument == "on"
    }

    @discardableResult private func tell(_ text: String) throws -> Bool {
        try output.line(text)
        try output.flush()
        return true
    }

    private static let help = """
        Song year > 1958 order by title limit 10    records of a model, in criteria text
        find, count, get, group, models, …          commands without the store's name: find Song "year > 1958" -o csv
        help find                                   tells of a command
        .models [NAME]                              what is in the store
        .mode table|line|json|jsonl|csv|md          how to answer
        .timing on|off                              the time that each command takes
        .plans on|off                               how each query is answered, before its answer
        .quit                                       ends the shell, as control-D does
        A line goes on in the next one when it ends in \\ or within quotes. Tab completes names; control-C drops the line or stops a command.
        """
}
