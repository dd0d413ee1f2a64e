import ArgumentParser
import Trove
import TroveStoreTools

struct ModelsCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "Lists the properties of models and collections: types, rules, relationships, indexes.",
        discussion: """
            A row for each property; of a collection one for each path that its documents have, with how many values of which kind.

            Example: trove models music.store Song
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The models to list; all without one.")
    var models: [String] = []
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.read { store in
            let known = try StoreModels(store)
            let chosen = try models.isEmpty ? known.all : models.map { try known[$0] }
            let sheet = options.sheet(["model", "version", "property", "type", "rules", "refers to", "indexes"].map { Column($0) }, on: output)
            for model in chosen {
                let indexes = try store.indexes(of: model.name)
                for row in try PropertyFacts.all(of: model, in: store) {
                    let names = indexes.filter { $0.schema.parts.contains { "\($0.path)" == row.property } }.map { StoredValue.string($0.schema.name) }
                    try sheet.add([
                        .string(model.name), row.version.map { .int(Int64($0)) } ?? .null, .string(row.property), .string(row.type), row.rules.isEmpty ? .null : .array(row.rules.map { .string($0) }),
                        row.target.map { .string($0) } ?? .null,
                        names.isEmpty ? .null : .array(names),
                    ])
                }
            }
            try sheet.finish()
            if chosen.isEmpty { throw ExitStatus.negative }
        }
    }
}
