/// Source as lines, which are moved in when others are put around them.
///
/// What users wrote stays within one of the lines, with the line breaks that it has: in a text of several lines spaces count.
typealias SourceLines = [String]

extension SourceLines {
    /// Lines in braces behind a header.
    static func block(_ header: String, _ lines: SourceLines) -> SourceLines { enclosed("\(header) {", lines, "}") }

    /// The elements of an array literal, with what stands before and behind it.
    static func list(_ start: String, _ elements: [String], _ end: String = "") -> SourceLines { enclosed("\(start)[", elements.map { $0 + "," }, "]\(end)") }

    /// Lines between two others; without any these are one.
    private static func enclosed(_ start: String, _ lines: SourceLines, _ end: String) -> SourceLines {
        lines.isEmpty ? [start + end] : [start] + lines.map { $0.isEmpty ? "" : "    " + $0 } + [end]
    }

    /// The declarations with an empty line between each two.
    init(_ declarations: [SourceLines]) { self = Array(declarations.joined(separator: [""])) }

    /// The lines as one text.
    var source: String { joined(separator: "\n") }
}
