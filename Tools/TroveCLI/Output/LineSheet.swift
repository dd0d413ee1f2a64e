import Trove
import TroveStoreTools

/// A line for each value, `name = value`, with an empty line between the rows.
final class LineSheet: Sheet {
    private let names: [String]
    private let output: Output
    private var isFirst = true

    init(_ columns: [Column], on output: Output) {
        let names = columns.map { TerminalText.escaped($0.name) }
        let width = names.map { TerminalText.width($0) }.max() ?? 0
        self.names = names.map { TerminalText.fitted($0, to: width) }
        self.output = output
    }

    func add(_ row: [StoredValue?]) throws {
        if !isFirst { try output.line() }
        isFirst = false
        for (name, value) in zip(names, row) {
            let text = try CellText.shown(value)
            try output.line(output.terminal.dimmed(name + " = ") + (text == CellText.null ? output.terminal.dimmed(text) : text))
        }
    }

    func finish() throws {}
}
