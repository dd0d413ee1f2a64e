import ArgumentParser
import Trove
import TroveStoreTools

struct GroupCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Counts, adds up and averages records, by the values that they share.",
        discussion: """
            --by says what the records of a group share; without it all are one group. What is asked of each stands in columns: count, sum(year), average(rating), minimum(year), \
            maximum(year), distinct(artist), which is how many different values there are; count alone where nothing is asked. nil takes no part, but as the value of a group. \
            Paths stand with commas between, as artist,author.name; $id is the id.

            --having and --sort name the columns as they are called, or by their function alone where it has one column. Groups come in the order of their values, nil \
            first. A limit in the criteria is one of records, --limit one of groups; a table on a terminal shows the first 100. The status is 1 when there are none.

            Example: trove group music.store Song "year > 1950" --by artist --count --average rating --having "count > 0" --sort "average(rating) desc, artist" --limit 3
            """,
        aliases: ["aggregate"])

    @OptionGroup var argument: StoreArgument
    @OptionGroup var query: QueryArguments
    @Option(help: ArgumentHelp("What the records of a group share; may be repeated.", valueName: "paths"))
    var by: [String] = []
    @Flag(help: "How many records there are.")
    var count = false
    @Option(help: ArgumentHelp("The sum of the numbers at each path.", valueName: "paths"))
    var sum: [String] = []
    @Option(name: [.customLong("average"), .customLong("avg")], help: ArgumentHelp("Their average.", valueName: "paths"))
    var average: [String] = []
    @Option(name: [.customLong("minimum"), .customLong("min")], help: ArgumentHelp("The least value.", valueName: "paths"))
    var minimum: [String] = []
    @Option(name: [.customLong("maximum"), .customLong("max")], help: ArgumentHelp("The greatest value.", valueName: "paths"))
    var maximum: [String] = []
    @Option(help: ArgumentHelp("The number of different values.", valueName: "paths"))
    var distinct: [String] = []
    @Option(help: ArgumentHelp("What is true of the groups, in criteria text on their columns: \"count > 1 and average(rating) >= 4\".", valueName: "criteria"))
    var having: String?
    @Option(help: "The order: columns with commas between, each with 'desc' or 'ignoring case and accents' behind it where wanted.")
    var sort: String?
    @OptionGroup var limits: LimitOptions
    @Flag(help: "Show all groups in a table on a terminal.")
    var all = false
    @OptionGroup var options: OutputOptions

    /// What a table on a terminal shows without a limit.
    private static let usualRows = 100

    func answer(on output: Output) throws {
        let columns = try GroupColumns(
            by: by, counts: count, [(.sum, sum), (.average, average), (.minimum, minimum), (.maximum, maximum), (.distinct, distinct)])
        if let name = columns.repeatedName {
            throw ValidationError(
                "two columns are called '\(name)'; name each value once, and ask for '\(name)' by itself where it is a property and a function")
        }
        let (model, rows) = try argument.read { store in
            try store.read { transaction in
                let models = try StoreModels(transaction)
                let fetch = try query.fetch(from: transaction, models)
                if ShellSession.current?.showsPlans == true { try output.plan(fetch.explainAggregates(columns.aggregates, by: columns.keys)) }
                let groups = try fetch.aggregate(columns.aggregates, by: columns.keys)
                let model = try models[query.model]
                try QueryAdvice.tell(
                    query.criteria, paths: columns.keys + columns.paths, found: columns.keys.isEmpty ? 1 : groups.count, of: model, in: transaction)
                return (model, try GroupRows(columns: columns, condition: having, sort: sort, limit: limits.limit, offset: limits.offset ?? 0).rows(of: groups))
            }
        }
        let format = options.format(for: output)
        let isForPeople = format == .table && output.terminal.isTerminal
        let shown = isForPeople && !all && limits.limit == nil ? rows.prefix(Self.usualRows) : rows[...]
        let sheet = options.sheet(columns.columns(of: model), on: output)
        for row in shown { try sheet.add(row) }
        try sheet.finish()
        if shown.count < rows.count {
            try output.line(output.terminal.dimmed("the first \(shown.count) of \(rows.count); --all shows all, --limit another number"))
        }
        guard rows.isEmpty else { return }
        if isForPeople { try output.line(output.terminal.dimmed("none")) }
        throw ExitStatus.negative
    }
}

extension Output {
    /// Writes a plan before the answer that it is of.
    func plan(_ plan: Explanation) throws {
        for line in "\(plan)".split(separator: "\n") { try self.line(terminal.dimmed(TerminalText.escaped(String(line)))) }
    }
}
