import ArgumentParser
import Trove

struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell", abstract: "Asks for lines, and runs each as a query or a command on one open store.",
        discussion: """
            A line is a model's name with criteria text behind it, or a command without the store's name; .help tells the rest. On a terminal with libedit lines are edited, kept in \
            ~/.trove_history (TROVE_HISTORY names another file, or none) and completed, and control-C drops a line or stops a command. Lines of a file or pipe end with the first \
            that fails, which is told with its number.

            Example: echo 'Song year > 1958 order by title' | trove shell music.store
            """)

    @OptionGroup var argument: StoreArgument
    @Flag(help: "Let commands change the store without saying --write themselves.")
    var write = false

    func run() throws {
        guard ShellSession.current == nil else { throw CommandError.notALine(reason: "'shell' is begun outside of a shell") }
        try argument.with(write ? .readWrite : .readOnly) { open in
            let session = ShellSession(path: argument.store, open: open, keys: try argument.keys, allowsChanges: write)
            var shell = Shell(session, EditedLines() ?? PlainLines() as any LineSource)
            try shell.run()
        }
    }
}
