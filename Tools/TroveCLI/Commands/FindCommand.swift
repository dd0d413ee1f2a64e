import ArgumentParser
import Trove
import TroveStoreTools

struct FindCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Finds records of a model, or documents of a collection.",
        discussion: """
            Criteria compare properties, and paths into them, with texts in single quotes, numbers, true, nil and dates, as date '2026-11-25': = != < <= > >=, between 1 and 3, \
            in ('a', 'b'), is nil, begins with 'S', ends with, contains, matches '^S.*t$', has words 'blue gr*'. Of lists: any tags = 'a', all, none, tags[0]. Behind a \
            comparison of texts: ignoring case, or ignoring case and accents. Conditions are joined by and, or, not and parentheses. The id is $id. Sums, averages and groups are 'trove group'.

            count(tags) is the number of elements of a list, and album.number a value of the record that album refers to, in conditions, orders and --select. A table on a \
            terminal shows the first 100; --limit shows others and --all all of them. Files and pipes get all. The status is 1 when there are none. --skip-damaged passes over records that cannot be read, or of which a value in --select cannot, their own or of another record.

            Example: trove find music.store Song "year > 1958 and artist = 'Bill Evans'" --sort "year desc, title" --limit 10 --select title,year
            """)

    func validate() throws {
        let selected = select?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        if selected.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw ValidationError("--select names values with commas between, as title,artist; one of them is missing")
        }
    }

    /// What a table on a terminal shows of a query without a limit.
    private static let usualRows = 100

    @OptionGroup var argument: StoreArgument
    @OptionGroup var query: QueryArguments
    @OptionGroup var order: OrderOptions
    @OptionGroup var limits: LimitOptions
    @Option(help: "The values to show: paths with commas between, as title,address.city; $id is the id.")
    var select: String?
    @Flag(help: "Show all records in a table on a terminal.")
    var all = false
    @OptionGroup var damage: DamageOptions
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        let format = options.format(for: output)
        let (count, damaged) = try argument.read { store in
            if ShellSession.current?.showsPlans == true { try writePlan(of: store, on: output) }
            // One view of the store for everything that is asked of it.
            return try damage.read(store) { transaction, damaged in
                let models = try StoreModels(transaction)
                let fetch = try order.applied(to: query.fetch(from: transaction, models), limits)
                let model = try models[query.model]
                let isWhole = select == nil && (format == .json || format == .jsonl)
                let count =
                    try isWhole
                    ? writeWhole(fetch, model, on: output, isArray: format == .json, damaged)
                    : writeRows(fetch, model, in: transaction, on: output, format, damaged)
                try QueryAdvice.tell(
                    query.criteria, sort: order.sort, paths: RecordSelection.paths(in: select, of: model), found: count, of: model, in: transaction)
                return count
            }
        }
        if damaged > 0 {
            try output.flush()
            throw ExitStatus.damage
        }
        if count == 0 {
            if format == .table, output.terminal.isTerminal { try output.line(output.terminal.dimmed("none")) }
            throw ExitStatus.negative
        }
    }

    /// Writes how the query is answered, which asks it once more.
    private func writePlan(of store: ObjectStore, on output: Output) throws {
        for plan in try order.applied(to: query.fetch(from: store, StoreModels(store)), limits).explain() { try output.plan(plan) }
    }

    /// Writes each record as it is.
    private func writeWhole(
        _ fetch: MixedFetch<StoredRecord, ReadTransaction>, _ model: StoredModel, on output: Output, isArray: Bool, _ damaged: DamagedRecords?
    ) throws -> Int {
        // The library's lines are what is wanted, but of documents, whose own names stand in the line, on a terminal, and where values may be encrypted still
        // or are passed over.
        if !isArray, damaged == nil, !model.isCollection, !model.hasEncryptedFields, !output.terminal.isTerminal {
            return try fetch.jsonLines { try output.write($0) }
        }
        let sheet = JSONSheet([], on: output, isArray: isArray)
        let json = RecordJSON(model, JSONText(isForTerminal: output.terminal.isTerminal))
        var count = 0
        try fetch.forEach { record, _ in
            let isWritten: Void? = try DamagedRecords.reading(passingOver: damaged) { try sheet.addObject { try json.append(record, to: &$0) } }
            if isWritten != nil { count += 1 }
        }
        try sheet.finish()
        return count
    }

    /// Writes the values that are selected.
    private func writeRows(
        _ fetch: MixedFetch<StoredRecord, ReadTransaction>, _ model: StoredModel, in transaction: ReadTransaction, on output: Output, _ format: OutputFormat,
        _ damaged: DamagedRecords?
    ) throws -> Int {
        let most = format == .table && output.terminal.isTerminal && !all && limits.limit == nil ? Self.usualRows : Int.max
        let selection = try selection(of: fetch, model, in: transaction, most)
        let sheet = options.sheet(selection.columns, on: output)
        var count = 0
        var hasMore = false
        try fetch.forEach(with: selection.referencedPaths) { record, referenced, stop in
            if count == most {
                hasMore = true
                stop = true
            } else if let row = try DamagedRecords.reading(passingOver: damaged, { try selection.row(of: record, referenced()) }) {
                try sheet.add(row)
                count += 1
            }
        }
        try sheet.finish()
        if hasMore { try output.line(output.terminal.dimmed("the first \(count); --all shows all, --limit another number")) }
        return count
    }

    /// The values that were asked for, or all; of documents those under every name that one of the found has, which takes a look at them all.
    private func selection(
        of fetch: MixedFetch<StoredRecord, ReadTransaction>, _ model: StoredModel, in transaction: ReadTransaction, _ most: Int
    ) throws -> RecordSelection {
        if let select { return try RecordSelection(RecordSelection.names(in: select), of: model, in: transaction) }
        guard model.isCollection else { return RecordSelection(allOf: model) }
        var names: Set<String> = []
        var count = 0
        try fetch.forEach { record, stop in
            names.formUnion(DocumentRecord.attributes(of: record))
            count += 1
            stop = count >= most
        }
        return RecordSelection(allOf: model, attributes: names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
}
