import ArgumentParser
import Trove

/// The program's first word: what all commands are of.
struct TroveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trove",
        abstract: "Looks into stores of Trove, of any engine, and copies, checks and repairs them.",
        discussion: """
            Commands read unless they are told --write, and never make a store that is not there. Statuses: 0 done or found, 1 nothing found, \
            stores differ or one is not sound, 2 the command is not as it has to be, 3 the store cannot be opened, read or written, 4 it is damaged. 'count' answers by a \
            number, so that 0 is no failure.

            Beside a store lie files of its engine: music.store-lock and others while programs have it open, and music.store-checked, which says that its pages were found \
            sound and may be removed at any time.

            Example: trove info music.store
            """,
        version: "trove, before its first release; reads and writes stores of format \(ObjectStore.newestFormat)",
        groupedSubcommands: [
            CommandGroup(
                name: "Looking",
                subcommands: [
                    InfoCommand.self, ModelsCommand.self, GraphCommand.self, FindCommand.self, GetCommand.self, CountCommand.self, GroupCommand.self,
                    ExplainCommand.self, BagsCommand.self, WatchCommand.self, ShellCommand.self, ServeCommand.self,
                ]),
            CommandGroup(name: "Changing", subcommands: [InsertCommand.self, SetCommand.self, EditCommand.self, DeleteCommand.self]),
            CommandGroup(
                name: "Moving",
                subcommands: [ExportCommand.self, ImportCommand.self, CopyCommand.self, BackupCommand.self, MirrorCommand.self, BlobsCommand.self]),
            CommandGroup(
                name: "Checking and mending",
                subcommands: [VerifyCommand.self, DoctorCommand.self, DiffCommand.self, IndexCommand.self, CompactCommand.self]),
            CommandGroup(name: "History", subcommands: [HistoryCommand.self]),
            CommandGroup(name: "Encryption", subcommands: [KeysCommand.self, LeakageCommand.self]),
        ])
}

/// A command that answers on standard output.
protocol AnsweringCommand: ParsableCommand {
    /// Does what the command is for, and writes the answer.
    func answer(on output: Output) throws
}

extension AnsweringCommand {
    func run() throws {
        let output = Output()
        do {
            try answer(on: output)
        } catch {
            // What was found before is part of the answer.
            try output.flush()
            throw error
        }
        try output.flush()
    }
}
