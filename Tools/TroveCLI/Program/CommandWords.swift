import ArgumentParser
import Foundation
import Trove

/// The words of a command line that name commands.
enum CommandWords {
    /// What the commands are called elsewhere.
    private static let synonyms = [
        "list": "find", "ls": "find", "select": "find", "query": "find", "search": "find", "where": "find", "show": "get", "read": "get", "stats": "info",
        "status": "info", "schema": "models", "tables": "models", "describe": "models", "average": "group", "avg": "group", "sum": "group", "min": "group",
        "max": "group", "distinct": "group", "update": "set", "put": "set", "add": "insert", "create": "insert", "new": "insert", "remove": "delete",
        "rm": "delete", "drop": "delete", "dump": "export", "load": "import", "check": "verify", "repair": "doctor", "vacuum": "compact", "compare": "diff",
        "repl": "shell", "open": "shell", "console": "shell", "web": "serve", "convert": "copy", "indexes": "index",
    ]

    /// The command that is called so elsewhere; nil where none is known.
    static func meant(by word: String) -> String? { synonyms[word.lowercased()] }

    /// Looks whether the words that stand where commands do are some.
    ///
    /// - Throws: ``CommandError/noSuchCommand(name:known:)``; ``CommandError/noCommand(file:)``.
    static func check(_ arguments: [String]) throws {
        var configuration = TroveCommand.configuration
        var depth = 0
        for word in arguments {
            // Options stand behind commands; what is before them is the parser's business.
            guard !configuration.subcommands.isEmpty, !word.hasPrefix("-") else { return }
            if word == "help" { continue }
            guard let next = configuration.subcommand(named: word) else {
                // What stands behind a command that has one for most purposes is that one's.
                if configuration.defaultSubcommand != nil,
                    NearName.nearest(to: word, in: configuration.subcommandNames).isEmpty || FileManager.default.fileExists(atPath: word)
                {
                    return
                }
                if depth == 0, meant(by: word) == nil, FileManager.default.fileExists(atPath: word) { throw CommandError.noCommand(file: word) }
                throw CommandError.noSuchCommand(name: word, known: configuration.subcommandNames)
            }
            configuration = next.configuration
            depth += 1
        }
    }
}

extension CommandConfiguration {
    /// The names of the commands below one, without other ones that they may have.
    var subcommandNames: [String] { subcommands.map { $0._commandName } + ["help"] }

    func subcommand(named name: String) -> (any ParsableCommand.Type)? {
        subcommands.first { $0._commandName == name || $0.configuration.aliases.contains(name) }
    }
}
