import Foundation

/// Where the lines of a shell come from.
protocol LineSource: AnyObject {
    /// Whether a person types them, who sees prompts and goes on after a mistake.
    var isInteractive: Bool { get }

    /// The next line without its end; nil when there is none.
    func next(_ prompt: String, _ vocabulary: ShellVocabulary) throws -> String?

    /// Keeps a line for the person to come back to.
    func remember(_ line: String)
}

/// Lines of standard input as they are: a file or pipe, or a terminal without libedit.
final class PlainLines: LineSource {
    let isInteractive = TypedInput.isThere

    /// What stands for a line that control-C has dropped.
    static let dropped = "^C"

    func next(_ prompt: String, _ vocabulary: ShellVocabulary) throws -> String? {
        if isInteractive {
            let output = Output()
            try output.write(prompt)
            try output.flush()
        }
        return try isInteractive ? typedLine() : InputLines.next()
    }

    /// The line that a terminal has; nil at its end. Control-C ends the waiting, and the terminal forgets what was typed.
    private func typedLine() throws -> String? {
        do {
            return try TypedInput.line()
        } catch is CancellationError {
            let output = Output()
            try output.line()
            try output.flush()
            return Self.dropped
        }
    }

    func remember(_ line: String) {}
}

/// The file in which a shell keeps what was typed.
enum ShellHistory {
    static let mostLines: Int32 = 1_000

    /// The file's path; nil where none is wanted.
    ///
    /// `TROVE_HISTORY` names it, and keeps none where it is empty.
    static var path: String? {
        let environment = ProcessInfo.processInfo.environment
        if let told = environment["TROVE_HISTORY"] { return told.isEmpty ? nil : told }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/trove_history" }
        return environment["HOME"].map { $0 + "/.trove_history" }
    }

    /// Makes the file where there is none, for its owner alone: criteria have values of the store in them.
    static func make(_ path: String) {
        let descriptor = open(path, O_CREAT | O_RDONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }
}
