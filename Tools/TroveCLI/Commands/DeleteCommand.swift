import ArgumentParser
import Trove
import TroveStoreTools

struct DeleteCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes objects of a model, or documents of a collection, by their ids.",
        discussion: """
            Delete rules take others along, or deny it; what is deleted and changed is shown, and --dry-run shows it before. All are deleted or none. \
            Ids that are not there are told. The status is 1 when there is none of them, or a rule denies it.

            Example: trove delete music.store Song 3 --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model's or collection's name.")
    var model: String
    @Argument(help: "The ids.")
    var ids: [String]
    @OptionGroup var changes: ChangeOptions

    func answer(on output: Output) throws {
        try changes.change(argument, command: "delete", on: output) { transaction, models in
            let model = try models[model]
            let missing = try ids.filter { try EditableObject(model.id(of: $0), of: model, in: transaction) == nil }
            let absence = CommandError.noSuchRecords(of: model, missing)
            if missing.count == ids.count { throw absence }
            if !missing.isEmpty { try Output.tell(absence) }
            let ids = try ids.map { try model.id(of: $0) }
            if model.isCollection {
                try transaction.documents(model.name).delete(ids: ids.compactMap { id in if case .objectID(let id) = id { id } else { nil } })
            } else {
                try transaction.documents(of: model.name).delete(ids: ids)
            }
        }
    }
}
