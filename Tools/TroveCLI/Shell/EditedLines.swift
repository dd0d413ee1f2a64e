import Foundation

/// Lines that a person types and edits at a terminal, with history and completion, by libedit where it is installed.
///
/// The library is looked for when the shell begins, so that nobody needs it to build the program or to run it. Its functions are those of readline, which
/// libedit documents in `<editline/readline.h>`.
final class EditedLines: LineSource {
    let isInteractive = true

    private let library: Libedit
    private let historyPath = ShellHistory.path

    /// - Returns: nil where there is no terminal or no libedit.
    init?() {
        guard TypedInput.isThere, isatty(STDOUT_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb", let library = Libedit.installed
        else { return nil }
        self.library = library
        // Without it characters that take several bytes are edited byte by byte.
        setlocale(LC_CTYPE, "")
        library.beginHistory(historyPath, most: ShellHistory.mostLines)
        library.dropLinesByControlC()
    }

    func next(_ prompt: String, _ vocabulary: ShellVocabulary) throws -> String? {
        library.vocabulary.withLock { $0 = vocabulary }
        if let line = library.line(prompt) { return line }
        // A signal that the terminal did not send ends the waiting too.
        return InterruptSignal.interruption.lower() ? PlainLines.dropped : nil
    }

    func remember(_ line: String) {
        // A line of several would come back as several.
        let text = line.split(separator: "\n").joined(separator: " ")
        guard !text.allSatisfy(\.isWhitespace) else { return }
        library.remember(text, in: historyPath)
    }
}
