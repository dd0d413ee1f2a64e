import Trove
import TroveStoreTools

/// A table in Markdown, in which no value is taken for markup.
final class MarkdownSheet: Sheet {
    private static let markup = Set("\\`*_[]<>|~&#!$".unicodeScalars)

    private let columns: [Column]
    private let output: Output
    private var isBegun = false

    init(_ columns: [Column], on output: Output) {
        self.columns = columns
        self.output = output
    }

    func add(_ row: [StoredValue?]) throws {
        try begin()
        try line(row.map { try Self.escaped(CellText.shown($0)) })
    }

    func finish() throws { try begin() }

    private func begin() throws {
        if isBegun { return }
        isBegun = true
        try line(columns.map { Self.escaped(TerminalText.escaped($0.name)) })
        try line(columns.map { _ in "---" })
    }

    private func line(_ cells: [String]) throws { try output.line("| " + cells.joined(separator: " | ") + " |") }

    /// The text with a backslash before what Markdown would take for markup.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if markup.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
