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
            if options.format(for: output) == .table {
                for (position, model) in chosen.enumerated() { try writeTable(model, of: store, isFirst: position == 0, on: output) }
            } else {
                let sheet = options.sheet((["model", "version"] + Self.columns).map { Column($0) }, on: output)
                for model in chosen {
                    for (version, row) in try rows(of: model, in: store) { try sheet.add([.string(model.name), version.map { .int(Int64($0)) } ?? .null] + row) }
                }
                try sheet.finish()
            }
            if chosen.isEmpty { throw ExitStatus.negative }
        }
    }

    private static let columns = ["property", "type", "rules", "refers to", "indexes"]

    /// A model's name stands above its properties, which have the whole width then.
    private func writeTable(_ model: StoredModel, of store: ObjectStore, isFirst: Bool, on output: Output) throws {
        var (sheet, shown): ((any Sheet)?, Int?) = (nil, nil)
        for (version, row) in try rows(of: model, in: store) {
            if sheet == nil || version != shown {
                if let sheet { try sheet.finish() }
                if !isFirst || sheet != nil { try output.line("") }
                try output.line(output.terminal.bold(TerminalText.escaped(model.name) + (version.map { ", version \($0)" } ?? "")))
                (sheet, shown) = (options.sheet(Self.columns.map { Column($0) }, on: output), version)
            }
            // Lists without the signs of JSON are shorter and as clear.
            try sheet?.add(row.map { value in
                guard case .array(let elements)? = value else { return value }
                return .string(elements.array.map { if case .string(let text) = $0 { text } else { "\($0)" } }.joined(separator: "; "))
            })
        }
        try sheet?.finish()
    }

    /// The rows of a model, each with the version of its layout.
    private func rows(of model: StoredModel, in store: ObjectStore) throws -> [(version: Int?, row: [StoredValue?])] {
        let indexes = try store.indexes(of: model.name)
        return try PropertyFacts.all(of: model, in: store).map { facts in
            let names = indexes.filter { $0.schema.parts.contains { "\($0.path)" == facts.property } }.map { StoredValue.string($0.schema.name) }
            return (
                facts.version,
                [
                    .string(facts.property), .string(facts.type), facts.rules.isEmpty ? .null : .array(facts.rules.map { .string($0) }), facts.target.map { .string($0) } ?? .null,
                    names.isEmpty ? .null : .array(names),
                ]
            )
        }
    }
}
