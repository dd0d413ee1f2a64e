import ArgumentParser
import Trove
import TroveStoreTools

struct ModelsCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "Lists the properties of models and collections: types, rules, relationships, indexes.",
        discussion: """
            A row for each property; of a collection one for each path that its documents have, as conditions have it, with the kind of its values, how many there are, and \
            how many documents have none. The index of every path finds them all.

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
                let sheet = options.sheet(
                    ["model", "version", "property", "type", "count", "missing", "rules", "refers to", "indexes"].map { Column($0) }, on: output)
                for model in chosen {
                    for fact in try rows(of: model, in: store) {
                        let version: StoredValue = fact.version.map { .int(Int64($0)) } ?? .null
                        try sheet.add([.string(model.name), version, fact.property, fact.type] + fact.counts + [fact.rules, fact.target, fact.indexes])
                    }
                }
                try sheet.finish()
            }
            if chosen.isEmpty { throw ExitStatus.negative }
        }
    }

    /// What a table has of a model, and of a collection, whose paths have no rules.
    private static func columns(of model: StoredModel) -> [String] {
        model.isCollection ? ["property", "kind", "count", "missing", "index"] : ["property", "type", "rules", "refers to", "indexes"]
    }

    /// A model's name stands above its properties, which have the whole width then.
    private func writeTable(_ model: StoredModel, of store: ObjectStore, isFirst: Bool, on output: Output) throws {
        var (sheet, shown): ((any Sheet)?, Int?) = (nil, nil)
        for fact in try rows(of: model, in: store) {
            if sheet == nil || fact.version != shown {
                if let sheet { try sheet.finish() }
                if !isFirst || sheet != nil { try output.line("") }
                try output.line(output.terminal.bold(TerminalText.escaped(model.name) + (fact.version.map { ", version \($0)" } ?? "")))
                (sheet, shown) = (options.sheet(Self.columns(of: model).map { Column($0) }, on: output), fact.version)
            }
            let row =
                model.isCollection
                ? [fact.property, fact.type] + fact.counts + [fact.indexes] : [fact.property, fact.type, fact.rules, fact.target, fact.indexes]
            // Lists without the signs of JSON are shorter and as clear.
            try sheet?.add(row.map { value in
                guard case .array(let elements)? = value else { return value }
                return .string(elements.array.map { if case .string(let text) = $0 { text } else { "\($0)" } }.joined(separator: "; "))
            })
        }
        try sheet?.finish()
    }

    /// What is to tell of a property.
    private struct Fact {
        let version: Int?
        let property: StoredValue
        let type: StoredValue
        /// How many values there are, and how many documents have none.
        let counts: [StoredValue?]
        let rules: StoredValue
        let target: StoredValue
        let indexes: StoredValue
    }

    private func rows(of model: StoredModel, in store: ObjectStore) throws -> [Fact] {
        let indexes = try store.indexes(of: model.name)
        func list(_ texts: [String]) -> StoredValue { texts.isEmpty ? .null : .array(texts.map { .string($0) }) }
        return try PropertyFacts.all(of: model, in: store).map { facts in
            let names = indexes.filter { index in
                // The index of all paths has each but the id, which is the record's key.
                if case .paths(let indexing) = index.schema.kind { return indexing == .all && facts.property != StoredModel.idName }
                return index.schema.parts.contains { part in "\(part.path)" == facts.property }
            }
            return Fact(
                version: facts.version, property: .string(facts.property), type: .string(facts.type),
                counts: [facts.count, facts.missing].map { $0.map { .int(Int64($0)) } },
                rules: list(facts.rules), target: facts.target.map { .string($0) } ?? .null, indexes: list(names.map(\.schema.name)))
        }
    }
}
