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
        try changes.change(argument, permission, command: "insert", options, on: output) { transaction, models in
            let model = try models[model]
            try forEachText { try EditableObject(json: $0, of: model).insert(in: transaction, model) }
        }
    }

    private func forEachText(_ body: (String) throws -> Void) throws {
        if !objects.isEmpty { return try objects.forEach(body) }
        try ShellSession.checkInput()
        let isTyped = Passphrase.canAsk
        if isTyped { Output.hint("an object on each line, as JSON; control-D ends them, control-C drops them all") }
        while let line = try isTyped ? TypedInput.line() : readLine() {
            if !line.allSatisfy(\.isWhitespace) { try body(line) }
        }
    }
}
