import ArgumentParser
import Trove
import TroveStoreTools

struct GetCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Shows one record by its id.",
        discussion: """
            The id is written as find shows it, or as its JSON: an id of several values as ["main","curl"]. The status is 1 when there is no such record.

            Example: trove get music.store Album "Kind of Blue"
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model's or collection's name.")
    var model: String
    @Argument(help: "The id.")
    var id: String
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.read { store in
            let model = try StoreModels(store)[model]
            guard let record = try store.read({ try $0.storedRecord(of: model.name, key: model.key(of: id)) }) else {
                throw CommandError.noSuchRecords(of: model, [id])
            }
            let format = options.format(for: output, usual: .line)
            if format == .json || format == .jsonl {
                let json = RecordJSON(model, JSONText(isForTerminal: output.terminal.isTerminal))
                let sheet = JSONSheet([], on: output, isArray: false)
                try sheet.addObject { try json.append(record, to: &$0) }
                return try sheet.finish()
            }
            let attributes = DocumentRecord.attributes(of: record).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let selection = RecordSelection(allOf: model, attributes: attributes)
            let sheet = options.sheet(selection.columns, on: output, usual: .line)
            try sheet.add(selection.row(of: record))
            try sheet.finish()
        }
    }
}
