extension Explanation: CustomStringConvertible {
    /// The steps as a tree, the last one first, with columns of expected and actual rows.
    public var description: String {
        var lines: [(text: String, step: Step)] = []
        func add(_ step: Step, _ lead: String, _ childLead: String) {
            lines.append((lead + step.summary, step))
            for (number, part) in step.steps.enumerated() {
                let isLast = number == step.steps.count - 1
                add(part, childLead + (isLast ? "└─ " : "├─ "), childLead + (isLast ? "   " : "│  "))
            }
        }
        add(step, "", "")
        let expected = lines.map { $0.step.estimatedRows.map(Self.grouped) ?? "" }
        let actual = lines.map { $0.step.actualRows.map(Self.grouped) ?? "" }
        let width = min(100, lines.map(\.text.count).max() ?? 0)
        func column(_ title: String, _ texts: [String]) -> [String] {
            let width = max(title.count, texts.map(\.count).max() ?? 0)
            return ([title] + texts).map { String(repeating: " ", count: width - $0.count) + $0 }
        }
        let columns = [column("expected", expected)] + (actual.allSatisfy(\.isEmpty) ? [] : [column("rows", actual)])
        let texts = ["step"] + lines.map(\.text)
        return texts.enumerated().map { number, text in
            let padding = String(repeating: " ", count: max(0, width - text.count))
            return text + padding + columns.map { "  " + $0[number] }.joined()
        }.joined(separator: "\n")
    }

    /// A number with its thousands apart.
    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (position, digit) in String(number).reversed().enumerated() {
            if position > 0, position.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
