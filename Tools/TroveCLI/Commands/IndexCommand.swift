import ArgumentParser
import Trove
import TroveStoreTools

struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Lists a store's indexes, makes and rebuilds those of collections, drops those made at run time.",
        discussion: "Example: trove index list music.store",
        subcommands: [IndexListCommand.self, IndexCreateCommand.self, IndexRebuildCommand.self, IndexDropCommand.self], defaultSubcommand: IndexListCommand.self
    )
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
                    .string(index.model), .string(index.schema.name), .string(index.kindText), .string(index.partsText),
                    .string(index.makerText), .string(index.stateText), .int(Int64(index.entries)), .int(Int64(index.bytes)),
                ])
            }
            try sheet.finish()
            if indexes.isEmpty { throw ExitStatus.negative }
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
    @Argument(help: "Its paths with commas between, each with 'desc' or 'ignoring case and accents' behind it where wanted.")
    var paths: String
    @Flag(help: "Let no two documents have the same values.")
    var unique = false
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        try permission.change(argument, command: "index create") { store in
            let model = try StoreModels(store)[collection]
            guard model.isCollection else { throw CommandError.notACollection(name: collection) }
            let parts = try QueryText.sortKeys(paths).map { IndexPart($0.path, $0.direction, ignoring: $0.ignoring) }
            try ProgressLine.during("Building") { progress in
                try store.createIndex(IndexSchema(name, kind: .ordered(isUnique: unique), parts: parts), of: model.name) { try progress.update($0) }
            }
        }
    }
}

struct IndexRebuildCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Builds a collection's index of all paths and its full text anew, as after damage.",
        discussion: """
            The other indexes of a collection were made by 'index create': drop them and create them again. Those of a model are built anew by the program that has it.

            Example: trove index rebuild music.store notes --write
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The collection.")
    var collection: String
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        try permission.change(argument, command: "index rebuild") { store in
            let model = try StoreModels(store)[collection]
            guard model.isCollection else { throw CommandError.notACollection(name: collection) }
            try ProgressLine.during("Building") { progress in try store.documents(model.name).rebuildIndex { try progress.update($0) } }
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
