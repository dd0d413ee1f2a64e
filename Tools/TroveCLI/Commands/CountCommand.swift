import ArgumentParser
import Trove
import TroveStoreTools

struct CountCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Prints how many records of a model there are.",
        discussion: """
            The number is an answer, so the status is 0 whatever it is. How many there are of each kind tells 'trove group', as by --by artist.

            Example: trove count music.store Song "year between 1950 and 1959"
            """)

    @OptionGroup var argument: StoreArgument
    @OptionGroup var query: QueryArguments
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        let count = try argument.read { store in
            let models = try StoreModels(store)
            if query.criteria == nil { return try store.counts()[models[query.model].name] ?? 0 }
            return try store.read { transaction in
                let count = try query.fetch(from: transaction, models).count()
                try QueryAdvice.tell(query.criteria, found: count, of: models[query.model], in: transaction)
                return count
            }
        }
        // A number alone is all that most want.
        guard let format = options.format ?? ShellSession.current?.format, format != .table, format != .line else { return try output.line(String(count)) }
        let sheet = options.sheet([Column("count")], on: output)
        try sheet.add([.int(Int64(count))])
        try sheet.finish()
    }
}
