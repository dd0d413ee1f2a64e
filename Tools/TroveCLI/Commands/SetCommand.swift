import ArgumentParser
import Trove
import TroveStoreTools

struct SetCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets properties of an object, or values of a document.",
        discussion: """
            An assignment is a path, '=' and a value: JSON, or a text as it is. null is nil. References are the ids of what they point at. Indexes, inverses and rules follow; \
            what they change too is shown, --values with the values before and now. The status is 1 when nothing changed or there is no such object.

            Example: trove set music.store Song 2 rating=4 'tags=["live"]' --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model's or collection's name.")
    var model: String
    @Argument(help: "The id.")
    var id: String
    @Argument(help: "What to set, as year=1959.")
    var assignments: [String]
    @OptionGroup var changes: ChangeOptions

    func answer(on output: Output) throws {
        try changes.change(argument, command: "set", on: output) { transaction, models in
            let model = try models[model]
            guard var object = try EditableObject(model.id(of: id), of: model, in: transaction) else { throw CommandError.noSuchRecords(of: model, [id]) }
            for assignment in assignments { try object.set(assignment, model) }
            try object.save(in: transaction, model)
        }
    }
}
