import Trove

/// Plans of queries as SVG: a line for each step, those that supply a step's rows below it and further in, with a bar of the rows that were
/// expected and one of those that were met.
package struct PlanDrawing {
    private static let indent = 18.0
    private static let margin = 20.0
    private static let barWidth = 180.0
    private static let rowHeight = 26.0

    private let lines: [(depth: Int, step: Explanation.Step)]

    package init(_ plans: [Explanation]) {
        var lines: [(depth: Int, step: Explanation.Step)] = []
        func add(_ step: Explanation.Step, _ depth: Int) {
            lines.append((depth, step))
            for part in step.steps { add(part, depth + 1) }
        }
        for plan in plans { add(plan.step, 0) }
        self.lines = lines
    }

    /// - Parameter isStyled: whether the colours are in the drawing; not where the page has them, as ``SVGDrawing/style``.
    package func svg(title: String, isStyled: Bool = true) -> String {
        var drawing = SVGDrawing()
        // Bars of one drawing have one measure, so that they can be compared.
        let most = Double(max(1, lines.compactMap { max($0.step.estimatedRows ?? 0, $0.step.actualRows ?? 0) }.max() ?? 1))
        let textWidth = lines.map { Double($0.depth) * Self.indent + SVGDrawing.width($0.step.summary) }.max() ?? 0
        let bars = Self.margin + textWidth + 2 * Self.margin
        for (number, line) in lines.enumerated() {
            let y = Self.margin + Double(number) * Self.rowHeight
            drawing.text(Self.margin + Double(line.depth) * Self.indent, y + 14, line.step.summary, .name)
            bar(line.step.estimatedRows, .expected, "expected", bars, y + 1, most, &drawing)
            bar(line.step.actualRows, .met, "met", bars, y + 11, most, &drawing)
            let told = [line.step.estimatedRows.map { "\($0.grouped) expected" }, line.step.actualRows.map { "\($0.grouped) met" }].compactMap(\.self).joined(
                separator: ", ")
            drawing.text(bars + Self.barWidth + Self.margin / 2, y + 14, told, .detail)
        }
        let width = bars + Self.barWidth + 260
        return drawing.document(width: width, height: Double(lines.count) * Self.rowHeight + 2 * Self.margin, title: title, isStyled: isStyled)
    }

    private func bar(_ rows: Int?, _ role: SVGDrawing.Role, _ word: String, _ x: Double, _ y: Double, _ most: Double, _ drawing: inout SVGDrawing) {
        guard let rows else { return }
        // One row of many is still to be seen.
        drawing.rectangle(x, y, rows == 0 ? 0.5 : max(2, Self.barWidth * Double(rows) / most), 8, role, title: "\(rows.grouped) \(word)")
    }
}
