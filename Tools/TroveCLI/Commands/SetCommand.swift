import ArgumentParser
import Trove
import TroveStoreTools

struct SetCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets properties of an object, or values of a document, and takes values away.",
        discussion: """
            An assignment is a path, '=' and a value: JSON, or a text as it is; where a text belongs or stands, as in title=1959, it is one. null is nil; --unset takes an attribute away. References are the ids of what they point at. \
            Indexes, inverses and rules follow; what they change too is shown, --values with the values before and now. A name or a kind of value that is new in a collection \
            is told. The status is 1 when nothing changed or there is no such object.

            Example: trove set music.store Song 2 rating=4 'tags=["live"]' --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model's or collection's name.")
    var model: String
    @Argument(help: ArgumentHelp("The id, and what to set, as year=1959; no id with --where.", valueName: "id and assignments"))
    var words: [String] = []
    @Option(help: ArgumentHelp("Take what is at this path away; may be repeated.", valueName: "path"))
    var unset: [String] = []
    @OptionGroup var choice: ConditionOptions
    @OptionGroup var permission: WriteFlag
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var options: OutputOptions

    private var assignments: ArraySlice<String> { choice.condition == nil ? words.dropFirst() : words[...] }

    func validate() throws {
        if words.isEmpty, choice.condition == nil { throw ValidationError("say which: by an id, or by --where and a condition") }
        if assignments.isEmpty, unset.isEmpty {
            throw ValidationError("there is nothing to set; write it behind the id, as year=1959, or take a value away by --unset")
        }
    }

    func answer(on output: Output) throws {
        let assignments = try assignments.map { try Assignment($0) }
        let paths = try unset.map { try Assignment.path($0) }
        try changes.change(argument, permission, command: "set", options, on: output) { transaction, models in
            let model = try models[model]
            var notes = try AssignmentNotes(model, in: transaction)
            let ids = try choice.condition.map { try choice.ids($0, of: model, in: transaction) } ?? [model.id(of: words[0])]
            for id in ids {
                guard var object = try EditableObject(id, of: model, in: transaction) else {
                    throw CommandError.noSuchRecords(of: model, words.prefix(1).map(\.self))
                }
                for path in paths {
                    if object.value(at: path) == nil { notes.missing(path) }
                    try object.unset(path)
                }
                for assignment in assignments {
                    try object.set(assignment, model)
                    try notes.look(at: object.value(at: assignment.path), assignment)
                }
                try object.save(in: transaction, model)
            }
        }
    }
}
