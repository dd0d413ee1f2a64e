import ArgumentParser
import Foundation
import TroveStoreTools

/// The program: reads the arguments, runs a command, and tells by its status how that went.
package enum CommandLineProgram {
    /// Runs the command that the arguments name, and returns the status that the program ends with.
    package static func run(_ arguments: [String]) -> Int32 {
        // A reader that has gone is an error of writing, so that the store is closed as after any other.
        signal(SIGPIPE, SIG_IGN)
        return status(of: arguments).rawValue
    }

    /// Runs the command that arguments name, prints what ends it, and returns how it went.
    static func status(of arguments: [String]) -> ExitStatus { end(of: arguments).status }

    /// The same, and whether the command could not do what it was told: a rule that refuses a change has the status of an answer that is no, and is none.
    static func end(of arguments: [String]) -> (status: ExitStatus, isFailure: Bool) {
        do {
            try CommandWords.check(arguments)
            var command = try TroveCommand.parseAsRoot(arguments)
            try command.run()
            return (.success, false)
        } catch let answer as ExitStatus {
            return (answer, answer.isFailure)
        } catch is Output.Closed {
            return (.success, false)
        } catch {
            let status = report(error)
            return (status, status != .success)
        }
    }

    /// Prints what ended a command: help that was asked for, or what went wrong.
    static func report(_ error: any Error) -> ExitStatus {
        let isAnswer = TroveCommand.exitCode(for: error).isSuccess
        let isParsers = isAnswer || TroveCommand.exitCode(for: error) == .validationFailure
        do {
            if isAnswer {
                let output = Output()
                try output.write(HelpText.arranged(TroveCommand.fullMessage(for: error)) + "\n")
                try output.flush()
                return .success
            }
            let errors = Output(descriptor: STDERR_FILENO)
            let line = ShellSession.current?.line.map { "line \($0): " } ?? ""
            let message =
                isParsers
                ? line + HelpText.arranged(TroveCommand.fullMessage(for: error))
                : "trove: " + line + TerminalText.escaped(CommandAdvice.description(of: error))
                    + (CommandAdvice.text(for: error).map { "\n  " + TerminalText.escaped($0) } ?? "")
            try errors.write(message + "\n")
            try errors.flush()
        } catch {
            // Nobody reads what the program says, and the status still tells.
            return isAnswer ? .success : .store
        }
        return isParsers ? .usage : ExitStatus(error)
    }
}
