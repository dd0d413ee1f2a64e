import ArgumentParser
import Trove

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
                let rows = try model.isCollection ? documentRows(store, model) : modelRows(model)
                for row in rows {
                    let names = indexes.filter { $0.schema.parts.contains { "\($0.path)" == row.property } }.map { StoredValue.string($0.schema.name) }
                    try sheet.add([
                        .string(model.name), row.version.map { .int(Int64($0)) } ?? .null, .string(row.property), .string(row.type), row.rules, row.target,
                        names.isEmpty ? .null : .array(names),
                    ])
                }
            }
            try sheet.finish()
            if chosen.isEmpty { throw ExitStatus.negative }
        }
    }

    private struct Row {
        let version: Int?
        let property: String
        let type: String
        var rules = StoredValue.null
        var target = StoredValue.null
    }

    /// The id, and the properties of each layout that records have.
    private func modelRows(_ model: StoredModel) throws -> [Row] {
        try model.layouts.flatMap { layout in
            let id = Row(version: layout.version, property: StoredModel.idName, type: layout.idType)
            let described = try layout.jsonValue().value(at: "fields")
            guard case .array(let fields)? = described else { return [id] }
            return [id] + fields.array.map { field in Self.row(field, version: layout.version) }
        }
    }

    /// A property as the catalogue describes it.
    private static func row(_ field: StoredValue, version: Int) -> Row {
        func text(_ path: String) -> String? { field.value(at: path).flatMap { if case .string(let text) = $0 { text } else { nil } } }
        var rules: [StoredValue] = []
        if case .array(let saving)? = field.value(at: "saving") { rules += saving.array }
        if field.value(at: "default") == .bool(true) { rules.append(.string("default")) }
        if let original = text("original") { rules.append(.string("was \(original)")) }
        var target: String?
        if field.value(at: "relationship") != nil {
            target = text("relationship.target") ?? "any model"
            if let inverse = text("relationship.inverse") { target?.append(", inverse \(inverse)") }
            if let rule = text("relationship.deleteRule"), rule != "nullify" { target?.append(", deletes: \(rule)") }
        }
        return Row(
            version: version, property: text("name") ?? "", type: text("type") ?? "", rules: rules.isEmpty ? .null : .array(rules),
            target: target.map { .string($0) } ?? .null)
    }

    private func documentRows(_ store: ObjectStore, _ model: StoredModel) throws -> [Row] {
        let id = Row(version: nil, property: StoredModel.idName, type: model.idType)
        return try [id] + store.documents(model.name).attributes().map { attribute in
            let kinds = DocumentAttribute.Kind.allCases.compactMap { kind in attribute.kinds[kind].map { "\($0) \(kind.rawValue)" } }
            return Row(version: nil, property: attribute.path, type: kinds.joined(separator: ", "))
        }
    }
}
