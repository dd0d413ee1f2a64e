import ArgumentParser
import Trove
import TroveStoreTools

struct DeleteCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes objects of a model, or documents of a collection, by their ids or a condition.",
        discussion: """
            Delete rules take others along, or deny it; what is deleted and changed is shown, and --dry-run shows it before. All are deleted or none. \
            Ids that are not there are told. The status is 1 when there is none of them, or a rule denies it. A damaged record can be deleted too: 'trove verify' has its id.

            Example: trove delete music.store Song 3 --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model's or collection's name.")
    var model: String
    @Argument(help: "The ids; none with --where.")
    var ids: [String] = []
    @OptionGroup var choice: ConditionOptions
    @OptionGroup var permission: WriteFlag
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if ids.isEmpty, choice.condition == nil { throw ValidationError("say which: by ids, or by --where and a condition") }
        if !ids.isEmpty, choice.condition != nil { throw ValidationError("--where takes the place of ids; say one of them") }
    }

    func answer(on output: Output) throws {
        var damaged: StoredModel?
        try changes.change(argument, permission, command: "delete", options, on: output) { transaction, models in
            let model = try models[model]
            let ids = try choice.condition.map { try choice.ids($0, of: model, in: transaction) } ?? present(model, in: transaction)
            for id in ids where try Self.isDamaged(id, of: model, in: transaction) { damaged = model }
            if model.isCollection {
                try transaction.documents(model.name).delete(ids: ids.compactMap { id in if case .objectID(let id) = id { id } else { nil } })
            } else {
                try transaction.documents(of: model.name).delete(ids: ids)
            }
        } afterwards: { store in
            // Nobody can tell any more what the indexes have of it.
            guard let damaged else { return }
            try ProgressLine.during("Building") { progress in try store.buildIndexes { try progress.update($0) } }
            if !damaged.isCollection, try store.indexes(of: damaged.name).contains(where: { $0.state != .ready && $0.state != .dropping }) {
                Output.tell(
                    "the indexes of \(damaged.name) are built anew when a program that has \(damaged.name) opens the store; until then queries read all records"
                )
            }
        }
    }

    /// The ids that were given and are there.
    private func present(_ model: StoredModel, in transaction: WriteTransaction) throws -> [StoredValue] {
        let known = try ids.map { (text: $0, id: try model.id(of: $0)) }
        let missing = try known.filter { try !EditableObject.exists($0.id, of: model, in: transaction) }.map(\.text)
        let absence = CommandError.noSuchRecords(of: model, missing)
        if missing.count == ids.count { throw absence }
        if !missing.isEmpty { Output.tell(absence) }
        return known.map(\.id)
    }

    private static func isDamaged(_ id: StoredValue, of model: StoredModel, in transaction: WriteTransaction) throws -> Bool {
        do {
            _ = try EditableObject(id, of: model, in: transaction)
            return false
        } catch TroveError.corruptRecord {
            return true
        }
    }
}
