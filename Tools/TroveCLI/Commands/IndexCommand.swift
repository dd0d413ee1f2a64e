import ArgumentParser
import Trove

struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Lists a store's indexes, makes those of collections, drops those made at run time.",
        discussion: "Example: trove index list music.store",
        subcommands: [IndexListCommand.self, IndexCreateCommand.self, IndexDropCommand.self])
}

struct IndexListCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists indexes with what they hold.", discussion: "Example: trove index list music.store Song")

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model or collection; all without one.")
    var model: String?
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.read { store in
            let indexes = try model.map { try store.indexes(of: StoreModels(store)[$0].name) } ?? store.indexStatistics()
            let sheet = options.sheet(["model", "index", "kind", "parts", "made by", "state", "entries", "bytes"].map { Column($0) }, on: output)
            for index in indexes {
                try sheet.add([
                    .string(index.model), .string(index.schema.name), .string(Self.kind(index.schema.kind)), .string(index.schema.parts.map(Self.text).joined(separator: ", ")),
                    .string(Self.maker(index)), .string(Self.state(index.state)), .int(Int64(index.entries)), .int(Int64(index.bytes)),
                ])
            }
            try sheet.finish()
            if indexes.isEmpty { throw ExitStatus.negative }
        }
    }

    /// What made an index: a model's declaration, somebody at run time, or Trove, for bags and for the documents of a collection.
    private static func maker(_ index: IndexStatistics) -> String {
        if !index.isDeclared { return "run time" }
        if case .paths = index.schema.kind { return "Trove" }
        return index.model.hasPrefix("$") ? "Trove" : "model"
    }

    private static func kind(_ kind: IndexSchema.Kind) -> String {
        switch kind {
        case .ordered(let isUnique): isUnique ? "unique" : "ordered"
        case .blind(let options): options.isUnique ? "blind, unique" : "blind, \(options.bits) bits" + (options.spread > 1 ? " spread over \(options.spread)" : "")
        case .fullText: "words"
        case .paths: "every path"
        case .substring: "parts of texts"
        }
    }

    private static func text(_ part: IndexPart) -> String {
        (part.indexesValues ? "values of " : "") + "\(part.path)" + (part.direction == .descending ? " desc" : "") + (part.ignoringCase ? " ignoring case" : "")
    }

    private static func state(_ state: IndexState) -> String {
        switch state {
        case .building: "building"
        case .ready: "ready"
        case .dropping: "being removed"
        }
    }
}

struct IndexCreateCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes an index of a collection of documents and builds it.",
        discussion: "Example: trove index create music.store notes \"by author\" \"author.name, rating desc\" --write")

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The collection.")
    var collection: String
    @Argument(help: "The index's name.")
    var name: String
    @Argument(help: "Its paths with commas between, each with 'desc' or 'ignoring case' behind it where wanted.")
    var paths: String
    @Flag(help: "Let no two documents have the same values.")
    var unique = false
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        try permission.change(argument, command: "index create") { store in
            let model = try StoreModels(store)[collection]
            guard model.isCollection else { throw CommandError.notACollection(name: collection) }
            let parts = try Query("", criteria: "order by " + paths).sort.map { IndexPart($0.path, $0.direction, ignoringCase: $0.ignoringCase) }
            let progress = ProgressLine("Building")
            try store.createIndex(IndexSchema(name, kind: .ordered(isUnique: unique), parts: parts), of: model.name) { try progress.update($0) }
        }
    }
}

struct IndexDropCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drops an index that was made at run time, of any model.",
        discussion: "Example: trove index drop music.store notes \"by author\" --write")

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model or collection.")
    var model: String
    @Argument(help: "The index's name.")
    var name: String
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        try permission.change(argument, command: "index drop") { store in try store.dropIndex(named: name, of: StoreModels(store)[model].name) }
    }
}
