import ArgumentParser
import Trove
import TroveStoreTools

struct BagsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bags", abstract: "Lists bags and shows their members.",
        discussion: "Example: trove bags list music.store",
        subcommands: [BagsListCommand.self, BagsShowCommand.self], defaultSubcommand: BagsListCommand.self)
}

struct BagsListCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists bags with the number of their members.", discussion: "Example: trove bags list music.store")

    @OptionGroup var argument: StoreArgument
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.read { store in
            let sheet = options.sheet(["name", StoredModel.idName, "members"].map { Column($0) }, on: output)
            let bags = try store.bags()
            for bag in bags { try sheet.add([bag.name.map { .string($0) } ?? .null, .objectID(bag.id), .int(Int64(bag.count))]) }
            try sheet.finish()
            if bags.isEmpty { throw ExitStatus.negative }
        }
    }
}

struct BagsShowCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a bag's members in their order.", discussion: "Example: trove bags show music.store tonight")

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The bag's name, or its id.")
    var bag: String
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.read { store in
            let found = try store.bag(named: bag) ?? ObjectID(bag).flatMap { try store.bag(id: $0) }
            guard let found else { throw CommandError.noSuchBag(name: bag) }
            let models = try StoreModels(store)
            let sheet = options.sheet(["position", "model", StoredModel.idName].map { Column($0) }, on: output)
            for (position, member) in found.members.enumerated() {
                try sheet.add([.int(Int64(position)), .string(member.modelName), models.id(of: member)])
            }
            try sheet.finish()
        }
    }
}
