import ArgumentParser
import Trove
import TroveStoreTools

/// Which objects a command changes: those of a condition.
struct ConditionOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Take the object of which this is true, in criteria text, in place of an id: it has to be one.", valueName: "criteria"))
    var condition: String?
    @Flag(help: "With --where, take all of them.")
    var all = false

    func validate() throws {
        if all, condition == nil { throw ValidationError("--all goes with --where, which says what is true of the objects; --where true takes each object") }
    }

    /// The ids of the objects of which the condition is true.
    ///
    /// - Throws: ``CommandError/noneMatch(model:isCollection:)``; ``CommandError/severalMatch(model:count:)`` where one is meant.
    func ids(_ condition: String, of model: StoredModel, in transaction: WriteTransaction) throws -> [StoredValue] {
        let found = try transaction.fetchRecords(of: [model.name]).matching(condition).references()
        try QueryAdvice.tell(condition, found: found.count, of: model, in: transaction)
        if found.isEmpty { throw CommandError.noneMatch(model: model.name, isCollection: model.isCollection) }
        if found.count > 1, !all { throw CommandError.severalMatch(model: model.name, count: found.count) }
        return try found.map { try model.ids.value(of: $0.keyBytes) }
    }
}
