import ArgumentParser
import Foundation
import Trove
import TroveStoreTools

struct InsertCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert", abstract: "Stores new objects of a model, or documents of a collection.",
        discussion: """
            An object is JSON as find shows it; its id is $id, made where the model makes ids. Every property is checked. Without an argument each line of standard input is one, \
            and all are stored or none.

            Example: trove insert music.store Song '{"$id":5,"title":"Nardis","artist":"Bill Evans","year":1961,"tags":[],"album":"Kind of Blue"}' --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model's or collection's name.")
    var model: String
    @Argument(help: "The objects, each as JSON; those of standard input without one.")
    var objects: [String] = []
    @OptionGroup var permission: WriteFlag
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        // An engine may run the transaction again, and standard input is read once.
        var (texts, hasAll) = (objects, !objects.isEmpty)
        try changes.change(argument, permission, command: "insert", options, on: output) { transaction, models in
            let model = try models[model]
            func insert(_ text: String) throws { try EditableObject(json: text, of: model).insert(in: transaction, model) }
            try texts.forEach(insert)
            if hasAll { return }
            try forEachLine(isFirst: texts.isEmpty) { line in
                texts.append(line)
                try insert(line)
            }
            hasAll = true
        }
    }

    /// - Parameter isFirst: whether nothing has been read before; a person is then told what to type.
    private func forEachLine(isFirst: Bool, _ body: (String) throws -> Void) throws {
        try ShellSession.checkInput()
        let isTyped = TypedInput.isThere
        if isTyped, isFirst { Output.hint("an object on each line, as JSON; control-D ends them, control-C drops them all") }
        while let line = try isTyped ? TypedInput.line() : InputLines.next() {
            if !line.allSatisfy(\.isWhitespace) { try body(line) }
        }
    }
}
