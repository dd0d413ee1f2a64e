import ArgumentParser
import Trove
import TroveStoreTools

struct InfoCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Tells a store's engine, format, sizes, durability and models.",
        discussion: "Example: trove info music.store")

    @OptionGroup var argument: StoreArgument
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.with(.readOnly) { open in
            let facts = try StoreFacts(open.store, isEncrypted: open.encryption != nil)
            switch options.format(for: output, usual: .line) {
            case .json, .jsonl:
                let sheet = options.sheet(facts.names.map { Column($0) }, on: output)
                try sheet.add(facts.values)
                try sheet.finish()
            case .line:
                let sheet = LineSheet(facts.lines.map { Column($0.name) }, on: output)
                try sheet.add(facts.lines.map { .string($0.text) })
                try sheet.finish()
            case .table, .csv, .md:
                let sheet = options.sheet([Column("what"), Column("value")], on: output)
                for (name, text) in facts.lines { try sheet.add([.string(name), .string(text)]) }
                try sheet.finish()
            }
        }
    }
}
