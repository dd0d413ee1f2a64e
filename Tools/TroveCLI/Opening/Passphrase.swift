import Foundation
import TroveStoreTools

/// Asks a person for a passphrase, without showing it.
enum Passphrase {
    /// Whether there is a person to ask.
    static var canAsk: Bool { TypedInput.isThere }

    /// The passphrase that a person types, or the first line of standard input where that is no terminal.
    ///
    /// - Parameters:
    ///   - subject: what the passphrase is of.
    ///   - twice: whether it is typed once more, since a slip would lock everybody out.
    /// - Throws: ``CommandError/noKey(reason:)``; ``CommandError/inputHasLines``; ``CommandError/unreadable(path:reason:)``; `CancellationError` when a signal
    ///   ends the waiting.
    static func ask(for subject: String, twice: Bool = false) throws -> String {
        let text = try line("Passphrase of \(subject): ")
        if twice, canAsk, try line("The same once more: ") != text { throw CommandError.noKey(reason: "the two passphrases differ") }
        guard !text.isEmpty else { throw CommandError.noKey(reason: "the passphrase is empty") }
        return text
    }

    private static func line(_ prompt: String) throws -> String {
        guard canAsk else {
            try ShellSession.checkInput()
            return try InputLines.nextBytes().map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        let errors = Output(descriptor: STDERR_FILENO)
        try errors.write(TerminalText.escaped(prompt))
        try errors.flush()
        // A signal that ended the program here would leave the terminal without its echo.
        let typed = InterruptSignal.stopping([SIGINT, SIGTERM, SIGHUP]) { withoutEcho { Result { try TypedInput.line() } } }
        try errors.line()
        try errors.flush()
        return try typed.get() ?? ""
    }

    /// Calls `body` while the terminal does not show what is typed.
    private static func withoutEcho<Result>(_ body: () -> Result) -> Result {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return body() }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
        return body()
    }
}
