import ArgumentParser
import Trove
import TroveStoreTools

struct ExplainCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Shows how a query is answered, with the rows that each step expected and met.",
        discussion: """
            Indexes are used without the program that has the model too, but for those of derived values.

            Example: trove explain music.store notes "author.name = 'Ann'"
            """)

    @OptionGroup var argument: StoreArgument
    @OptionGroup var query: QueryArguments
    @OptionGroup var order: OrderOptions
    @OptionGroup var limits: LimitOptions
    @Flag(help: "Tell the plan without running the query.")
    var dry = false
    @Flag(help: "Draw the plan as SVG: a bar of the rows that each step expected, and one of those that it met.")
    var svg = false
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        let plans = try argument.read { store in
            try store.read { transaction in
                let models = try StoreModels(transaction)
                let plans = try order.applied(to: query.fetch(from: transaction, models), limits).explain(running: !dry)
                try QueryAdvice.tell(
                    query.criteria, sort: order.sort, found: dry ? 1 : plans.reduce(0) { $0 + ($1.step.actualRows ?? 1) }, of: models[query.model],
                    in: transaction)
                return plans
            }
        }
        if svg, options.format != nil { throw ValidationError("--svg draws, and -o writes; say one of them") }
        if svg { return try output.write(PlanDrawing(plans).svg(title: "The plan of a query")) }
        switch options.format(for: output) {
        case .table:
            for plan in plans { try writeTable(plan, on: output) }
        case .json, .jsonl:
            let json = JSONText(isForTerminal: output.terminal.isTerminal)
            for plan in plans {
                try output.append { bytes in
                    try json.append(plan.jsonValue(), to: &bytes)
                    bytes.append(UInt8(ascii: "\n"))
                }
            }
        case .line, .csv, .md:
            let sheet = options.sheet(["depth", "kind", "step", "index", "expected", "rows"].map { Column($0) }, on: output)
            for plan in plans { try add(plan.step, depth: 0, to: sheet) }
            try sheet.finish()
        }
    }

    private func writeTable(_ plan: Explanation, on output: Output) throws {
        let lines = "\(plan)".split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.escaped(String($0)) }
        guard let width = output.terminal.width, lines.contains(where: { TerminalText.width($0) > width }) else {
            for line in lines { try output.line(line) }
            return
        }
        // The numbers stay in their columns, and what is too long is cut.
        let sheet = TableSheet(["step", "expected", "rows"].map { Column($0) }, on: output)
        func add(_ step: Explanation.Step, _ depth: Int) throws {
            func number(_ rows: Int?) -> StoredValue { rows.map { .int(Int64($0)) } ?? .null }
            try sheet.add([.string(String(repeating: "· ", count: depth) + step.summary), number(step.estimatedRows), number(step.actualRows)])
            for part in step.steps { try add(part, depth + 1) }
        }
        try add(plan.step, 0)
        try sheet.finish()
    }

    private func add(_ step: Explanation.Step, depth: Int, to sheet: any Sheet) throws {
        func number(_ rows: Int?) -> StoredValue { rows.map { .int(Int64($0)) } ?? .null }
        try sheet.add([
            .int(Int64(depth)), .string(step.kind.rawValue), .string(step.summary), step.index.map { .string($0) } ?? .null, number(step.estimatedRows),
            number(step.actualRows),
        ])
        for part in step.steps { try add(part, depth: depth + 1, to: sheet) }
    }
}
