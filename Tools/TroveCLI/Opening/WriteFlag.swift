import ArgumentParser
import Trove

/// The permission to change a store.
struct WriteFlag: ParsableArguments {
    @Flag(help: "Allow the command to change the store.")
    var write = false

    /// Whether this command, or the shell that it is given in, may change the store.
    var isGiven: Bool { write || ShellSession.current?.allowsChanges == true }

    /// Calls `body` with the store, open for writing, and closes it.
    ///
    /// - Throws: ``CommandError/needsWrite(command:)`` without permission.
    func change<Result>(_ argument: StoreArgument, command: String, _ body: (ObjectStore) throws -> Result) throws -> Result {
        try check(command)
        return try argument.change(body)
    }

    /// - Throws: ``CommandError/needsWrite(command:)`` without permission.
    func check(_ command: String) throws {
        guard isGiven else { throw CommandError.needsWrite(command: command) }
    }
}
