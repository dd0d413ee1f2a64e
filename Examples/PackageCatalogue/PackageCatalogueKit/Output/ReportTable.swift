/// A table in plain text: a header, a rule, rows; the first column to the left, the others to the right.
struct ReportTable {
    private var rows: [[String]]

    init(_ header: String...) { rows = [header] }

    mutating func add(_ cells: String...) { rows.append(cells) }

    /// The lines of the table.
    var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let rule = "  " + widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        var lines = rows.map { row in
            "  " + row.indices.map { Self.pad(row[$0], to: widths[$0], isFirst: $0 == 0) }.joined(separator: "  ")
        }
        lines.insert(rule, at: 1)
        return lines
    }

    private static func pad(_ cell: String, to width: Int, isFirst: Bool) -> String {
        let space = String(repeating: " ", count: width - cell.count)
        return isFirst ? cell + space : space + cell
    }
}
