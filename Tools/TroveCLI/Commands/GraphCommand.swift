import ArgumentParser
import Foundation
import TroveStoreTools

struct GraphCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph", abstract: "Draws the models and collections, and what refers to what, as SVG.",
        discussion: """
            A box for each model with its properties, and a line from each relationship to what it refers to, with an arrow for one object and a fork for many; a line \
            with a mark at both ends is a relationship and its inverse. A browser shows what a line says. The same store gives the same drawing.

            Example: trove graph music.store > music.svg
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The models to draw; all without one.")
    var models: [String] = []

    func answer(on output: Output) throws {
        try argument.read { store in
            let known = try StoreModels(store)
            let chosen = try models.isEmpty ? known.all : models.map { try known[$0] }
            let name = URL(fileURLWithPath: argument.store).lastPathComponent
            try output.write(ModelGraph(chosen, in: store).svg(title: "The models of \(name)"))
            if chosen.isEmpty { throw ExitStatus.negative }
        }
    }
}
