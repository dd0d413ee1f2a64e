import Trove
import TroveStoreTools

/// A table for people, fitted to the terminal. The widths are those of the first rows, so that memory stays flat whatever comes behind them.
final class TableSheet: Sheet {
    private static let measuredRows = 1_000
    private static let gap = 2
    /// Narrower than this a column says nothing; fewer columns that can be read are better.
    private static let leastWidth = 14
    /// What is left of an id on both sides of the cut tells it from others.
    private static let leastIDWidth = 18

    private let columns: [Column]
    private let output: Output
    private var waiting: [[String]] = []
    private var isNumeric: [Bool]
    /// The widths of the columns that are shown; nil until they are known.
    private var widths: [Int]?
    /// Whether a value did not fit into its column.
    private var isCut = false

    init(_ columns: [Column], on output: Output) {
        self.columns = columns
        self.output = output
        isNumeric = columns.map { _ in true }
    }

    func add(_ row: [StoredValue?]) throws {
        let cells = try row.map(CellText.shown)
        if let widths { return try write(cells, widths) }
        for (position, value) in row.enumerated() where value != nil && value != .null && !CellText.isNumber(value) { isNumeric[position] = false }
        waiting.append(cells)
        if waiting.count == Self.measuredRows { try begin() }
    }

    func finish() throws {
        if widths == nil, !waiting.isEmpty { try begin() }
        guard let widths else { return }
        guard widths.count < columns.count else {
            // Who gave a width to a pipe knows about it.
            if isCut, output.terminal.isTerminal {
                try output.line(output.terminal.dimmed("cut to fit the terminal; -o line shows all, --select some columns"))
            }
            return
        }
        let names = columns[widths.count...].map { TerminalText.escaped($0.name) }.joined(separator: ", ")
        try output.line(output.terminal.dimmed("too wide for the terminal: \(names); --select chooses columns, -o line shows all"))
    }

    /// Writes the header and the rows that wait.
    private func begin() throws {
        let natural = columns.indices.map { position in
            let header = [columns[position].name, columns[position].type ?? ""].map { TerminalText.width(TerminalText.escaped($0)) }
            return max(1, header.max() ?? 0, waiting.map { TerminalText.width($0[position]) }.max() ?? 0)
        }
        // A column in which nothing was met says nothing about its values.
        for position in columns.indices where waiting.allSatisfy({ $0[position] == CellText.null }) { isNumeric[position] = false }
        // A number without some of its digits is another one.
        let least = columns.indices.map { position in isNumeric[position] ? natural[position] : isID(position) ? Self.leastIDWidth : Self.leastWidth }
        let widths = Self.fitted(natural, to: output.terminal.width, least: least)
        self.widths = widths
        try write(columns.map { TerminalText.escaped($0.name) }, widths, output.terminal.bold)
        if columns.prefix(widths.count).contains(where: { $0.type != nil }) {
            try write(columns.map { TerminalText.escaped($0.type ?? "") }, widths, output.terminal.dimmed)
        }
        try output.line(output.terminal.dimmed(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")))
        for row in waiting { try write(row, widths) }
        waiting = []
    }

    private func write(_ cells: [String], _ widths: [Int], _ style: (String) -> String = { $0 }) throws {
        var line = ""
        for (position, width) in widths.enumerated() {
            let isWider = TerminalText.width(cells[position]) > width
            // The measured rows did not have so large a number.
            let cell =
                isWider && isNumeric[position]
                ? cells[position] : TerminalText.fitted(cells[position], to: width, alignsRight: isNumeric[position], cutsMiddle: isID(position))
            if isWider, !isNumeric[position] { isCut = true }
            line += cells[position] == CellText.null ? output.terminal.dimmed(cell) : cell
            if position < widths.count - 1 { line += String(repeating: " ", count: Self.gap) }
        }
        // Cells without a type leave spaces at the end.
        while line.last == " " { line.removeLast() }
        try output.line(style(line))
    }

    /// Ids are often alike at their beginning, those that were made one after the other.
    private func isID(_ position: Int) -> Bool { columns[position].name == "$id" || columns[position].name == "id" && !columns[position].isData }

    /// The widths of as many columns as fit: all in their natural width, or the widest ones cut, or the last ones left out.
    ///
    /// - Parameter least: what each column has to have at least, as far as its values are that wide; the same for all where nothing is said.
    static func fitted(_ natural: [Int], to width: Int?, least: [Int]? = nil) -> [Int] {
        guard let width else { return natural }
        let least = zip(natural, least ?? natural.map { _ in leastWidth }).map { min($0, $1) }
        // The first columns that fit when all of them are cut as far as they may be.
        var (kept, narrow) = (0, -gap)
        while kept < least.count, narrow + gap + least[kept] <= width {
            narrow += gap + least[kept]
            kept += 1
        }
        guard kept > 0 else { return natural.isEmpty ? [] : [max(1, width)] }
        var widths = Array(natural.prefix(kept))
        var total = widths.reduce(0, +) + gap * (kept - 1)
        while total > width {
            // All that are wider than the second widest lose at once what is over, but never more than that.
            let cuttable = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = cuttable.map({ widths[$0] }).max() else { break }
            let wide = cuttable.filter { widths[$0] == widest }
            let next = max(cuttable.map { widths[$0] }.filter { $0 < widest }.max() ?? 0, wide.map { least[$0] }.max() ?? 0)
            let cut = min(widest - next, max(1, (total - width) / wide.count))
            for (order, position) in wide.enumerated() where order == 0 || total > width {
                widths[position] -= cut
                total -= cut
            }
        }
        return widths
    }
}
