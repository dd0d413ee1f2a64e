import ArgumentParser
import Trove
import TroveStoreTools

/// How a command changes objects, and shows what it changed.
struct ChangeOptions: ParsableArguments {
    @OptionGroup var permission: WriteFlag
    @Flag(help: "Show what would change, with what rules take along; change nothing. It needs no --write.")
    var dryRun = false
    @OptionGroup var output: OutputOptions

    /// - Throws: ``CommandError/needsWrite(command:)`` without permission.
    func check(_ command: String) throws {
        if !dryRun { try permission.check(command) }
    }

    /// Calls `body` in a transaction of the store, and shows a row for each object that it changed, whatever did that.
    ///
    /// - Throws: ``CommandError/needsWrite(command:)`` without permission; ``ExitStatus/negative`` when nothing changed.
    func change(_ argument: StoreArgument, command: String, on output: Output, _ body: (WriteTransaction, StoreModels) throws -> Void) throws {
        try check(command)
        let rows = try argument.change { store in
            try RecordedChange.changing(store, keeps: !dryRun, body).map { [.string($0.kind.rawValue), .string($0.isBag ? "a bag" : $0.modelName), $0.id] }
        }
        if rows.isEmpty { throw ExitStatus.negative }
        let sheet = self.output.sheet(["change", "model", "id"].map { Column($0, isData: $0 == "id") }, on: output)
        for row in rows { try sheet.add(row) }
        try sheet.finish()
    }
}
