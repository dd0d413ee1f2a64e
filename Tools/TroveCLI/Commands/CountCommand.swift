import ArgumentParser
import Trove
import TroveStoreTools

struct CountCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Prints how many records of a model there are.",
        discussion: """
            How many there are of each kind tells 'trove group', as by --by artist.

            Example: trove count music.store Song "year between 1950 and 1959"
            """)

    @OptionGroup var argument: StoreArgument
    @OptionGroup var query: QueryArguments

    func answer(on output: Output) throws {
        let count = try argument.read { store in
            let models = try StoreModels(store)
            if query.criteria == nil { return try store.counts()[models[query.model].name] ?? 0 }
            return try query.fetch(from: store, models).count()
        }
        try output.line(String(count))
    }
}
