/// How a query is answered: the steps, what each was expected to meet and what it met.
///
/// ```swift
/// let explanation = try store.fetch(Song.self).where { $0.artist == "Bill Evans" }.sorted(by: \.year).explain()
/// print(explanation)
/// ```
public struct Explanation: Sendable, Hashable {
    /// What a step does.
    public enum Kind: String, Sendable, Hashable {
        /// Nothing: no object can pass the filter.
        case nothing
        /// Passes over the offset and stops at the limit.
        case window
        /// Sorts in memory.
        case sort
        /// Makes groups of objects.
        case group
        /// Checks what the steps below do not make sure of.
        case check
        /// Reads the records of keys.
        case read
        /// Reads all records, or a range of their ids, in one pass.
        case scan
        /// Looks ids up.
        case lookUp
        /// Reads ranges of an index.
        case index
        /// Keeps the keys that all steps below find.
        case intersection
        /// Joins the keys that the steps below find.
        case union
    }

    /// One step, and those it gets its rows from.
    public struct Step: Sendable, Hashable {
        /// What kind of step it is.
        public let kind: Kind
        /// What the step does, for people to read.
        public let summary: String
        /// The name of the index it reads; nil for other steps.
        public let index: String?
        /// The number of rows it was expected to meet; nil where nothing was estimated.
        public let estimatedRows: Int?
        /// The number of rows it met; nil when the query was not run.
        public let actualRows: Int?
        /// The steps that it gets its rows from.
        public let steps: [Step]
    }

    /// The last step, which gives the results.
    public let step: Step
    /// What the query was expected to cost, in microseconds; its worth is in comparisons.
    public let estimatedCost: Double

    /// The step and all below it, each before those it gets its rows from.
    public var steps: [Step] {
        func all(_ step: Step) -> [Step] { [step] + step.steps.flatMap(all) }
        return all(step)
    }

    /// The names of the indexes it reads.
    public var indexes: [String] { steps.compactMap(\.index) }

    /// Whether results are sorted in memory.
    public var sorts: Bool { steps.contains { $0.kind == .sort } }
}

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
