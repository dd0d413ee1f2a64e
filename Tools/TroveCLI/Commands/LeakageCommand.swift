import ArgumentParser
import Trove
import TroveStoreTools

struct LeakageCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "leakage", abstract: "Tells what the indexes show of encrypted properties to somebody without the keys.",
        discussion: """
            It reads all objects of the models that have some. The status is 1 when no index is about an encrypted property.

            Example: trove leakage ward.store --field-passphrase-env WARD
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The model; all without it.")
    var model: String?
    @OptionGroup var options: OutputOptions

    private static let columns = ["model", "index", "shows", "entries", "hashes", "largest", "values", "warnings"]

    func answer(on output: Output) throws {
        try argument.read { store in
            let models = try StoreModels(store)
            let names = try model.map { [try models[$0].name] } ?? models.all.filter { !$0.isCollection }.map(\.name)
            let found = try names.flatMap { try store.leakage(ofModelNamed: $0) }
            let sheet = options.sheet(Self.columns.map { Column($0) }, on: output)
            for index in found { try sheet.add(Self.row(index)) }
            try sheet.finish()
            if found.isEmpty { throw ExitStatus.negative }
        }
    }

    private static func row(_ index: IndexLeakage) -> [StoredValue?] {
        let shows =
            switch index.exposure {
            case .hashes(let options): "hashes of \(options.bits) bits"
            case .values: "the values, in order"
            case .words: "the words"
            }
        let counts = [index.entries, index.distinctHashes, index.largestHash, index.distinctValues].map { StoredValue.int(Int64($0)) }
        return [.string(index.model), .string(index.index), .string(shows)] + counts + [.array(index.warnings.map { .string($0) })]
    }
}
