import ArgumentParser

/// How an answer is written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case line
    case json
    case jsonl
    case csv
    case md

    /// The format of a name in any case.
    init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

/// The option that chooses it.
struct OutputOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .customLong("output")], help: "How to write the answer. Without it: for people on a terminal, jsonl in a pipe or file.")
    var format: OutputFormat?

    @Flag(help: "In csv, put an apostrophe before texts that a spreadsheet would take for formulas.")
    var spreadsheet = false

    /// The format for a stream.
    ///
    /// - Parameter usual: what a terminal gets.
    func format(for output: Output, usual: OutputFormat = .table) -> OutputFormat {
        format ?? ShellSession.current?.format ?? (output.terminal.isTerminal ? usual : .jsonl)
    }

    /// A sheet of these columns on a stream.
    ///
    /// - Parameter usual: what a terminal gets when no format is asked for.
    func sheet(_ columns: [Column], on output: Output, usual: OutputFormat = .table) -> any Sheet {
        switch format(for: output, usual: usual) {
        case .table: TableSheet(columns, on: output)
        case .line: LineSheet(columns, on: output)
        case .json: JSONSheet(columns, on: output, isArray: true)
        case .jsonl: JSONSheet(columns, on: output, isArray: false)
        case .csv: CSVSheet(columns, on: output, isForSpreadsheets: spreadsheet)
        case .md: MarkdownSheet(columns, on: output)
        }
    }
}
