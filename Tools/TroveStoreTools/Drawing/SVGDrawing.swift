/// A drawing as SVG, which is text: the same shapes give the same bytes.
///
/// Every text passes through ``MarkupText/escaped(_:)``, so nothing of a store can be markup. There is no script in it, and nothing that is loaded.
package struct SVGDrawing {
    /// What a shape is, by which the style below colours it in light and dark.
    enum Role: String {
        case box, head, name, detail, count, edge, expected, met
    }

    /// The width of a character of the font, which is one of equal widths, and the height of a line.
    static let characterWidth = 7.3
    static let lineHeight = 18.0

    private var shapes: [String] = []

    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ role: Role, title: String? = nil) {
        let attributes =
            #"x="\#(Self.number(x))" y="\#(Self.number(y))" width="\#(Self.number(width))" height="\#(Self.number(height))" rx="3" class="\#(role.rawValue)""#
        shapes.append(title.map { "<rect \(attributes)><title>\(MarkupText.escaped($0))</title></rect>" } ?? "<rect \(attributes)/>")
    }

    /// A line of text, whose baseline is at `y`.
    mutating func text(_ x: Double, _ y: Double, _ text: String, _ role: Role, endsAt: Bool = false) {
        let anchor = endsAt ? #" text-anchor="end""# : ""
        shapes.append(#"<text x="\#(Self.number(x))" y="\#(Self.number(y))" class="\#(role.rawValue)"\#(anchor)>\#(MarkupText.escaped(text))</text>"#)
    }

    /// The mark at an end of a line: an arrow at what is referred to alone, a fork at what may be many.
    enum Mark: String {
        case arrow, many
    }

    /// A line from one point to another, leaving and reaching them by the side.
    ///
    /// - Parameter startMark: the mark where it begins; nil for none.
    mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), endsOnRight: Bool, _ endMark: Mark, startMark: Mark?, title: String)
    {
        let reach = max(40, abs(end.x - start.x) / 2)
        let bend = endsOnRight ? end.x + reach : end.x - reach
        let path = "M\(Self.number(start.x)) \(Self.number(start.y)) C\(Self.number(start.x + reach)) \(Self.number(start.y)) \(Self.number(bend)) \(Self.number(end.y)) \(Self.number(end.x)) \(Self.number(end.y))"
        let first = startMark.map { #" marker-start="url(#\#($0.rawValue))""# } ?? ""
        shapes.append(#"<path d="\#(path)" class="\#(Role.edge.rawValue)"\#(first) marker-end="url(#\#(endMark.rawValue))"><title>\#(MarkupText.escaped(title))</title></path>"#)
    }

    /// The whole document.
    func document(width: Double, height: Double, title: String, isStyled: Bool = true) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(width))" height="\(Self.number(height))" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img">
        <title>\(MarkupText.escaped(title))</title>
        \(isStyled ? "<style>\(Self.style)</style>" : "")
        <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z" class="mark"/></marker>
        <marker id="many" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="9" markerHeight="9" orient="auto-start-reverse"><path d="M10 0 L0 5 L10 10 M0 5 L10 5" class="fork"/></marker>
        </defs>
        <rect width="100%" height="100%" class="paper"/>
        \(shapes.joined(separator: "\n"))
        </svg>

        """
    }

    /// The colours of the shapes.
    package static let style = """
        text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1b1f24}.name{font-weight:bold}.detail,.count{fill:#57606a}.paper{fill:#fff}.box{fill:#fff;stroke:#8c959f}\
        .head{fill:#ddeaf8;stroke:#8c959f}.edge,.fork{fill:none;stroke:#0a63b8;stroke-width:1.3}.mark{fill:#0a63b8}.expected{fill:#c9d6e4}.met{fill:#2f81d8}\
        @media (prefers-color-scheme:dark){text{fill:#e6edf3}.detail,.count{fill:#9198a1}.paper{fill:#0d1117}.box{fill:#151b23;stroke:#57606a}.head{fill:#1f3350;stroke:#57606a}\
        .edge,.fork{stroke:#6cb0f5}.mark{fill:#6cb0f5}.expected{fill:#33414f}.met{fill:#4493f8}}
        """

    /// How wide a text is, as far as one can know.
    static func width(_ text: String) -> Double { Double(TerminalText.width(TerminalText.escaped(text))) * characterWidth }

    /// A number with at most one digit behind the point.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
