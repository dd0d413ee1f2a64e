import Trove
import TroveStoreTools

/// Comma-separated values as RFC 4180 has them, with lines that end by a line feed. Nil is an empty field, empty text a field in quotes.
final class CSVSheet: Sheet {
    private let output: Output
    private let isForSpreadsheets: Bool
    private let names: [String]
    private var isBegun = false

    init(_ columns: [Column], on output: Output, isForSpreadsheets: Bool) {
        self.output = output
        self.isForSpreadsheets = isForSpreadsheets
        names = columns.map(\.name)
    }

    func add(_ row: [StoredValue?]) throws {
        try begin()
        let fields = try row.map { value in try CellText.plain(value).map { field($0, isGuarded: !CellText.isNumber(value)) } ?? "" }
        try output.line(fields.joined(separator: ","))
    }

    func finish() throws { try begin() }

    private func begin() throws {
        if isBegun { return }
        isBegun = true
        try output.line(names.map { field($0, isGuarded: true) }.joined(separator: ","))
    }

    /// A text as a field. People who look at it on a terminal get it escaped, as in tables.
    ///
    /// - Parameter isGuarded: whether a spreadsheet may not take it for a formula; a number is none, its sign notwithstanding.
    private func field(_ text: String, isGuarded: Bool) -> String {
        var text = output.terminal.isTerminal ? TerminalText.escaped(text) : text
        if isForSpreadsheets, isGuarded, let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { text = "'" + text }
        // By scalars: a mark behind a quote makes one character of both.
        let needsQuotes =
            text.isEmpty || text.unicodeScalars.contains { $0 == "\"" || $0 == "," || $0 == "\n" || $0 == "\r" } || text.first == " " || text.last == " "
        guard needsQuotes else { return text }
        var quoted = "\"".unicodeScalars
        for scalar in text.unicodeScalars {
            quoted.append(scalar)
            if scalar == "\"" { quoted.append(scalar) }
        }
        quoted.append("\"")
        return String(quoted)
    }
}
