import ArgumentParser
import Trove
import TroveStoreTools

/// How a command changes objects, and shows what it changed.
struct ChangeOptions: ParsableArguments {
    @Flag(help: "Show what would change, with what rules take along; change nothing. It needs no --write.")
    var dryRun = false
    @Flag(help: "Show the values too: those before, and those now; of a changed object the ones that differ.")
    var values = false

    /// - Throws: ``CommandError/needsWrite(command:)`` without permission.
    func check(_ permission: WriteFlag, command: String) throws {
        if !dryRun { try permission.check(command) }
    }

    /// Calls `body` in a transaction of the store, and shows a row for each object that it changed, whatever did that.
    ///
    /// - Parameter afterwards: is called with the store when the changes are stored.
    /// - Throws: ``CommandError/needsWrite(command:)`` without permission; ``ExitStatus/negative`` when nothing changed.
    func change(
        _ argument: StoreArgument, _ permission: WriteFlag, command: String, _ options: OutputOptions, on output: Output,
        _ body: (WriteTransaction, StoreModels) throws -> Void, afterwards: (ObjectStore) throws -> Void = { _ in }
    ) throws {
        try check(permission, command: command)
        let count = try argument.change { store in
            var known: [StoredModel] = []
            let changes = try RecordedChange.changing(store, keeps: !dryRun, withRecords: values) { transaction, models in
                try body(transaction, models)
                known = values ? try StoreModels(transaction).all : []
            }
            // What is stored is shown whatever becomes of the rest, and the rest done whether anybody reads that or not.
            let showing = Result { try show(changes, known, options, on: output) }
            if !dryRun { try afterwards(store) }
            try showing.get()
            return changes.count
        }
        if count == 0 { throw ExitStatus.negative }
    }

    private func show(_ changes: [RecordedChange], _ models: [StoredModel], _ options: OutputOptions, on output: Output) throws {
        if changes.isEmpty { return }
        let names = ["change", "model", "id"] + (values ? ["before", "values"] : [])
        let sheet = options.sheet(names.map { Column($0, isData: $0 == "id") }, on: output)
        for change in changes { try sheet.add(row(of: change, models.first { $0.name == change.modelName })) }
        try sheet.finish()
        try output.flush()
    }

    /// - Parameter model: the model of the object; nil where nobody asked for values, and for a bag.
    private func row(of change: RecordedChange, _ model: StoredModel?) -> [StoredValue?] {
        let row: [StoredValue?] = [.string(change.kind.rawValue), .string(change.isBag ? "a bag" : change.modelName), change.id]
        guard values else { return row }
        guard let model else { return row + [nil, nil] }
        let difference = RecordDifference(from: change.old, to: change.new, of: model)
        return row + [
            change.kind == .inserted ? nil : .object(RecordDifference.byName(difference.before)),
            change.kind == .deleted ? nil : .object(RecordDifference.byName(difference.after)),
        ]
    }
}
